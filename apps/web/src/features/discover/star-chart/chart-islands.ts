import type { getIslandChart } from '@astropelago/contract/island-directory'
import type { IslandCard } from '@astropelago/contract/islands'
import type { AnswerBody } from '@astropelago/contract/route'

export type IslandChart = AnswerBody<typeof getIslandChart>

/** An island with its neighbours. Routes count in both directions. */
export interface ChartIsland {
  readonly card: IslandCard
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

/** Identifies a layout. Islands that open or close don't change it. */
export function layoutKey({ islands, routes }: IslandChart): string {
  return `${islands.map(({ id }) => id).join(' ')}|${routes.join(' ')}`
}
