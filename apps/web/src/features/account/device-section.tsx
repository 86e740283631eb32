import type { OwnDevice } from '@astropelago/contract/devices'
import { type ReactNode, useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'
import type { DeviceAction } from '../../devices/actions/device-action.ts'
import { DeviceList, type DeviceStrips } from './device-list.tsx'

interface DeviceSectionProps {
  title: string
  description: string
  /** Shown if there are no devices. */
  empty: ReactNode
  devices: readonly OwnDevice[]
  /** Whether devices exist but none match the search. */
  isNoneFound: boolean
  /** The last 30 days of each device, by id. */
  strips: DeviceStrips
  nowMs: number
  onAction: (action: DeviceAction) => void
}

export function DeviceSection(props: DeviceSectionProps) {
  const { title, description, empty, devices, strips, isNoneFound, nowMs, onAction } = props
  const headingId = useId()
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title={title} description={description} />
      {devices.length === 0 && (isNoneFound ? <NoneFound /> : empty)}
      {devices.length > 0 && (
        <DeviceList
          title={title}
          devices={devices}
          strips={strips}
          nowMs={nowMs}
          onAction={onAction}
        />
      )}
    </Card>
  )
}

function NoneFound() {
  return <p className="text-sm text-muted">Nothing here matches your search.</p>
}
