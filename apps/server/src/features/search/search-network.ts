import { searchLength, type SearchResults } from '@astropelago/contract/search'
import type { IslandsFeature } from '../islands/public.ts'
import type { Presence } from '../presence/public.ts'
import { parseSearch, searchRanks } from './search-query.ts'
import type { DeviceHit, IslandHit, SearchStore } from './search-store.ts'

export interface SearchParts {
  readonly store: SearchStore
  readonly presence: Pick<Presence, 'status'>
  readonly islands: Pick<IslandsFeature, 'readCards' | 'isOpen'>
}

/** Finds islands, satellites and routes, best first. `userKey` is null for a signed-out reader. */
export async function searchNetwork(
  { store, presence, islands }: SearchParts,
  userKey: number | null,
  text: string,
): Promise<SearchResults> {
  const query = parseSearch(text)
  if (query.folded.length === 0) return { islands: [], satellites: [], routes: [] }
  const [islandHits, ownIslandHits, deviceHits, ownDeviceHits] = await Promise.all([
    store.findIslands(query),
    userKey === null ? [] : store.findOwnIslands(userKey, query),
    store.findDevices(query),
    userKey === null ? [] : store.findOwnDevices(userKey, query),
  ])
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
    satellites: satellites.map(({ key, id, label }) => {
      return { id, label, status: presence.status(key) }
    }),
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

/** Each hit once. Within a rank, those that are up come first, then the order is by name. */
function bestOf<Hit extends DeviceHit | IslandHit>(
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
