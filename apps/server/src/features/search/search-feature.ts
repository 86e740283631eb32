import { searchesPer10s } from '@astropelago/contract/limits'
import { search, searchLength, type SearchResults } from '@astropelago/contract/search'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { CallLimit } from '../../http/call-limit.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { AccountsFeature } from '../accounts/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { NeighboursFeature } from '../neighbours/public.ts'
import type { Presence } from '../presence/public.ts'
import { postgresSearchStore } from './postgres-search-store.ts'
import { parseSearch, searchRanks, type SearchRank } from './search-query.ts'
import type { SearchStore } from './search-store.ts'
import { sqliteSearchStore } from './sqlite-search-store.ts'

const windowMs = 10_000
/** If this many searches wait, another one would be answered only after its user has typed on. */
const maxAtOnce = 64

interface SearchParts {
  readonly store: SearchStore
  readonly presence: Pick<Presence, 'status'>
  readonly islands: Pick<IslandsFeature, 'readCards' | 'isOpen'>
  readonly neighbours: NeighboursFeature['found']
}

interface SearchRoutesParts extends Pick<AccountsFeature, 'findUser'> {
  readonly serve: Serve
  readonly limits: Pick<RateLimits, 'isExempt'>
}

export function searchFeature(
  { storage, cluster, metrics }: FeatureBase,
  { presence, islands, neighbours }: Omit<SearchParts, 'store'>,
) {
  const store =
    storage.kind === 'postgres'
      ? postgresSearchStore(storage.longReads)
      : sqliteSearchStore(storage.longReads)
  const searches = new CallLimit({ maxCalls: searchesPer10s, windowMs, servers: cluster.size })
  const outcomes = { found: 0, nothing: 0, rate_limited: 0, unavailable: 0 }
  metrics.counter({
    name: 'astropelago_searches_total',
    help: 'Searches since the start, by what became of them',
    labels: ['outcome'],
    read: () =>
      Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
  let atOnce = 0

  return {
    routes: async (app: FastifyInstance, { serve, findUser, limits }: SearchRoutesParts) => {
      serve(app, search, async ({ request, query: { q } }) => {
        const user = await findUser(request)
        const isCounted = user !== undefined || !limits.isExempt(request)
        const waitMs = isCounted ? searches.take(String(user?.userKey ?? addressKey(request))) : 0
        if (waitMs > 0) {
          outcomes.rate_limited += 1
          throw new DomainError('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) })
        }
        if (atOnce >= maxAtOnce) {
          outcomes.unavailable += 1
          throw new DomainError('overloaded')
        }
        atOnce += 1
        try {
          const body = await searchNetwork(
            { store, presence, islands, neighbours },
            user?.userKey ?? null,
            q,
          )
          const count = body.islands.length + body.satellites.length + body.routes.length
          outcomes[count === 0 ? 'nothing' : 'found'] += 1
          return { status: 200, body }
        } catch (error) {
          outcomes.unavailable += 1
          throw error
        } finally {
          atOnce -= 1
        }
      })
    },
  }
}

/** Best first. */
async function searchNetwork(
  { store, presence, islands, neighbours }: SearchParts,
  userKey: number | null,
  text: string,
): Promise<SearchResults> {
  const query = parseSearch(text)
  if (query.folded.length === 0) {
    return {
      islands: [],
      satellites: [],
      neighbourIslands: [],
      neighbourSatellites: [],
      routes: [],
    }
  }
  const [islandHits, ownIslandHits, deviceHits, ownDeviceHits, ...ofNeighbours] = await Promise.all(
    [
      store.findIslands(query),
      userKey === null ? [] : store.findOwnIslands(userKey, query),
      store.findDevices(query),
      userKey === null ? [] : store.findOwnDevices(userKey, query),
      store.findNeighbourIslands(query).then(neighbours.shownIslands),
      store.findNeighbourDevices(query).then(neighbours.shownDevices),
    ],
  )
  const [neighbourIslands, neighbourDevices] = ofNeighbours
  const foundIslands = bestOf(
    [...islandHits, ...ownIslandHits],
    ({ key }) => islands.isOpen(key),
    ({ name }) => name,
  )
  const satellites = bestOf(
    [...deviceHits, ...ownDeviceHits],
    ({ key }) => presence.status(key) === 'online',
    ({ label }) => label,
  )
  const slugs = foundIslands.map(({ slug }) => slug)
  const keys = foundIslands.map(({ key }) => key)
  const [cards, routes] = await Promise.all([
    slugs.length === 0 ? [] : islands.readCards(userKey, slugs),
    store.listRoutes(userKey, keys),
  ])
  const cardBySlug = new Map(cards.map((card) => [card.slug, card]))
  const place = new Map(keys.map((key, at) => [key, at]))
  const placeOf = (key: number) => place.get(key) ?? searchLength
  return {
    islands: slugs.flatMap((slug) => cardBySlug.get(slug) ?? []),
    satellites: satellites.map(({ key, id, label }) => ({
      id,
      label,
      status: presence.status(key),
    })),
    neighbourIslands: bestOf(
      neighbourIslands,
      ({ isOpen }) => isOpen,
      ({ name }) => name,
    ).map(({ shown }) => shown),
    neighbourSatellites: bestOf(
      neighbourDevices,
      ({ status }) => status === 'online',
      ({ label }) => label,
    ).map(({ shown }) => shown),
    routes: routes
      .toSorted(
        (one, other) =>
          Math.min(placeOf(one.from.key), placeOf(one.to.key)) -
            Math.min(placeOf(other.from.key), placeOf(other.to.key)) ||
          placeOf(one.from.key) - placeOf(other.from.key) ||
          compare(one.to.name, other.to.name),
      )
      .slice(0, searchLength)
      .map(({ from, to }) => ({
        from: { slug: from.slug, name: from.name },
        to: { slug: to.slug, name: to.name },
      })),
  }
}

/** Each hit once. Within a rank, those that are up come first, then by name. */
function bestOf<Hit extends { readonly key: number; readonly rank: SearchRank }>(
  hits: readonly Hit[],
  isUp: (hit: Hit) => boolean,
  nameOf: (hit: Hit) => string,
): readonly Hit[] {
  const byKey = new Map(hits.map((hit) => [hit.key, hit]))
  return Array.from(byKey.values(), (hit) => ({ hit, isUp: isUp(hit) }))
    .toSorted(
      (one, other) =>
        searchRanks.indexOf(one.hit.rank) - searchRanks.indexOf(other.hit.rank) ||
        Number(other.isUp) - Number(one.isUp) ||
        compare(nameOf(one.hit), nameOf(other.hit)) ||
        one.hit.key - other.hit.key,
    )
    .slice(0, searchLength)
    .map(({ hit }) => hit)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
