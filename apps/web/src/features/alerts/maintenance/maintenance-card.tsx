import type { Maintenance } from '@astropelago/contract/alert-maintenance'
import type { OwnDevice } from '@astropelago/contract/devices'
import { useQuery } from '@tanstack/react-query'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../devices/list-failure.tsx'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { useNow } from '../../devices/use-now.ts'
import { ownAlertsQuery } from '../alerts-query.ts'
import { MaintenanceList } from './maintenance-list.tsx'
import { PlanMaintenance } from './plan-maintenance.tsx'

const clockMs = 30_000
const headingId = 'maintenance-heading'

/** When the user wants to hear nothing new, of some things or of all. */
export function MaintenanceCard() {
  const query = useQuery(ownAlertsQuery)
  const { data: devices = [] } = useQuery(ownDevicesQuery)
  const nowMs = useNow(clockMs)
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Maintenance"
        description="While it lasts nothing new is told. What is still away at its end is told then, and what was told before is still told as back. Here you plan it for everything; for one device or island it is on its page."
      />
      {query.isLoading && <Skeleton className="h-16 w-full rounded-control" />}
      {query.data && (
        <>
          <MaintenanceList
            label="Maintenance"
            maintenance={query.data.maintenance}
            nowMs={nowMs}
            subjectOf={(maintenance) => subjectOf(maintenance, devices)}
          />
          <PlanMaintenance of={{}} />
        </>
      )}
      <ListFailure query={query} of="maintenance" />
    </Card>
  )
}

function subjectOf({ devices, islands }: Maintenance, own: readonly OwnDevice[]): string {
  if (devices === null && islands === null) return 'Everything'
  const named = devices?.map((id) => own.find((device) => device.id === id)?.label) ?? []
  const [only] = named
  if (named.length === 1 && only !== undefined && islands === null) return only
  return [counted(named.length, 'device'), counted(islands?.length ?? 0, 'island')]
    .filter((part) => part !== undefined)
    .join(' and ')
}

function counted(count: number, thing: string): string | undefined {
  return count === 0 ? undefined : `${count} ${thing}${count === 1 ? '' : 's'}`
}
