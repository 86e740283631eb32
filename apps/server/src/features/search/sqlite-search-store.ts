import { sql } from 'kysely'
import type { Database } from '../../storage/storage.ts'
import { perRank, type IndexedTable, type SearchIndex } from './search-index.ts'
import { codePoints, insideMinLength, type SearchQuery, type SearchRank } from './search-query.ts'
import type { SearchStore } from './search-store.ts'
import { sqlSearchStore } from './sql-search-store.ts'

/** What the index has before a name, after it and between words. */
const beginning = '\u0002\u0002'
const end = '\u0003'
const between = '  '

/**
 * FTS5 with trigrams returns rows in the order of their keys as it finds them: the first 64 of a million
 * take 0.1 ms. Ordered by `rank`, it would read all of them first, which takes 100 ms.
 */
export function sqliteSearchStore(db: Database): SearchStore {
  return sqlSearchStore(db, sqliteIndex(db))
}

function sqliteIndex(db: Database): SearchIndex {
  return {
    find: async (table, query, rank) => {
      const index = indexes[table]
      const { rows } = await sql<{ key: number }>`
        select rowid as key from ${sql.table(index)}
        where ${sql.ref(index)} match ${matchOf(query, rank)} limit ${perRank}`.execute(db)
      return rows.map(({ key }) => key)
    },
  }
}

const indexes: Readonly<Record<IndexedTable, string>> = {
  devices: 'search_devices',
  islands: 'search_islands',
}

/** https://sqlite.org/fts5.html#full_text_query_syntax */
function matchOf({ typed }: SearchQuery, rank: SearchRank): string {
  const whole = beginning + typed.join(between)
  if (rank === 'exact') return phrase(whole + end)
  if (rank === 'beginning') return phrase(whole)
  return typed
    .map((word) =>
      rank === 'inside' && codePoints(word) >= insideMinLength
        ? phrase(word)
        : beginningOfWord(word),
    )
    .join(' AND ')
}

function beginningOfWord(word: string): string {
  return `(${phrase(beginning + word)} OR ${phrase(between + word)})`
}

/** Words contain no quotes, because quotes separate words. */
function phrase(text: string): string {
  return `"${text}"`
}
