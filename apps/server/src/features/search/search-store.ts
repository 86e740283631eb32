import type { SearchQuery, SearchRank } from './search-query.ts'

interface Hit {
  readonly key: number
  readonly rank: SearchRank
}

export interface DeviceHit extends Hit {
  readonly id: string
  readonly label: string
}

export interface IslandHit extends Hit {
  readonly slug: string
  readonly name: string
}

type RouteEnd = Omit<IslandHit, 'rank'>

export interface FoundRoute {
  readonly from: RouteEnd
  readonly to: RouteEnd
}

/**
 * Finds devices and islands by name. There are enough hits to choose from by what the index does not know,
 * such as who is online, but not all: one letter matches a tenth of everything. Lower ranks appear only if
 * better ones do not fill a list.
 */
export interface SearchStore {
  /** For any reader, public devices and listed islands. */
  readonly findDevices: (query: SearchQuery) => Promise<readonly DeviceHit[]>
  readonly findIslands: (query: SearchQuery) => Promise<readonly IslandHit[]>
  /** The user's own devices that are not public. */
  readonly findOwnDevices: (userKey: number, query: SearchQuery) => Promise<readonly DeviceHit[]>
  /** Islands that the user hosts, and unlisted ones that the user is a member of. */
  readonly findOwnIslands: (userKey: number, query: SearchQuery) => Promise<readonly IslandHit[]>
  /** Routes from or to one of these islands, if the reader could find both ends. */
  readonly listRoutes: (
    userKey: number | null,
    islandKeys: readonly number[],
  ) => Promise<readonly FoundRoute[]>
}

export type IndexedTable = 'devices' | 'islands'

/**
 * Finds keys of public rows, as each database does it: at most `perRank` in a stable order. Some may have a
 * better rank.
 */
export type FindKeys = (
  table: IndexedTable,
  query: SearchQuery,
  rank: SearchRank,
) => Promise<readonly number[]>

/** Number of candidates for each rank. A list shows some of them. */
export const perRank = 64
