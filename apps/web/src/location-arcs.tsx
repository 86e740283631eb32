import { getCheckArcs } from '@astropelago/contract/check-locations'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { call } from './lib/call.ts'
import { NameLink } from './lib/name-link.tsx'
import { queryKeys } from './lib/query-keys.ts'
import { paths } from './paths.ts'
import { Card } from './ui/card.tsx'
import { NearPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchGlobe = async () => (await import('./features/observatory/arcs-globe.tsx')).ArcsGlobe

interface LocationArcsProps {
  of: 'checks' | 'islands' | 'devices'
  id: string
}

/** Which public devices look at it, on a globe and in a list. Nothing if none does. */
export function LocationArcs({ of, id }: LocationArcsProps) {
  const { data: arcs } = useQuery({
    queryKey: [...queryKeys.checks, 'arcs', of, id],
    queryFn: ({ signal }) => call(getCheckArcs, { params: { of, id }, signal }),
  })
  if (arcs === undefined || arcs.locations.length === 0) return null
  const { target, locations } = arcs
  return (
    <Card
      title={t`Watched from`}
      description={t`Members’ devices that looked in the last 24 hours, and that are public.`}
    >
      <NearPanel
        what={t`The globe`}
        fetchPanel={fetchGlobe}
        panelProps={{ arcs }}
        skeleton={<Skeleton className="h-72 w-full rounded-control" />}
      />
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {locations.map((device) => (
          <li key={device.id}>
            <NameLink to={paths.device(device.id)}>{device.label}</NameLink>
          </li>
        ))}
      </ul>
      {target !== null && (
        <p className="text-sm text-muted">
          <Trans>
            What they look at is drawn at the place of{' '}
            <NameLink to={paths.device(target.id)}>{target.label}</NameLink>.
          </Trans>
        </p>
      )}
    </Card>
  )
}
