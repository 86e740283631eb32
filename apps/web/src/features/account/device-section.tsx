import type { OwnDevice } from '@astropelago/contract/devices'
import { type ReactNode, useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { DeviceAction } from './device-action.ts'
import { DeviceList } from './device-list.tsx'

interface DeviceSectionProps {
  title: string
  description: string
  /** What stands there when there are none. */
  empty: ReactNode
  devices: readonly OwnDevice[]
  /** Whether there are some, but none that was searched for. */
  isNoneFound: boolean
  isLoading: boolean
  nowMs: number
  onAction: (action: DeviceAction) => void
}

export function DeviceSection(props: DeviceSectionProps) {
  const { title, description, empty, devices, isNoneFound, isLoading, nowMs, onAction } = props
  const headingId = useId()
  return (
    <Card aria-labelledby={headingId} aria-busy={isLoading || undefined}>
      <CardHeader id={headingId} title={title} description={description} />
      {isLoading && <ListSkeleton />}
      {!isLoading && devices.length === 0 && (isNoneFound ? <NoneFound /> : empty)}
      {devices.length > 0 && (
        <DeviceList title={title} devices={devices} nowMs={nowMs} onAction={onAction} />
      )}
    </Card>
  )
}

function NoneFound() {
  return <p className="text-sm text-muted">None of these matches what you search for.</p>
}

function ListSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-3 w-1/3 rounded-mark" />
      <Skeleton className="h-10 w-full rounded-control" />
      <Skeleton className="h-10 w-full rounded-control" />
    </div>
  )
}
