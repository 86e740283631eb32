import type { SearchQuery, SearchRank } from './search-query.ts'

interface Hit {
  /** Internal. */
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

interface RouteEnd {
  readonly key: number
  readonly slug: string
  readonly name: string
}

export interface FoundRoute {
  readonly from: RouteEnd
  readonly to: RouteEnd
}

/**
 * What can be found by its name. There are as many as one may choose from by what the index does not know,
 * such as who is online, and not all: a letter has a tenth of everything for an answer. Of a lesser rank
 * there are some only where those of a better one do not fill a list.
 */
export interface SearchStore {
  /** Public ones, whoever asks. */
  readonly findDevices: (query: SearchQuery) => Promise<readonly DeviceHit[]>
  /** Listed ones, whoever asks. */
  readonly findIslands: (query: SearchQuery) => Promise<readonly IslandHit[]>
  /** Of the user's own those that are not public. */
  readonly findOwnDevices: (userKey: number, query: SearchQuery) => Promise<readonly DeviceHit[]>
  /** That are not listed, and that the user hosts or is a member of. */
  readonly findOwnIslands: (userKey: number, query: SearchQuery) => Promise<readonly IslandHit[]>
  /** From or to one of these islands, where the reader could find both ends. */
  readonly listRoutes: (
    userKey: number | null,
    islandKeys: readonly number[],
  ) => Promise<readonly FoundRoute[]>
}
