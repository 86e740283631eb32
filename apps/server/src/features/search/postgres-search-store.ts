import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../storage/storage.ts'
import { codePoints, insideMinLength } from './search-query.ts'
import { perRank, type SearchStore } from './search-store.ts'
import { sqlSearchStore } from './sql-search-store.ts'

const last = '\u{10FFFF}'
/** Follows each name in the index. */
const end = '\u0003'
/** A pattern that matches too few of this many random rows matches at most some thousands of a million. */
const sampled = 2000
const sampleIsEnough = 8

/**
 * Matches inside words need trigrams, for which PostgreSQL looks up all matching rows, even a million. So
 * only patterns that are rare in a random sample of 2,000 rows are looked up.
 */
export function postgresSearchStore(db: Database): SearchStore {
  const find = async (rows: RawBuilder<{ key: number }>) =>
    (await rows.execute(db)).rows.map(({ key }) => key)

  const findByPatterns = async (texts: RawBuilder<unknown>, patterns: readonly string[]) => {
    const fits = sql.join(
      patterns.map((pattern) => sql`text like ${pattern}`),
      sql` and `,
    )
    const some = await find(sql`
      select key from (select key, text from ${texts} order by draw limit ${sampled}) as drawn
      where ${fits} limit ${perRank}`)
    if (some.length >= sampleIsEnough) return some
    // With an order, the planner would walk through all texts in that order: 0.7 s for a million.
    return await find(sql`
      with fitting as materialized (select key, text from ${texts} where ${fits})
      select key from fitting order by text, key limit ${perRank}`)
  }

  return sqlSearchStore(db, async (table, { folded }, rank) => {
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
  })
}

function firstOf(table: RawBuilder<unknown>, column: 'text' | 'word', text: string) {
  const name = sql.ref(column)
  return sql<{ key: number }>`
    select key from ${table} where ${name} >= ${text} and ${name} < ${text + last}
    order by ${name}, key limit ${perRank}`
}

/** Words contain no characters that `like` interprets, because those separate words. */
function beginningOfWord(word: string): string {
  return `% ${word}%`
}

function inside(word: string): string {
  return codePoints(word) < insideMinLength ? beginningOfWord(word) : `%${word}%`
}
