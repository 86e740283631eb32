import { setImmediate as otherWork } from 'node:timers/promises'
import {
  directoryPageLength,
  getIslandChart,
  listCarriedIslands,
  listIslands,
} from '@astropelago/contract/island-directory'
import { chartIslandsMax } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { matchesEtag } from '../../../http/negotiation.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import { allListed, fits, placeAfter, type DirectoryPlace } from './directory-order.ts'
import type { ListedIslands } from './listed-islands.ts'

interface DirectoryParts {
  readonly listed: ListedIslands
  readonly readCarried: () => Promise<{ readonly etag: string; readonly json: Buffer }>
  readonly clock: Clock
  readonly whenTakenOver: () => Promise<void>
}

export async function directoryRoutes(
  app: FastifyInstance,
  serve: Serve,
  { listed, readCarried, clock, whenTakenOver }: DirectoryParts,
) {
  serve(app, listIslands, async ({ query }) => {
    const { kind, slug, state, access, sort, after } = query
    const place = after === undefined ? undefined : readPlace(after)
    await whenTakenOver()
    const filter = { kind, isOpenOnly: state === 'open', isPublicOnly: access === 'public' }
    if (slug !== undefined) {
      const card = listed.cardBySlug(slug)
      const islands = card !== undefined && fits(card, filter) ? [card] : []
      return { status: 200, body: { islands, total: islands.length, next: null } }
    }
    const { keys, next } =
      sort === 'open'
        ? listed.order.openFirst(filter, place, directoryPageLength)
        : listed.order.newest(filter, place, directoryPageLength)
    return {
      status: 200,
      body: {
        islands: listed.cards(keys),
        total: listed.order.count(filter),
        next: next === undefined ? null : writePlace(next),
      },
    }
  })

  const readChart = islandChart(listed, clock)
  serve(app, getIslandChart, async () => {
    await whenTakenOver()
    return { status: 200, body: await readChart() }
  })

  serve(
    app,
    listCarriedIslands,
    async ({ request, reply }) => {
      await whenTakenOver()
      const { etag, json } = await readCarried()
      reply.header('cache-control', 'no-cache').header('etag', etag)
      if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304 }
      reply.type('application/json; charset=utf-8').send(json)
      return undefined
    },
    { answersHead: true },
  )
}

function writePlace({ isOpen, publishedMs, id }: DirectoryPlace): string {
  return `${isOpen ? 'o' : 'c'}${publishedMs}-${id}`
}

const placePattern = /^([oc])(\d{1,15})-(.+)$/

function readPlace(text: string): DirectoryPlace {
  const [, state, publishedMs, id] = placePattern.exec(text) ?? []
  if (id === undefined) throw new DomainError('invalid_input')
  return { isOpen: state === 'o', publishedMs: Number(publishedMs), id }
}

/** Islands processed before other work gets a turn: with four routes each, about 0.5 ms. */
const islandsPerTurn = 1000

interface Node {
  readonly key: number
  readonly degree: number
  readonly publishedMs: number
}

/** The islands with the most routes. The choice may be some seconds old; their details are current. */
function islandChart(listed: ListedIslands, clock: Clock) {
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

/** Only of islands that have any. */
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
