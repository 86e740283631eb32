import { setImmediate as otherWork } from 'node:timers/promises'
import type { IslandCard } from '@astropelago/contract/islands'
import { chartIslandsMax } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import { allListed, placeAfter } from './directory-order.ts'
import type { ListedIslands } from './listed-islands.ts'

/** Islands processed before other work gets a turn: with four routes each, about 0.5 ms. */
const islandsPerTurn = 1000

interface Chart {
  readonly islands: IslandCard[]
  readonly routes: [from: number, to: number][]
  readonly total: number
}

interface Node {
  readonly key: number
  readonly degree: number
  readonly publishedMs: number
}

/** The islands with the most routes. The choice may be some seconds old; their details are current. */
export function islandChart(listed: ListedIslands, clock: Clock): () => Promise<Chart> {
  const chosen = new PacedAnswer({
    make: () => chooseCharted(listed),
    clock,
  })
  return async () => {
    const keys = (await chosen.get()).filter((key) => listed.has(key))
    const places = new Map(keys.map((key, place) => [key, place]))
    return {
      islands: listed.cards(keys),
      routes: keys.flatMap((key, from) =>
        (listed.facts(key)?.neighbourKeys ?? []).flatMap((neighbour): [number, number][] => {
          const to = places.get(neighbour)
          return to === undefined ? [] : [[from, to]]
        }),
      ),
      total: listed.count,
    }
  }
}

async function chooseCharted(listed: ListedIslands): Promise<readonly number[]> {
  const degrees = await countRoutes(listed)
  const chosen: Node[] = []
  let seen = 0
  for (const [key, degree] of degrees) {
    seen += 1
    if (seen % islandsPerTurn === 0) await otherWork()
    const facts = listed.facts(key)
    if (facts === undefined) continue
    keepBest(chosen, { key, degree, publishedMs: facts.publishedMs ?? 0 })
  }
  const keys = chosen.map(({ key }) => key)
  const taken = new Set(keys)
  // If few islands have routes, fill up with the newest.
  const newest = listed.order.newest(allListed, undefined, chartIslandsMax).keys
  return [...keys, ...newest.filter((key) => !taken.has(key))].slice(0, chartIslandsMax)
}

/** How many routes lead from and to each listed island that has any. */
async function countRoutes(listed: ListedIslands): Promise<ReadonlyMap<number, number>> {
  const degrees = new Map<number, number>()
  const count = (key: number) => degrees.set(key, (degrees.get(key) ?? 0) + 1)
  let seen = 0
  for (const key of listed.withRoutes()) {
    seen += 1
    if (seen % islandsPerTurn === 0) await otherWork()
    for (const neighbour of listed.facts(key)?.neighbourKeys ?? []) {
      if (!listed.has(neighbour)) continue
      count(key)
      count(neighbour)
    }
  }
  return degrees
}

function keepBest(best: Node[], node: Node): void {
  best.splice(placeAfter(best, node, compare), 0, node)
  if (best.length > chartIslandsMax) best.pop()
}

function compare(a: Node, b: Node): number {
  return b.degree - a.degree || b.publishedMs - a.publishedMs || a.key - b.key
}
