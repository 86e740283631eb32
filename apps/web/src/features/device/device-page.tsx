import type { OwnDevice } from '@astropelago/contract/devices'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../lib/api-error.ts'
import { FeedMark } from '../../lib/live-feed/feed-mark.tsx'
import { useSession } from '../../lib/session.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ListFailure } from '../../lib/list-failure.tsx'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { DeviceEmbeds } from './device-embeds.tsx'
import { DeviceHeader } from './device-header.tsx'
import { DevicePast } from './device-past.tsx'
import { deviceQuery } from '../../devices/device-queries.ts'
import { LastReport } from './last-report.tsx'
import { NoDevice } from './no-device.tsx'
import { OwnerParts } from './owner-parts.tsx'
import { useDeviceChanges } from './use-device-changes.ts'

interface DevicePageProps {
  /** Renders alerts, which belong to another feature, for the device's owner. */
  alertsOf: (device: OwnDevice) => ReactNode
}

/** A device and its history, for everybody who may see it. */
export function DevicePage({ alertsOf }: DevicePageProps) {
  const { id = '' } = useParams()
  return <DeviceAt key={id} id={id} alertsOf={alertsOf} />
}

function DeviceAt({ id, alertsOf }: DevicePageProps & { id: string }) {
  const session = useSession()
  const isSignedIn = session.state === 'signed-in'
  const query = useQuery(deviceQuery(id))
  const ownQuery = useQuery({ ...ownDevicesQuery, enabled: isSignedIn })
  const own = isSignedIn ? ownQuery.data?.find((device) => device.id === id) : undefined
  // Until then it may be the viewer's own private device.
  const isOwnerKnown = session.state === 'signed-out' || (isSignedIn && ownQuery.data !== undefined)
  useDeviceChanges(id, own !== undefined)
  const { data: device, error } = query
  const state = { isBusy: query.isFetching, onLookAgain: () => void query.refetch() }
  // Even while refetching: something the viewer may no longer see must not stay on the screen.
  if (error instanceof ApiError && error.code === 'not_found') return <NoDevice {...state} />
  if (device === undefined) return error === null ? <DeviceSkeleton /> : <NotLoaded {...state} />
  return (
    <div className="flex flex-col gap-6">
      <DeviceHeader device={device} own={own} />
      <FeedMark />
      {own?.report && <LastReport report={own.report} />}
      <DevicePast
        device={device}
        isOwn={own !== undefined}
        beside={
          <>
            {own && <OwnerParts device={own} alerts={alertsOf(own)} />}
            {isOwnerKnown && <DeviceEmbeds device={device} own={own} />}
            {!isOwnerKnown && ownQuery.errorUpdateCount === 0 && (
              <Skeleton className="h-64 w-full rounded-card" />
            )}
            {isSignedIn && <ListFailure query={ownQuery} of="devices" />}
          </>
        }
      />
    </div>
  )
}

function NotLoaded({ isBusy, onLookAgain }: { isBusy: boolean; onLookAgain: () => void }) {
  usePageTitle('Not loaded')
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">This device could not be loaded</h1>
      <p className="text-muted">
        The connection failed, or the server is too busy. The device itself may be fine.
      </p>
      <Button busy={isBusy} onClick={onLookAgain}>
        Try again
      </Button>
    </div>
  )
}

function DeviceSkeleton() {
  usePageTitle('Device')
  return (
    <div data-awaited className="flex flex-col gap-6">
      <output className="sr-only">Loading the device…</output>
      <div className="flex flex-col gap-3 pb-2">
        <Skeleton className="h-10 w-80 max-w-full rounded-control" />
        <Skeleton className="h-5 w-56 rounded-mark" />
      </div>
      <Skeleton className="h-32 w-full rounded-card" />
      <Skeleton className="h-64 w-full rounded-card" />
    </div>
  )
}
