import { useId } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { TypedField, TypedService } from './typed-service.ts'

const kinds = [
  { kind: 'address', name: 'A service', about: 'Something that runs and listens on a port.' },
  { kind: 'folder', name: 'A folder', about: 'Pages and files, as they lie there.' },
] as const

interface ServiceFieldsProps {
  typed: TypedService
  /** What is said to be wrong with a field. */
  troubleFor: (field: TypedField) => string | undefined
  /** Whether an island that the device carries has a port of its own. */
  hasPort: boolean
  onType: (typed: TypedService) => void
  onLeave: (field: TypedField) => void
}

/** What the device hosts. */
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
          hint="Its port on this device, such as 8080, or an address that the device reaches, such as http://192.168.1.20:3000."
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
            hint="With an index.html in it. Files whose names begin with a dot stay hidden."
            error={troubleFor('folder')}
            value={typed.folder}
            onChange={(folder) => onType({ ...typed, folder })}
            onBlur={() => onLeave('folder')}
          />
          <Checkbox
            label="List the files of folders that have no index.html"
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
          hint="What your island’s own port leads to: a port on this device, such as 25565 for Minecraft."
          error={troubleFor('tcp')}
          value={typed.tcp}
          onChange={(tcp) => onType({ ...typed, tcp })}
          onBlur={() => onLeave('tcp')}
        />
      )}
    </div>
  )
}
