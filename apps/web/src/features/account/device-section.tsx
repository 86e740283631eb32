import type { OwnDevice } from '@astropelago/contract/devices'
import { type ReactNode, useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'
import type { DeviceAction } from '../devices/actions/device-action.ts'
import { DeviceList } from './device-list.tsx'

interface DeviceSectionProps {
  title: string
  description: string
  /** What stands there when there are none. */
  empty: ReactNode
  devices: readonly OwnDevice[]
  /** Whether there are some, but none that was searched for. */
  isNoneFound: boolean
  nowMs: number
  onAction: (action: DeviceAction) => void
}

export function DeviceSection(props: DeviceSectionProps) {
  const { title, description, empty, devices, isNoneFound, nowMs, onAction } = props
  const headingId = useId()
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title={title} description={description} />
      {devices.length === 0 && (isNoneFound ? <NoneFound /> : empty)}
      {devices.length > 0 && (
        <DeviceList title={title} devices={devices} nowMs={nowMs} onAction={onAction} />
      )}
    </Card>
  )
}

function NoneFound() {
  return <p className="text-sm text-muted">None of these matches what you search for.</p>
}
