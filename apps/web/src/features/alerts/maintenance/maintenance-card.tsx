import type { Maintenance } from '@astropelago/contract/alert-maintenance'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ownChecksQuery } from '../../../checks/own-checks-query.ts'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'
import { ownIslandsQuery } from '../../../islands/own-islands-query.ts'
import { formatList } from '../../../language/format.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Card } from '../../../ui/card.tsx'
import { ownAlertsQuery } from '../alerts-query.ts'
import { MaintenanceWindows } from './maintenance-windows.tsx'

export function MaintenanceCard() {
  const query = useQuery(ownAlertsQuery)
  const { maintenance = [], differing = [] } = query.data ?? {}
  const { data: devices = [] } = useQuery(ownDevicesQuery)
  const namesIslands = maintenance.some(({ islands }) => islands !== null)
  const { data: islands = [] } = useQuery({ ...ownIslandsQuery, enabled: namesIslands })
  const namesChecks = maintenance.some(({ checks }) => checks !== null)
  const { data: checks = [] } = useQuery({ ...ownChecksQuery, enabled: namesChecks })
  // Other users' islands have names here only if the user follows them.
  const subjects = [
    ...devices.map(({ id, label }) => ({ id, name: label })),
    ...islands,
    ...checks,
    ...differing,
  ]
  return (
    <Card
      title={t`Maintenance`}
      description={t`During maintenance you get no new alerts. If something is still offline or down when it ends, you get an alert then. Here you plan maintenance for all your devices, islands and checks. To plan it for one of them, go to its page.`}
    >
      {query.isLoading && <Skeleton className="h-16 w-full rounded-control" />}
      {query.data && (
        <MaintenanceWindows
          maintenance={maintenance}
          loadedMs={query.dataUpdatedAt}
          of={{}}
          subjectOf={(each) => subjectOf(each, subjects)}
        />
      )}
      <ListFailure query={query} of="maintenance" />
    </Card>
  )
}

function subjectOf(
  { devices, islands, checks }: Maintenance,
  subjects: readonly { readonly id: string; readonly name: string }[],
): string {
  if (devices === null && islands === null && checks === null) return t`Everything`
  const [only, ...others] = [...(devices ?? []), ...(islands ?? []), ...(checks ?? [])]
  const named = others.length === 0 ? subjects.find(({ id }) => id === only) : undefined
  if (named !== undefined) return named.name
  const deviceCount = devices?.length ?? 0
  const islandCount = islands?.length ?? 0
  const checkCount = checks?.length ?? 0
  const counts = [
    deviceCount > 0 && plural(deviceCount, { one: '# device', other: '# devices' }),
    islandCount > 0 && plural(islandCount, { one: '# island', other: '# islands' }),
    checkCount > 0 && plural(checkCount, { one: '# check', other: '# checks' }),
  ]
  return formatList(counts.filter((count) => count !== false))
}
