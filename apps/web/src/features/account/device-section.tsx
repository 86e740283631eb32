import type { OwnDevice } from '@astropelago/contract/devices'
import { Satellite } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { DeviceAction } from './device-action.ts'
import { DeviceList } from './device-list.tsx'

interface DeviceSectionProps {
  title: string
  description: string
  /** What it says when there are none. */
  empty: string
  /** Undefined before the first list has come. */
  devices: readonly OwnDevice[] | undefined
  isLoading: boolean
  nowMs: number
  onAction: (action: DeviceAction) => void
}

export function DeviceSection(props: DeviceSectionProps) {
  const { title, description, empty, devices = [], isLoading, nowMs, onAction } = props
  const headingId = useId()
  return (
    <Card aria-labelledby={headingId} aria-busy={isLoading || undefined}>
      <CardHeader id={headingId} title={title} description={description} />
      {isLoading && <ListSkeleton />}
      {!isLoading && devices.length === 0 && (
        <EmptyState icon={<Satellite aria-hidden />} title={empty}>
          <p>Register one above, or let Connect lead you from a name to its first heartbeat.</p>
          <Link to={paths.connect()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
            Connect a device
          </Link>
        </EmptyState>
      )}
      {devices.length > 0 && (
        <DeviceList title={title} devices={devices} nowMs={nowMs} onAction={onAction} />
      )}
    </Card>
  )
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
