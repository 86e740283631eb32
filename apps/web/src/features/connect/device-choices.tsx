import type { OwnDevice } from '@astropelago/contract/devices'
import { useEffect, useId, useRef } from 'react'
import { RadioCard } from '../../ui/radio-card.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const shownIdLength = 6

interface DeviceChoicesProps {
  devices: readonly OwnDevice[]
  selectedId: string | undefined
  onSelect: (id: string) => void
}

/** The user's devices as a choice. A long list scrolls inside its own box. */
export function DeviceChoices({ devices, selectedId, onSelect }: DeviceChoicesProps) {
  const name = useId()
  const list = useRef<HTMLDivElement>(null)

  // A single device gets the focus, so that one key press selects it.
  const isOnlyWaiting = devices.length === 1 && selectedId === undefined
  useEffect(() => {
    if (isOnlyWaiting) list.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isOnlyWaiting])

  useEffect(() => {
    if (selectedId === undefined) return
    // `scrollIntoView` would scroll the page as well.
    const box = list.current
    const chosen = box?.querySelector<HTMLElement>('label:has(:checked)')
    if (!box || !chosen) return
    const top = chosen.offsetTop
    const isInView =
      top >= box.scrollTop && top + chosen.offsetHeight <= box.scrollTop + box.clientHeight
    if (!isInView) box.scrollTop = top - (box.clientHeight - chosen.offsetHeight) / 2
  }, [selectedId])

  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Your devices</legend>
      <div ref={list} className="relative -m-1 flex max-h-80 flex-col gap-2 overflow-y-auto p-1">
        {devices.map(({ id, label, status }) => (
          <RadioCard
            key={id}
            name={name}
            checked={id === selectedId}
            onChange={() => onSelect(id)}
            onKeyDown={(event) => {
              // Browsers submit the form on Enter, but there is no form here.
              if (event.key === 'Enter') onSelect(id)
            }}
            align="center"
            className="min-h-13 shrink-0"
          >
            <span className="flex min-w-0 flex-1 flex-col gap-x-4 sm:flex-row sm:items-center">
              <bdi className="text-sm font-medium wrap-anywhere">{label}</bdi>
              <span title={id} className="font-mono text-xs text-muted sm:shrink-0">
                {id.slice(0, shownIdLength)}
              </span>
            </span>
            <StatusBadge status={status} />
          </RadioCard>
        ))}
      </div>
    </fieldset>
  )
}
