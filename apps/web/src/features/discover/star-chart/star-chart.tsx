import { useMemo } from 'react'
import { Link } from 'react-router'
import MapIcon from 'virtual:icon/map'
import { useIslandChart } from '../../../islands/chart-query.ts'
import { useLiveListedIslands } from '../../../islands/follow-listed-islands.ts'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { LoadedList } from '../../../ui/loaded-list.tsx'
import { type ChartIsland, chartIslands, type IslandChart } from './chart-islands.ts'
import { ChartList } from './chart-list.tsx'
import { ChartPanel } from './chart-panel.tsx'

const noIslands: readonly ChartIsland[] = []

/** Listed islands and the routes between them, as a chart and as a list. */
export function StarChart() {
  const query = useIslandChart()
  useLiveListedIslands()
  const chart = query.data
  const islands = useMemo(() => (chart === undefined ? noIslands : chartIslands(chart)), [chart])
  return (
    <LoadedList
      of="The chart"
      query={query}
      isEmpty={islands.length === 0}
      skeleton={<Skeleton className="h-[36rem] w-full rounded-card" />}
      empty={<NoChart />}
    >
      {chart !== undefined && (
        <>
          <Tabs
            label="How to look at the chart"
            tabs={[
              { name: 'Chart', content: <ChartPanel chart={chart} islands={islands} /> },
              { name: 'List', content: <ChartList islands={islands} /> },
            ]}
          />
          <p className="text-sm text-muted" data-numeric>
            {extentSentence(chart)}
          </p>
        </>
      )}
    </LoadedList>
  )
}

function extentSentence({ islands, routes, total }: IslandChart): string {
  const shown =
    total > islands.length
      ? `The ${islands.length} islands with the most routes, of ${total.toLocaleString('en')}`
      : counted(islands.length, 'island')
  const between =
    routes.length === 0
      ? 'no routes yet. A host draws them in the settings of an island'
      : counted(routes.length, 'route')
  return `${shown}, ${between}.`
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}

function NoChart() {
  return (
    <EmptyState icon={<MapIcon aria-hidden />} title="The chart is empty">
      <p>
        The chart shows islands that everybody can find, and the routes that their hosts draw
        between them. There are none yet.
      </p>
      <Link to={paths.newIsland()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
        Make an island
      </Link>
    </EmptyState>
  )
}
