import type { SearchQuery, SearchRank } from './search-query.ts'

export type IndexedTable = 'devices' | 'islands'

/** Keys of public things by rank. Each database has its own implementation. */
export interface SearchIndex {
  /** Returns at most `perRank` keys in a stable order. Some may have a better rank. */
  readonly find: (
    table: IndexedTable,
    query: SearchQuery,
    rank: SearchRank,
  ) => Promise<readonly number[]>
}

/** Number of candidates for each rank. A list shows some of them. */
export const perRank = 64
