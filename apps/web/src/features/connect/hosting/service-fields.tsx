import { useId } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { TypedField, TypedService } from './typed-service.ts'

const kinds = [
  { kind: 'address', name: 'A service', about: 'A program on the device that listens on a port.' },
  { kind: 'folder', name: 'A folder', about: 'A folder on the device with pages or files.' },
] as const

interface ServiceFieldsProps {
  typed: TypedService
  /** The error message of a field. */
  troubleFor: (field: TypedField) => string | undefined
  /** Whether an island that the device carries has a port of its own. */
  hasPort: boolean
  onType: (typed: TypedService) => void
  onLeave: (field: TypedField) => void
}

/** The fields for what the device hosts. */
export function ServiceFields(props: ServiceFieldsProps) {
  const { typed, troubleFor, hasPort, onType, onLeave } = props
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
              checked={typed.kind === kind}
              onChange={() => onType({ ...typed, kind })}
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
      {typed.kind === 'address' ? (
        <TextField
          label="Port or address"
          name="service"
          className="sm:max-w-96"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="The port of the program on the device, such as 8080, or an address that the device can open, such as http://192.168.1.20:3000."
          error={troubleFor('address')}
          value={typed.address}
          onChange={(address) => onType({ ...typed, address })}
          onBlur={() => onLeave('address')}
        />
      ) : (
        <>
          <TextField
            label="Folder"
            name="folder"
            className="sm:max-w-96"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint="It should have an index.html. Files whose names begin with a dot are not shown."
            error={troubleFor('folder')}
            value={typed.folder}
            onChange={(folder) => onType({ ...typed, folder })}
            onBlur={() => onLeave('folder')}
          />
          <Checkbox
            label="Show a list of files in folders without an index.html"
            checked={typed.isListing}
            onChange={({ target }) => onType({ ...typed, isListing: target.checked })}
          />
        </>
      )}
      {hasPort && (
        <TextField
          label="For games and other programs"
          name="tcp"
          className="sm:max-w-96"
          optional
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="The port of your game on the device, such as 25565 for Minecraft. The port of your island leads to it."
          error={troubleFor('tcp')}
          value={typed.tcp}
          onChange={(tcp) => onType({ ...typed, tcp })}
          onBlur={() => onLeave('tcp')}
        />
      )}
    </div>
  )
}
