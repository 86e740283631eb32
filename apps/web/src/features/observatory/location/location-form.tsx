import { LocateFixed } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { labelMaxLength } from '@astropelago/contract/limits'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import type { Attention } from '../attention.ts'
import { LocationNotes } from './location-notes.tsx'
import { type LocationDraft, readLat, readLon } from './location-draft.ts'
import { useDeviceUpdate } from './use-device-update.ts'
import { useLocationForm } from './use-location-form.ts'

/** How much of the Earth is shown around a place that was just saved. */
const spanDeg = 40

export function LocationForm({ attention }: { attention: Attention }) {
  const update = useDeviceUpdate()
  const form = useLocationForm({
    onSaved: (location) => {
      attention.lookAt({ latDeg: location.lat, lonDeg: location.lon, spanDeg })
      update.send(location)
    },
    onCleared: update.forget,
  })
  const messageId = useId()
  const { draft } = form

  const field = (name: keyof LocationDraft, label: string, input: ComponentProps<typeof Input>) => (
    <Field label={label}>
      {(wiring) => (
        <Input
          autoComplete="off"
          {...wiring}
          {...input}
          name={name}
          value={draft[name]}
          onChange={(event) => form.change({ [name]: event.target.value })}
        />
      )}
    </Field>
  )
  const degrees = (name: 'lat' | 'lon', label: string, read: typeof readLat) =>
    field(name, label, {
      inputMode: 'decimal',
      'aria-describedby': messageId,
      'aria-invalid': (draft[name].trim() !== '' && read(draft[name]) === undefined) || undefined,
    })

  return (
    <form
      noValidate
      aria-label="My location"
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        form.save()
      }}
    >
      {field('label', 'Label', { maxLength: labelMaxLength })}
      <div className="grid items-start gap-x-3 gap-y-4 @2xs:grid-cols-2">
        {degrees('lat', 'Latitude', readLat)}
        {degrees('lon', 'Longitude', readLon)}
      </div>
      <Button
        variant="link"
        size="sm"
        busy={form.isLocating}
        className="-mt-1 self-start"
        onClick={() => void form.locate()}
      >
        {!form.isLocating && <LocateFixed aria-hidden />}
        {form.isLocating ? 'Locating…' : 'Use current location'}
      </Button>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={!form.canSave} aria-describedby={messageId}>
          Save
        </Button>
        <Button variant="outline" onClick={form.clear}>
          Clear
        </Button>
      </div>
      <LocationNotes messageId={messageId} form={form} update={update} />
    </form>
  )
}
