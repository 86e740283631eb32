import type { OwnDevice } from '@astropelago/contract/devices'
import { type ReactNode, useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'
import type { DeviceAction } from '../devices/actions/device-action.ts'
import { DeviceList, type DeviceStrips } from './device-list.tsx'

interface DeviceSectionProps {
  title: string
  description: string
  /** What stands there when there are none. */
  empty: ReactNode
  devices: readonly OwnDevice[]
  /** Whether there are some, but none that was searched for. */
  isNoneFound: boolean
  /** Their last 30 days, by id. */
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
