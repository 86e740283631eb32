import type { ReactNode } from 'react'
import { useApiForm } from '../lib/forms/use-api-form.ts'
import type { StoredValue } from '../lib/stored-value.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form-error.tsx'
import { TextField } from '../ui/text-field.tsx'
import { type DeviceDraft, type DraftedDevice, emptyDraft, readDraft } from './device-draft.ts'
import { noteOn } from './field-notes.ts'
import { PlaceFieldset } from './place-fieldset.tsx'
import { VisibilityField } from './visibility-field.tsx'

interface DeviceFormProps<Saved> {
  /** The initial values; empty fields if undefined. */
  initial?: DeviceDraft
  /** Keeps unsaved input over a reload. */
  draft?: StoredValue<DeviceDraft>
  save: (details: DraftedDevice) => Promise<Saved>
  onSaved: (saved: Saved) => void
  /** Describes a failed save. Errors about single fields are shown at the fields. */
  explain: (error: unknown) => string
  submitLabel: string
  busyLabel: string
  /** More buttons. */
  children?: ReactNode
}

/** The form for a device's details. */
export function DeviceForm<Saved>(props: DeviceFormProps<Saved>) {
  const { initial = emptyDraft, draft, save, onSaved, explain, submitLabel, busyLabel } = props
  const form = useApiForm({
    values: initial,
    draft,
    read: readDraft,
    send: save,
    onSent: onSaved,
    explain,
    remarkOn: noteOn,
  })
  const { values, change, isBusy, text } = form
  return (
    <form {...form.wiring} className="flex min-w-0 flex-col gap-5">
      <TextField
        label="Label"
        hint="A name to know it by, such as Harbor Pi."
        autoComplete="off"
        {...text('label')}
      />
      <PlaceFieldset draft={values} onChange={change}>
        <TextField
          label="Latitude"
          hint="Degrees north of the equator; south is negative."
          autoComplete="off"
          inputMode="decimal"
          {...text('lat')}
        />
        <TextField
          label="Longitude"
          hint="Degrees east of Greenwich; west is negative."
          autoComplete="off"
          inputMode="decimal"
          {...text('lon')}
        />
      </PlaceFieldset>
      <TextField
        label="Link"
        hint="Where others reach what it hosts, such as https://island.example."
        optional
        autoComplete="off"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        {...text('link')}
      />
      <VisibilityField
        value={values.visibility}
        onChange={(visibility) => change({ visibility })}
      />
      <FormError>{form.failure}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy}>
          {isBusy ? busyLabel : submitLabel}
        </Button>
        {props.children}
      </div>
    </form>
  )
}
