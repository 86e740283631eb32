import type { SearchQuery, SearchRank } from './search-query.ts'

export type IndexedTable = 'devices' | 'islands'

/** The keys of public things, by rank; each database has its own way. */
export interface SearchIndex {
  /** At most `perRank`, among them ones of a better rank too; in an order that stays the same. */
  readonly find: (
    table: IndexedTable,
    query: SearchQuery,
    rank: SearchRank,
  ) => Promise<readonly number[]>
}

/** Of each rank so many are looked at, of which a list shows some. */
export const perRank = 64
