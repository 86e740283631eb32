import { safeLink } from '@astropelago/contract/devices'
import type { getIslandChart } from '@astropelago/contract/island-directory'
import type { IslandCard } from '@astropelago/contract/islands'
import type { Neighbour, NeighbourIsland } from '@astropelago/contract/neighbours'
import type { AnswerBody } from '@astropelago/contract/route'

export interface IslandChart extends AnswerBody<typeof getIslandChart> {
  /** Whose islands those of other installations are, by the island's id. They have no routes. */
  readonly homes?: ReadonlyMap<string, ChartHome>
}

/** Another installation, and the island's page there. */
export interface ChartHome {
  readonly neighbour: Pick<Neighbour, 'id' | 'name' | 'colour'>
  readonly url: string
}

/** An island with its neighbours. Routes count in both directions. */
export interface ChartIsland {
  readonly card: IslandCard
  readonly neighbours: readonly number[]
  /** Absent for islands of this installation. */
  readonly home?: ChartHome
}

export function chartIslands({ islands, routes, homes }: IslandChart): ChartIsland[] {
  const neighbours = islands.map(() => new Set<number>())
  for (const [from, to] of routes) {
    neighbours[from]?.add(to)
    neighbours[to]?.add(from)
  }
  return islands.map((card, at) => {
    const home = homes?.get(card.id)
    return { card, neighbours: [...(neighbours[at] ?? [])], ...(home && { home }) }
  })
}

/** The chart with islands of neighbours after its own. */
export function withNeighbours(
  chart: IslandChart,
  islands: readonly NeighbourIsland[],
  neighbours: readonly Neighbour[],
): IslandChart {
  const homes = new Map<string, ChartHome>()
  const cards = islands.flatMap((island): IslandCard[] => {
    const neighbour = neighbours.find(({ id }) => id === island.neighbour)
    const url = safeLink(island.url)
    if (neighbour === undefined || url === undefined) return []
    homes.set(island.id, { neighbour, url })
    return [{ ...island, host: null, isWatched: true, since: null, pause: null, publishedAt: null }]
  })
  return cards.length === 0 ? chart : { ...chart, islands: [...chart.islands, ...cards], homes }
}

/** Identifies a layout. Islands that open or close don't change it. */
export function layoutKey({ islands, routes }: IslandChart): string {
  return `${islands.map(({ id }) => id).join(' ')}|${routes.join(' ')}`
}
