import type { OwnDevice } from '@astropelago/contract/devices'
import EyeOff from 'virtual:icon/eye-off'
import { formatCoordinate } from '../../lib/format-coordinate.ts'
import { paths } from '../../paths.ts'
import { NameLink } from '../../lib/name-link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'

const shownIdLength = 12

export function DeviceId({ id }: { id: string }) {
  return (
    <span title={id} className="font-mono text-xs whitespace-nowrap text-muted">
      {id.slice(0, shownIdLength)}
    </span>
  )
}

/** Links to the device's page. */
export function DeviceName({ device: { id, label } }: { device: OwnDevice }) {
  return (
    <NameLink to={paths.device(id)} className="wrap-anywhere">
      {label}
    </NameLink>
  )
}

export function DeviceStatus({ device, nowMs }: { device: OwnDevice; nowMs: number }) {
  return (
    <div className="flex flex-col">
      <StatusBadge status={device.status} />
      <span className="pl-5 text-xs whitespace-nowrap text-muted">
        {device.lastSeenAt === null ? (
          'never seen'
        ) : (
          <>
            seen <TimeAgo at={device.lastSeenAt} nowMs={nowMs} />
          </>
        )}
      </span>
    </div>
  )
}

/** Says that the operator has hidden the device from other users, and why. */
export function HiddenNote({ device: { hidden } }: { device: OwnDevice }) {
  if (hidden === null) return null
  return (
    <span className="mt-1 flex max-w-xl items-start gap-2 text-xs font-normal text-danger">
      <EyeOff aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0">
        Hidden from everybody else by whoever runs this server:{' '}
        <q className="whitespace-pre-line wrap-anywhere text-ink quotes-none">{hidden.reason}</q>
      </span>
    </span>
  )
}

/** The position that other users see, if it differs from the owner's view. */
export function PlaceForOthers({ device }: { device: OwnDevice }) {
  const { lat, lon, publicLat, publicLon, visibility, hidden } = device
  if (visibility === 'private' || hidden !== null || (lat === publicLat && lon === publicLon))
    return null
  return (
    <span className="block text-xs font-normal text-muted" data-numeric>
      Others see {formatCoordinate(publicLat)}, {formatCoordinate(publicLon)}
    </span>
  )
}
