import type { StoredDevice, StoredIsland } from '../neighbours/public.ts'
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

export interface NeighbourDeviceHit extends StoredDevice, Pick<Hit, 'rank'> {}

export interface NeighbourIslandHit extends StoredIsland, Pick<Hit, 'rank'> {}

type RouteEnd = Omit<IslandHit, 'rank'>

export interface FoundRoute {
  readonly from: RouteEnd
  readonly to: RouteEnd
}

/** Enough hits to choose from by who is online, but not all: one letter matches a tenth of everything. */
export interface SearchStore {
  /** Public devices and listed islands. */
  readonly findDevices: (query: SearchQuery) => Promise<readonly DeviceHit[]>
  readonly findIslands: (query: SearchQuery) => Promise<readonly IslandHit[]>
  /** Those that are not public. */
  readonly findOwnDevices: (userKey: number, query: SearchQuery) => Promise<readonly DeviceHit[]>
  /** Includes unlisted islands that the user is a member of. */
  readonly findOwnIslands: (userKey: number, query: SearchQuery) => Promise<readonly IslandHit[]>
  /** Also those that are not shown. */
  readonly findNeighbourDevices: (query: SearchQuery) => Promise<readonly NeighbourDeviceHit[]>
  readonly findNeighbourIslands: (query: SearchQuery) => Promise<readonly NeighbourIslandHit[]>
  /** Only if the reader could find both ends. */
  readonly listRoutes: (
    userKey: number | null,
    islandKeys: readonly number[],
  ) => Promise<readonly FoundRoute[]>
}

export type IndexedTable = 'devices' | 'islands' | 'neighbour_devices' | 'neighbour_islands'

/** Public rows, at most `perRank` in a stable order. Some may have a better rank. */
export type FindKeys = (
  table: IndexedTable,
  query: SearchQuery,
  rank: SearchRank,
) => Promise<readonly number[]>

/** A list shows some of them. */
export const perRank = 64
