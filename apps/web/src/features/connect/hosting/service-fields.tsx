import { useId } from 'react'
import type { ApiForm } from '../../../lib/forms/use-api-form.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { Hosting } from './kept-hosting.ts'
import type { TypedField } from './typed-service.ts'

const kinds = [
  { kind: 'address', name: 'A service', about: 'A program on the device that listens on a port.' },
  { kind: 'folder', name: 'A folder', about: 'A folder on the device with pages or files.' },
] as const

interface ServiceFieldsProps {
  form: ApiForm<Hosting>
  /** Whether an island that the device carries has a port of its own. */
  hasPort: boolean
}

/** The fields for what the device hosts. */
export function ServiceFields({ form, hasPort }: ServiceFieldsProps) {
  const { kind: chosen, isListing } = form.values
  /** Nothing can be hosted with a wrong text, so its note is shown as an error. */
  const text = (name: TypedField) => {
    const { note, error, ...input } = form.text(name)
    return { ...input, error: error ?? note }
  }
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <fieldset className="min-w-0">
        <legend className="mb-2 text-sm font-medium text-ink">What does it host?</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {kinds.map(({ kind, name, about }) => (
            <RadioCard
              key={kind}
              name={id}
              checked={chosen === kind}
              onChange={() => form.change({ kind })}
              aria-labelledby={`${id}-${kind}`}
              aria-describedby={`${id}-${kind}-about`}
            >
              <span className="flex min-w-0 flex-col gap-0.5">
                <span id={`${id}-${kind}`} className="text-sm font-medium text-ink">
                  {name}
                </span>
                <span id={`${id}-${kind}-about`} className="text-xs text-muted">
                  {about}
                </span>
              </span>
            </RadioCard>
          ))}
        </div>
      </fieldset>
      {chosen === 'address' ? (
        <TextField
          label="Port or address"
          className="sm:max-w-96"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="The port of the program on the device, such as 8080, or an address that the device can open, such as http://192.168.1.20:3000."
          {...text('address')}
          name="service"
        />
      ) : (
        <>
          <TextField
            label="Folder"
            className="sm:max-w-96"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint="It should have an index.html. Files whose names begin with a dot are not shown."
            {...text('folder')}
          />
          <Checkbox
            label="Show a list of files in folders without an index.html"
            checked={isListing}
            onChange={({ target }) => form.change({ isListing: target.checked })}
          />
        </>
      )}
      {hasPort && (
        <TextField
          label="For games and other programs"
          className="sm:max-w-96"
          optional
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="The port of your game on the device, such as 25565 for Minecraft. The port of your island leads to it."
          {...text('tcp')}
        />
      )}
    </div>
  )
}
