import { getIslandChart } from '@astropelago/contract/island-directory'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import MapIcon from 'virtual:icon/map'
import { listedIslandsEveryMs } from '../../../islands/directory-query.ts'
import { useLiveListedIslands } from '../../../islands/follow-listed-islands.ts'
import { KindMark, StateMark } from '../../../islands/island-marks.tsx'
import { islandState } from '../../../islands/island-words.ts'
import { isNoted, PauseNote } from '../../../islands/pause-note.tsx'
import { formatNumber } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { LinkButton } from '../../../lib/link-button.tsx'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useAddressParameters } from '../../../lib/use-address-parameters.ts'
import { elsewhere } from '../../../neighbours/elsewhere.ts'
import { NeighbourFilter } from '../../../neighbours/neighbour-filter.tsx'
import { neighbourIslandsQuery } from '../../../neighbours/neighbour-islands-query.ts'
import { NeighbourName } from '../../../neighbours/neighbour-name.tsx'
import {
  idsOf,
  knownFrom,
  useLiveNeighbours,
  useNeighbours,
} from '../../../neighbours/use-neighbours.ts'
import { paths } from '../../../paths.ts'
import { textLinkStyles } from '../../../ui/button-styles.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadedList } from '../../../ui/loaded-list.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import {
  type ChartIsland,
  chartIslands,
  type IslandChart,
  withNeighbours,
} from './chart-islands.ts'
import { ChartPanel } from './chart-panel.tsx'

/** How many islands of neighbours the chart shows, open ones first. */
const neighbourIslands = 60

const noIslands: readonly ChartIsland[] = []

export function StarChart() {
  const query = useQuery({
    queryKey: [...queryKeys.listedIslands, 'chart'],
    queryFn: ({ signal }) => call(getIslandChart, { signal }),
    refetchInterval: listedIslandsEveryMs,
  })
  useLiveListedIslands()
  const [parameters, change] = useAddressParameters()
  const { shown } = useNeighbours()
  useLiveNeighbours()
  const from = knownFrom(parameters.get('from'), shown)
  const theirs = useInfiniteQuery(
    neighbourIslandsQuery({
      isOpenOnly: false,
      isPublicOnly: false,
      of: idsOf(shown, from),
      limit: neighbourIslands,
    }),
  ).data?.pages[0]?.islands
  const own = query.data
  const chart = useMemo(() => {
    if (own === undefined) return undefined
    const here = from === 'all' || from === 'here' ? own : { ...own, islands: [], routes: [] }
    return from === 'here' ? here : withNeighbours(here, theirs ?? [], shown)
  }, [own, theirs, shown, from])
  const islands = useMemo(() => (chart === undefined ? noIslands : chartIslands(chart)), [chart])
  return (
    <>
      <NeighbourFilter
        value={from}
        onChange={(chosen) => change({ from: chosen === 'all' ? '' : chosen })}
        className="flex gap-2 sm:w-72"
      />
      <LoadedList
        of={t`The chart`}
        query={query}
        isEmpty={islands.length === 0}
        skeleton={<Skeleton className="h-[36rem] w-full rounded-card" />}
        empty={
          <EmptyState icon={<MapIcon aria-hidden />} title={t`The chart is empty`}>
            <p>
              <Trans>
                The chart shows islands that everybody can find, and the routes that their hosts
                draw between them. There are none yet.
              </Trans>
            </p>
            <LinkButton to={paths.newIsland()} variant="outline" size="sm">
              <Trans>Make an island</Trans>
            </LinkButton>
          </EmptyState>
        }
      >
        {own !== undefined && chart !== undefined && (
          <>
            <Tabs
              label={t`How to look at the chart`}
              tabs={[
                { name: t`Chart`, content: <ChartPanel chart={chart} islands={islands} /> },
                { name: t`List`, content: <ChartList islands={islands} /> },
              ]}
            />
            <p className="text-sm text-muted" data-numeric>
              {extentSentence(own)}
            </p>
          </>
        )}
      </LoadedList>
    </>
  )
}

function extentSentence({ islands, routes, total }: IslandChart): string {
  const count = islands.length
  const all = formatNumber(total)
  const shownIslands =
    total > count
      ? t`The ${count} islands with the most routes, of ${all}`
      : plural(count, { one: '# island', other: '# islands' })
  if (routes.length === 0) {
    return t`${shownIslands}, no routes yet. A host draws them in the settings of an island.`
  }
  const drawnRoutes = plural(routes.length, { one: '# route', other: '# routes' })
  return t`${shownIslands}, ${drawnRoutes}.`
}

/** The chart as text: each island with its routes. */
function ChartList({ islands }: { islands: readonly ChartIsland[] }) {
  return (
    <ul className="flex flex-col gap-px overflow-hidden rounded-card border border-line bg-line">
      {islands.map(({ card, neighbours, home }) => (
        <li
          key={card.id}
          className="flex flex-col gap-x-6 gap-y-2 bg-panel p-4 sm:flex-row sm:items-start sm:px-5"
        >
          <div className="flex min-w-0 flex-col gap-1 sm:w-72 sm:shrink-0">
            <Link
              to={home?.url ?? paths.island(card.slug)}
              {...(home && elsewhere)}
              dir="auto"
              className="self-start font-medium wrap-anywhere text-ink no-underline hover:underline"
            >
              {card.name}
            </Link>
            <span className="flex flex-wrap gap-x-4 gap-y-1">
              <KindMark kind={card.kind} />
              <StateMark state={islandState(card)} />
            </span>
            {isNoted(card.pause) && (
              <span className="text-sm wrap-anywhere">
                <PauseNote pause={card.pause} />
              </span>
            )}
          </div>
          {home === undefined ? (
            <Routes ends={neighbours.flatMap((at) => islands[at]?.card ?? [])} />
          ) : (
            <NeighbourName neighbour={home.neighbour} className="text-sm" />
          )}
        </li>
      ))}
    </ul>
  )
}

function Routes({ ends }: { ends: readonly ChartIsland['card'][] }) {
  if (ends.length === 0)
    return (
      <p className="text-sm text-muted">
        <Trans>No routes yet.</Trans>
      </p>
    )
  const links = ends.map(({ id, slug, name }, at) => (
    <span key={id}>
      {at > 0 && at < ends.length - 1 && ', '}
      <Link to={paths.island(slug)} className={`wrap-anywhere ${textLinkStyles}`}>
        <bdi>{name}</bdi>
      </Link>
    </span>
  ))
  const last = links.pop()
  return (
    <p className="min-w-0 text-sm text-muted">
      {links.length === 0 ? (
        <Trans>Routes to {last}.</Trans>
      ) : (
        <Trans>
          Routes to {links} and {last}.
        </Trans>
      )}
    </p>
  )
}
