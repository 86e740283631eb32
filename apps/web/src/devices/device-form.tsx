import type { FieldErrors } from '@astropelago/contract/error-body'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../lib/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { Input } from '../ui/input.tsx'
import { type DeviceDraft, type DraftedDevice, emptyDraft, readDraft } from './device-draft.ts'
import { noteOn, type TypedField } from './field-notes.ts'
import { PlaceFieldset } from './place-fieldset.tsx'
import { useFieldNotes } from '../lib/use-field-notes.ts'
import { VisibilityField } from './visibility-field.tsx'

interface DeviceFormProps<Saved> {
  /** The initial values; empty fields if undefined. */
  initial?: DeviceDraft | undefined
  /** Called with all field values on each change, to save the draft. */
  onDraft?: (draft: DeviceDraft) => void
  save: (details: DraftedDevice) => Promise<Saved>
  onSaved: (saved: Saved) => void
  /** Describes a failed save. Errors about single fields are shown at the fields. */
  explain: (error: unknown) => string
  submitLabel: string
  busyLabel: string
  /** Clears the form after a save, ready for the next device. */
  clears?: boolean
  /** More buttons. */
  children?: ReactNode
}

const noErrors: FieldErrors = {}

/** The form for a device's details. The input stays if saving fails. */
export function DeviceForm<Saved>(props: DeviceFormProps<Saved>) {
  const {
    initial = emptyDraft,
    onDraft,
    save,
    onSaved,
    explain,
    submitLabel,
    busyLabel,
    clears,
  } = props
  const [draft, setDraft] = useState(initial)
  const [errors, setErrors] = useState(noErrors)
  const notes = useFieldNotes(draft, noteOn)
  const [failedTries, setFailedTries] = useState(0)
  const form = useRef<HTMLFormElement>(null)

  const refuse = (fields: FieldErrors) => {
    setErrors(fields)
    setFailedTries((tries) => tries + 1)
  }
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (saved) => {
      if (clears) {
        setDraft(emptyDraft)
        notes.forget()
      }
      onSaved(saved)
    },
    onError: (error) => refuse(error instanceof ApiError ? error.fields : noErrors),
  })

  useEffect(() => onDraft?.(draft), [draft, onDraft])

  useEffect(() => {
    if (failedTries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [failedTries])

  const submit = () => {
    const reading = readDraft(draft)
    if (!reading.isReadable) {
      saving.reset()
      refuse(reading.errors)
      return
    }
    setErrors(noErrors)
    saving.mutate(reading.details)
  }
  const change = (changes: Partial<DeviceDraft>) => {
    // Apply the changes to the latest draft: locating the browser may take long.
    setDraft((current) => ({ ...current, ...changes }))
    // A changed field no longer has the value that the server refused.
    setErrors((current) =>
      Object.fromEntries(Object.entries(current).filter(([name]) => !(name in changes))),
    )
    notes.follow(changes)
  }
  const textField = (
    name: TypedField,
    field: Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'optional' | 'className'>,
    input: ComponentProps<typeof Input> = {},
  ) => (
    <Field {...field} error={errors[name]} note={errors[name] ? undefined : notes.noteFor(name)}>
      {(wiring) => (
        <Input
          autoComplete="off"
          {...input}
          {...wiring}
          name={name}
          value={draft[name]}
          onChange={(event) => change({ [name]: event.target.value })}
          onBlur={() => void notes.leave(name)}
        />
      )}
    </Field>
  )

  return (
    <form
      ref={form}
      noValidate
      onMouseDownCapture={notes.onMouseDownCapture}
      className="flex min-w-0 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) submit()
      }}
    >
      {textField('label', { label: 'Label', hint: 'A name to know it by, such as Harbor Pi.' })}
      <PlaceFieldset draft={draft} onChange={change}>
        {textField(
          'lat',
          { label: 'Latitude', hint: 'Degrees north of the equator; south is negative.' },
          { inputMode: 'decimal' },
        )}
        {textField(
          'lon',
          { label: 'Longitude', hint: 'Degrees east of Greenwich; west is negative.' },
          { inputMode: 'decimal' },
        )}
      </PlaceFieldset>
      {textField(
        'link',
        {
          label: 'Link',
          hint: 'Where others reach what it hosts, such as https://island.example.',
          optional: true,
        },
        { inputMode: 'url', autoCapitalize: 'none', spellCheck: false },
      )}
      <VisibilityField value={draft.visibility} onChange={(visibility) => change({ visibility })} />
      <FormError>{saving.isError ? explain(saving.error) : undefined}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={saving.isPending}>
          {saving.isPending ? busyLabel : submitLabel}
        </Button>
        {props.children}
      </div>
    </form>
  )
}
