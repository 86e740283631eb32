import { sql } from 'kysely'
import type { ReadByPool } from './postgres-dialect.ts'
import { databaseNow } from './postgres-instance.ts'

/** Of several answers the fastest says most exactly what the time was. */
const samples = 3

/** How far the database's clock is from this machine's: servers on one database go by its clock ([P2]). */
export class DatabaseClock {
  readonly #read: ReadByPool
  #aheadMs = 0

  constructor(read: ReadByPool) {
    this.#read = read
  }

  /** The database's time, as exactly as half the way there and back. */
  readonly now = (): number => Date.now() + this.#aheadMs

  /** To be called now and then: clocks drift, and are set. @throws StorageUnavailable */
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
