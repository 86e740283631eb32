import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import EyeOff from 'virtual:icon/eye-off'
import { type DeviceAction, DeviceButtons } from '../../devices/device-buttons.tsx'
import { DeviceLink } from '../../devices/device-link.tsx'
import { formatCoordinate } from '../../lib/format-coordinate.ts'
import { NameLink } from '../../lib/name-link.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { paths } from '../../paths.ts'
import { DayStrip } from '../../ui/day-columns.tsx'
import { deviceWords, type HistoryDay } from '../../ui/history-days.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'

interface DeviceListProps {
  title: string
  devices: readonly OwnDevice[]
  /** The last 30 days of each device, by id; undefined until loaded. */
  strips: ReadonlyMap<string, readonly HistoryDay[]> | undefined
  nowMs: number
  onAction: (action: DeviceAction) => void
}

/** A table, or cards if the table would need sideways scrolling to reach its buttons. */
export function DeviceList(props: DeviceListProps) {
  const hasRoom = useMediaQuery('(min-width: 75rem)')
  return hasRoom ? <DeviceTable {...props} /> : <DeviceCards {...props} />
}

const columns = [
  { name: t`Label` },
  { name: t`ID` },
  { name: t`Lat`, numeric: true },
  { name: t`Lon`, numeric: true },
  { name: t`Status` },
  { name: t`Link` },
  { name: t`Actions`, hidden: true },
]

function DeviceTable({ title, devices, strips, nowMs, onAction }: DeviceListProps) {
  return (
    <Table caption={title} columns={columns}>
      {devices.map((device) => (
        <TableRow key={device.id}>
          <TableCell className="min-w-40 font-medium">
            <DeviceName device={device} />
            <PlaceForOthers device={device} />
            <HiddenNote device={device} />
          </TableCell>
          <TableCell className="w-26">
            <DeviceId id={device.id} />
          </TableCell>
          <TableCell numeric className="w-20">
            {formatCoordinate(device.lat)}
          </TableCell>
          <TableCell numeric className="w-20">
            {formatCoordinate(device.lon)}
          </TableCell>
          <TableCell className="w-40">
            <DeviceStatus device={device} nowMs={nowMs} />
            <DayStrip days={strips?.get(device.id)} words={deviceWords} className="mt-2 h-4 w-30" />
          </TableCell>
          <TableCell className="w-40 max-w-40">
            <DeviceLink link={device.link} />
          </TableCell>
          <TableCell className="w-64 ps-0">
            <DeviceButtons device={device} onAction={onAction} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  )
}

function DeviceCards({ title, devices, strips, nowMs, onAction }: DeviceListProps) {
  return (
    <ul aria-label={title} className="flex flex-col">
      {devices.map((device) => (
        <li
          key={device.id}
          className="flex min-w-0 flex-col gap-3 border-b border-line py-4 first:pt-0 last:border-0 last:pb-0"
        >
          <h3 className="font-medium wrap-anywhere">
            <DeviceName device={device} />
            <HiddenNote device={device} />
          </h3>
          <dl
            data-numeric
            className="grid grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-sm [&_dt]:text-muted"
          >
            <dt>
              <Trans>Status</Trans>
            </dt>
            <dd>
              <DeviceStatus device={device} nowMs={nowMs} />
              <DayStrip
                days={strips?.get(device.id)}
                words={deviceWords}
                className="mt-2 h-4 w-full max-w-48"
              />
            </dd>
            <dt>
              <Trans>Link</Trans>
            </dt>
            <dd className="flex min-w-0 items-start">
              <DeviceLink link={device.link} />
            </dd>
            <dt>
              <Trans>Lat</Trans>
            </dt>
            <dd>{formatCoordinate(device.lat)}</dd>
            <dt>
              <Trans>Lon</Trans>
            </dt>
            <dd>
              {formatCoordinate(device.lon)}
              <PlaceForOthers device={device} />
            </dd>
            <dt>
              <Trans>ID</Trans>
            </dt>
            <dd>
              <DeviceId id={device.id} />
            </dd>
          </dl>
          <div className="-ms-3">
            <DeviceButtons device={device} onAction={onAction} />
          </div>
        </li>
      ))}
    </ul>
  )
}

const shownIdLength = 12

function DeviceId({ id }: { id: string }) {
  return (
    <span title={id} className="font-mono text-xs whitespace-nowrap text-muted">
      {id.slice(0, shownIdLength)}
    </span>
  )
}

function DeviceName({ device: { id, label } }: { device: OwnDevice }) {
  return (
    <NameLink to={paths.device(id)} className="wrap-anywhere">
      {label}
    </NameLink>
  )
}

function DeviceStatus({ device, nowMs }: { device: OwnDevice; nowMs: number }) {
  return (
    <div className="flex flex-col">
      <StatusBadge status={device.status} />
      <span className="ps-5 text-xs whitespace-nowrap text-muted">
        {device.lastSeenAt === null ? (
          <Trans>never seen</Trans>
        ) : (
          <Trans>
            seen <TimeAgo at={device.lastSeenAt} nowMs={nowMs} />
          </Trans>
        )}
      </span>
    </div>
  )
}

function HiddenNote({ device: { hidden } }: { device: OwnDevice }) {
  if (hidden === null) return null
  const reason = (
    <q className="whitespace-pre-line wrap-anywhere text-ink quotes-none">{hidden.reason}</q>
  )
  return (
    <span className="mt-1 flex max-w-xl items-start gap-2 text-xs font-normal text-danger">
      <EyeOff aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0">
        <Trans>Hidden from everybody else by the operator of this server: {reason}</Trans>
      </span>
    </span>
  )
}

function PlaceForOthers({ device }: { device: OwnDevice }) {
  const { lat, lon, publicLat, publicLon, visibility, hidden } = device
  if (visibility === 'private' || hidden !== null || (lat === publicLat && lon === publicLon))
    return null
  const place = `${formatCoordinate(publicLat)}, ${formatCoordinate(publicLon)}`
  return (
    <span className="block text-xs font-normal text-muted" data-numeric>
      <Trans>Others see {place}</Trans>
    </span>
  )
}
