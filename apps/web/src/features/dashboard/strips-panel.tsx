import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { paths } from '../../paths.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { DayStrip } from '../../ui/day-strip.tsx'
import { deviceWords } from '../../ui/history-days.ts'
import { NameLink } from '../../lib/name-link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ListFailure } from '../../lib/list-failure.tsx'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { useOwnStrips } from '../../devices/device-queries.ts'

/** Account shows the other devices. */
const shownDevices = 6
const freshMs = 60_000

/** The user's devices with their last 30 days, each linked to its page. Nothing if there are none. */
export function StripsPanel() {
  const titleId = useId()
  const query = useQuery({ ...ownDevicesQuery, refetchInterval: freshMs })
  const strips = useOwnStrips()
  const devices = query.data ?? []
  if (devices.length === 0) return <ListFailure query={query} of="devices" />
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title="Your devices" description="Their last 30 days." />
      <ul aria-labelledby={titleId} className="grid gap-x-10 gap-y-4 sm:grid-cols-2 lg:grid-cols-1">
        {devices.slice(0, shownDevices).map(({ id, label, status }) => (
          <li key={id} className="flex min-w-0 flex-col gap-1.5">
            <span className="flex min-w-0 items-center justify-between gap-3 text-sm">
              <NameLink to={paths.device(id)} className="truncate">
                {label}
              </NameLink>
              <StatusBadge status={status} />
            </span>
            <DayStrip days={strips?.get(id)} words={deviceWords} />
          </li>
        ))}
      </ul>
      {devices.length > shownDevices && (
        <p className="text-sm text-muted">
          {shownDevices} of {devices.length}: the others are on your account page.
        </p>
      )}
    </Card>
  )
}
