import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../storage/storage.ts'
import { perRank, type SearchIndex } from './search-index.ts'
import { codePoints, insideMinLength } from './search-query.ts'
import type { SearchStore } from './search-store.ts'
import { sqlSearchStore } from './sql-search-store.ts'

/** After every text that begins alike. */
const last = '\u{10FFFF}'
/** What the index has after a name. */
const end = '\u0003'
/** What that many rows by chance have no list of, some thousands of a million have. */
const sampled = 2000
const sampleIsEnough = 8

/**
 * An order of texts and one of words give the first of many at once. What is inside is found by trigrams,
 * of which PostgreSQL looks up all rows first, be it a million: so a sample of 2,000 comes before them, and
 * only what is rare in it is looked up.
 */
export function postgresSearchStore(db: Database): SearchStore {
  return sqlSearchStore(db, postgresIndex(db))
}

function postgresIndex(db: Database): SearchIndex {
  const find = async (rows: RawBuilder<{ key: number }>) =>
    (await rows.execute(db)).rows.map(({ key }) => key)

  return {
    find: async (table, { folded }, rank) => {
      const texts = sql.table(`search_${table}`)
      const words = sql.table(`search_${table}_words`)
      const whole = ` ${folded.join(' ')}`
      if (rank === 'exact') return await find(firstOf(texts, 'text', whole + end))
      if (rank === 'beginning') return await find(firstOf(texts, 'text', whole))
      const [word, ...more] = folded
      if (rank === 'words' && word !== undefined && more.length === 0) {
        return await find(firstOf(words, 'word', word))
      }
      return await findByPatterns(texts, folded.map(rank === 'words' ? beginningOfWord : inside))
    },
  }

  async function findByPatterns(
    texts: RawBuilder<unknown>,
    patterns: readonly string[],
  ): Promise<readonly number[]> {
    const fits = sql.join(
      patterns.map((pattern) => sql`text like ${pattern}`),
      sql` and `,
    )
    const some = await find(sql`
      select key from (select key, text from ${texts} order by draw limit ${sampled}) as drawn
      where ${fits} limit ${perRank}`)
    if (some.length >= sampleIsEnough) return some
    // Asked for the first of an order, the planner would go through all texts in that order, 0.7 s for a million.
    return await find(sql`
      with fitting as materialized (select key, text from ${texts} where ${fits})
      select key from fitting order by text, key limit ${perRank}`)
  }
}

function firstOf(
  table: RawBuilder<unknown>,
  column: 'text' | 'word',
  text: string,
): RawBuilder<{ key: number }> {
  const name = sql.ref(column)
  return sql`
    select key from ${table} where ${name} >= ${text} and ${name} < ${text + last}
    order by ${name}, key limit ${perRank}`
}

/** Words have no signs that `like` knows: those part words. */
function beginningOfWord(word: string): string {
  return `% ${word}%`
}

function inside(word: string): string {
  return codePoints(word) < insideMinLength ? beginningOfWord(word) : `%${word}%`
}
