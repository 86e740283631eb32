import type { Visibility } from '@astropelago/contract/devices'
import { useId } from 'react'
import Globe from 'virtual:icon/globe'
import Lock from 'virtual:icon/lock'
import { RadioCard } from '../ui/radio-card.tsx'

interface VisibilityFieldProps {
  value: Visibility
  onChange: (value: Visibility) => void
}

const choices = [
  {
    value: 'public',
    name: 'Public',
    Icon: Globe,
    audience: 'Everyone on the internet sees its label, place, status and link.',
  },
  { value: 'private', name: 'Private', Icon: Lock, audience: 'Only you see it.' },
] as const

/** Public or private, with who can then see the device's place. */
export function VisibilityField({ value, onChange }: VisibilityFieldProps) {
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium text-ink">Visibility</legend>
      <p className="text-xs text-muted">Everybody sees a device, unless you make it private.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {choices.map(({ value: choice, name, Icon, audience }) => (
          <RadioCard
            key={choice}
            name={id}
            value={choice}
            checked={value === choice}
            onChange={() => onChange(choice)}
            aria-labelledby={`${id}-${choice}`}
            aria-describedby={`${id}-${choice}-audience`}
          >
            <span className="flex min-w-0 flex-col gap-0.5">
              <span
                id={`${id}-${choice}`}
                className="flex items-center gap-2 text-sm font-medium text-ink"
              >
                {name}
                <Icon aria-hidden className="size-3.5 text-muted" />
              </span>
              <span id={`${id}-${choice}-audience`} className="text-xs text-muted">
                {audience}
              </span>
            </span>
          </RadioCard>
        ))}
      </div>
    </fieldset>
  )
}
