import type { Status } from '@astropelago/contract/devices'
import type { IslandCard } from '@astropelago/contract/islands'
import { searchLength, type SearchResults } from '@astropelago/contract/search'
import { parseSearch, searchRanks, type SearchRank } from './search-query.ts'
import type { SearchStore } from './search-store.ts'

export interface SearchDeps {
  readonly store: SearchStore
  readonly statusOf: (deviceKey: number) => Status
  /** Whether an island can be entered now, by its key. */
  readonly isOpen: (islandKey: number) => boolean
  /** Cards by slug, only of islands that the reader may know of, in no order. */
  readonly readCards: (
    userKey: number | null,
    slugs: readonly string[],
  ) => Promise<readonly IslandCard[]>
}

/** Finds islands, satellites and routes, best first. `userKey` is null for a signed-out reader. */
export async function searchNetwork(
  { store, statusOf, isOpen, readCards }: SearchDeps,
  userKey: number | null,
  text: string,
): Promise<SearchResults> {
  const query = parseSearch(text)
  if (query.folded.length === 0) return { islands: [], satellites: [], routes: [] }
  const [islands, ownIslands, devices, ownDevices] = await Promise.all([
    store.findIslands(query),
    userKey === null ? [] : store.findOwnIslands(userKey, query),
    store.findDevices(query),
    userKey === null ? [] : store.findOwnDevices(userKey, query),
  ])
  const foundIslands = bestOf(
    [...islands, ...ownIslands],
    ({ key }) => isOpen(key),
    ({ name }) => name,
  )
  const satellites = bestOf(
    [...devices, ...ownDevices],
    ({ key }) => statusOf(key) === 'online',
    ({ label }) => label,
  )
  const [cards, routes] = await Promise.all([
    foundIslands.length === 0
      ? []
      : readCards(
          userKey,
          foundIslands.map(({ slug }) => slug),
        ),
    store.listRoutes(
      userKey,
      foundIslands.map(({ key }) => key),
    ),
  ])
  const cardBySlug = new Map(cards.map((card) => [card.slug, card]))
  const place = new Map(foundIslands.map(({ key }, at) => [key, at]))
  const placeOf = (key: number) => place.get(key) ?? searchLength
  return {
    islands: foundIslands.flatMap(({ slug }) => cardBySlug.get(slug) ?? []),
    satellites: satellites.map(({ key, id, label }) => ({ id, label, status: statusOf(key) })),
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

interface Ranked {
  readonly key: number
  readonly rank: SearchRank
}

/** Each hit once. Within a rank, those that are up come first, then the order is by name. */
function bestOf<Hit extends Ranked>(
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

/** Compares by code points, whatever the server's locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
