import type { FieldErrors } from '@astropelago/contract/error-body'
import { useMutation } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { fieldErrors } from '../../../lib/failure-text.ts'
import { noteOn } from '../../../devices/field-notes.ts'
import { useFieldNotes } from '../../../lib/use-field-notes.ts'
import { type IslandDraft, type NotedField, type Reading, refusalOf } from './island-draft.ts'

interface IslandFormOptions<Details, Saved> {
  readonly initial: IslandDraft
  /** Called with every change, to store the draft. */
  readonly onDraft?: (draft: IslandDraft) => void
  readonly read: (draft: IslandDraft) => Reading<Details>
  readonly save: (details: Details) => Promise<Saved>
  readonly onSaved: (saved: Saved) => void
}

const noErrors: FieldErrors = {}

/** The form of an island with its errors. What was typed stays after every error. */
export function useIslandForm<Details, Saved>(options: IslandFormOptions<Details, Saved>) {
  const { initial, onDraft, read, save, onSaved } = options
  const [draft, setDraft] = useState(initial)
  const [errors, setErrors] = useState(noErrors)
  const [failedTries, setFailedTries] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const notes = useFieldNotes<NotedField>(draft, (field, text) =>
    // Hosts should also know if only few visitors can open their link.
    field === 'address' ? noteOn('link', text) : refusalOf(field, text),
  )

  const refuse = (fields: FieldErrors) => {
    setErrors(fields)
    setFailedTries((tries) => tries + 1)
  }
  const saving = useMutation({
    mutationFn: save,
    onSuccess: onSaved,
    onError: (error) => refuse(fieldErrors(error)),
  })

  useEffect(() => onDraft?.(draft), [draft, onDraft])

  useEffect(() => {
    if (failedTries === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid], [data-invalid] input')?.focus()
  }, [failedTries])

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (saving.isPending) return
    const reading = read(draft)
    if (reading.isReadable) {
      setErrors(noErrors)
      saving.mutate(reading.details)
    } else {
      saving.reset()
      refuse(reading.errors)
    }
  }
  const change = (changes: Partial<IslandDraft>) => {
    setDraft((current) => ({ ...current, ...changes }))
    // A changed field loses its error. So does the address if it follows the name.
    const mended = new Set(Object.keys(changes))
    if (mended.has('name') && draft.slug === null) mended.add('slug')
    setErrors((current) =>
      Object.fromEntries(Object.entries(current).filter(([field]) => !mended.has(field))),
    )
    const { name, tagline, about, rules, address } = { ...draft, ...changes }
    notes.follow({ name, tagline, about, rules, address })
  }
  return {
    draft,
    change,
    errors,
    saving,
    /** Props of a text field, except its label. */
    textField: (field: NotedField) => ({
      name: field,
      autoComplete: 'off',
      value: draft[field],
      error: errors[field],
      note: errors[field] === undefined ? notes.noteFor(field) : undefined,
      onChange: (text: string) => change({ [field]: text }),
      onBlur: () => void notes.leave(field),
    }),
    /** Props of the form element. */
    wiring: {
      ref: form,
      noValidate: true,
      onMouseDownCapture: notes.onMouseDownCapture,
      onSubmit: submit,
    },
  }
}

export type IslandForm = Pick<
  ReturnType<typeof useIslandForm<unknown, unknown>>,
  'draft' | 'change' | 'errors' | 'textField'
>
