import { sql } from 'kysely'
import type { ReadByPool } from './postgres-dialect.ts'
import { databaseNow } from './postgres-instance.ts'

/** The fastest of several answers measures the time most accurately. */
const samples = 3

/**
 * Measures how far the database's clock is ahead of this machine's. Servers that share a database use its
 * clock ([P2]).
 */
export class DatabaseClock {
  readonly #read: ReadByPool
  #aheadMs = 0

  constructor(read: ReadByPool) {
    this.#read = read
  }

  /** The database's time, accurate to half a round trip. */
  readonly now = (): number => Date.now() + this.#aheadMs

  /**
   * Call it regularly, because clocks drift and are set.
   * @throws StorageUnavailable
   */
  async measure(): Promise<void> {
    let fastestMs = Number.POSITIVE_INFINITY
    for (let sample = 0; sample < samples; sample += 1) {
      const startMs = performance.now()
      const { rows } = await this.#read(sql<{ ms: number }>`select ${sql.raw(databaseNow)} as ms`)
      const tookMs = performance.now() - startMs
      if (tookMs >= fastestMs) continue
      fastestMs = tookMs
      this.#aheadMs = Math.round((rows[0]?.ms ?? 0) + tookMs / 2 - Date.now())
    }
  }
}
