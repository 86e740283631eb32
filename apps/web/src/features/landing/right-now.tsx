import { listPublicDevices } from '@astropelago/contract/devices'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useDirectory } from '../../islands/directory-query.ts'
import { IslandCard } from '../../islands/island-card.tsx'
import { fetchAnswer } from '../../lib/fetch-answer.ts'
import { Section } from './section.tsx'

const devicesEveryMs = 60_000
const islandsShown = 3
const openToEverybody = {
  kind: undefined,
  isOpenOnly: true,
  isPublicOnly: true,
  sort: 'open',
} as const

/** Current figures and a few open islands. Empty if there is nothing to show. */
export function RightNow() {
  const devices = useQuery({
    queryKey: ['public-devices-count'],
    queryFn: ({ signal }) => countDevices(signal),
    refetchInterval: devicesEveryMs,
  })
  const [page] = useDirectory(openToEverybody).data?.pages ?? []
  const { islands = [], total = 0 } = page ?? {}
  const deviceCount = devices.data ?? 0
  if (total + deviceCount === 0) return null
  return (
    <Section id="right-now" title={t`Right now`} lead={countsOf(total, deviceCount)}>
      {islands.length > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {islands.slice(0, islandsShown).map((island) => (
            <li key={island.id} className="min-w-0">
              <IslandCard island={island} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

async function countDevices(signal: AbortSignal): Promise<number> {
  const { headers } = await fetchAnswer(listPublicDevices, {
    isHead: true,
    withoutCookies: true,
    signal,
  })
  return Number(headers.get('x-total-count'))
}

function countsOf(islands: number, devices: number): string {
  if (devices === 0)
    return t`${plural(islands, { one: '# island', other: '# islands' })} open to everybody.`
  if (islands === 0)
    return t`${plural(devices, { one: '# device', other: '# devices' })} on the globe.`
  return t`${plural(islands, { one: '# island', other: '# islands' })} open to everybody, ${plural(devices, { one: '# device', other: '# devices' })} on the globe.`
}
