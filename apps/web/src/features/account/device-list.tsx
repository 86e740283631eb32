import type { OwnDevice } from '@astropelago/contract/devices'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { DeviceLink } from '../../ui/device-link.tsx'
import { formatCoordinate } from '../../lib/format-coordinate.ts'
import type { DeviceAction } from './device-action.ts'
import { DeviceButtons } from './device-buttons.tsx'
import { DeviceId, DeviceStatus, PlaceForOthers } from './device-facts.tsx'

interface DeviceListProps {
  title: string
  devices: readonly OwnDevice[]
  nowMs: number
  onAction: (action: DeviceAction) => void
}

/** A table, or cards where a table would have to be scrolled sideways to reach its buttons. */
export function DeviceList(props: DeviceListProps) {
  const hasRoom = useMediaQuery('(min-width: 64rem)')
  return hasRoom ? <DeviceTable {...props} /> : <DeviceCards {...props} />
}

const columns = [
  { name: 'ID' },
  { name: 'Label' },
  { name: 'Lat', numeric: true },
  { name: 'Lon', numeric: true },
  { name: 'Status' },
  { name: 'Link' },
  { name: 'Actions', hidden: true },
]

function DeviceTable({ title, devices, nowMs, onAction }: DeviceListProps) {
  return (
    <Table caption={title} columns={columns}>
      {devices.map((device) => (
        <TableRow key={device.id}>
          <TableCell className="w-28">
            <DeviceId id={device.id} />
          </TableCell>
          <TableCell className="min-w-40 font-medium">
            <bdi className="wrap-anywhere">{device.label}</bdi>
            <PlaceForOthers device={device} />
          </TableCell>
          <TableCell numeric className="w-20">
            {formatCoordinate(device.lat)}
          </TableCell>
          <TableCell numeric className="w-20">
            {formatCoordinate(device.lon)}
          </TableCell>
          <TableCell className="w-40">
            <DeviceStatus device={device} nowMs={nowMs} />
          </TableCell>
          <TableCell className="w-44 max-w-44">
            <DeviceLink link={device.link} />
          </TableCell>
          <TableCell className="w-40 pl-0">
            <DeviceButtons device={device} onAction={onAction} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  )
}

function DeviceCards({ title, devices, nowMs, onAction }: DeviceListProps) {
  return (
    <ul aria-label={title} className="flex flex-col">
      {devices.map((device) => (
        <li
          key={device.id}
          className="flex min-w-0 flex-col gap-3 border-b border-line py-4 first:pt-0 last:border-0 last:pb-0"
        >
          <div className="flex min-w-0 items-start justify-between gap-4">
            <div className="flex min-w-0 flex-col gap-0.5">
              <bdi className="font-medium wrap-anywhere">{device.label}</bdi>
              <DeviceId id={device.id} />
            </div>
            <DeviceStatus device={device} nowMs={nowMs} />
          </div>
          <dl
            data-numeric
            className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm [&_dt]:text-muted"
          >
            <dt>Lat, lon</dt>
            <dd>
              {formatCoordinate(device.lat)}, {formatCoordinate(device.lon)}
              <PlaceForOthers device={device} />
            </dd>
            <dt>Link</dt>
            <dd className="flex min-w-0">
              <DeviceLink link={device.link} />
            </dd>
          </dl>
          <div className="-ml-3">
            <DeviceButtons device={device} onAction={onAction} />
          </div>
        </li>
      ))}
    </ul>
  )
}
