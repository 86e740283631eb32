import type { getIslandChart } from '@astropelago/contract/island-directory'
import type { IslandCard } from '@astropelago/contract/islands'
import type { AnswerBody } from '@astropelago/contract/route'

export type IslandChart = AnswerBody<typeof getIslandChart>

/** An island with the islands that a route joins it to, whichever of the two has named the other. */
export interface ChartIsland {
  readonly card: IslandCard
  /** Places in the chart. */
  readonly neighbours: readonly number[]
}

export function chartIslands({ islands, routes }: IslandChart): ChartIsland[] {
  const neighbours = islands.map(() => new Set<number>())
  for (const [from, to] of routes) {
    neighbours[from]?.add(to)
    neighbours[to]?.add(from)
  }
  return islands.map((card, at) => ({ card, neighbours: [...(neighbours[at] ?? [])] }))
}

/** What decides where islands lie: who opens and closes does not move them. */
export function layoutKey({ islands, routes }: IslandChart): string {
  return `${islands.map(({ id }) => id).join(' ')}|${routes.join(' ')}`
}
