import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { useOwnStrips } from '../../devices/device-queries.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { NameLink } from '../../lib/name-link.tsx'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { DayStrip } from '../../ui/day-columns.tsx'
import { deviceWords } from '../../ui/history-days.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Account shows the other devices. */
const shownDevices = 6
const freshMs = 60_000

export function StripsPanel() {
  const query = useQuery({ ...ownDevicesQuery, refetchInterval: freshMs })
  const strips = useOwnStrips()
  const devices = query.data ?? []
  const count = devices.length
  if (count === 0) return <ListFailure query={query} of="devices" />
  return (
    <Card title={t`Your devices`} description={t`Their last 30 days.`}>
      <ul
        aria-label={t`Your devices`}
        className="grid gap-x-10 gap-y-4 sm:grid-cols-2 lg:grid-cols-1"
      >
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
      {count > shownDevices && (
        <p className="text-sm text-muted">
          <Trans>
            {shownDevices} of {count}: the others are on your account page.
          </Trans>
        </p>
      )}
    </Card>
  )
}
