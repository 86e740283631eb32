import { sql, type Kysely } from 'kysely'
import { databaseNow, silentAfterMs } from '../storage/postgres-instance.ts'
import type { Schema } from '../storage/schema.ts'
import { toCursors, type Cursors } from './journals.ts'

/** Renewed every second; without that another server leads after this. */
const leaseMs = 2500
/** What the way to the database and back may have taken of it. */
const marginMs = 250

interface Renewal {
  /** False where this server is no longer one of those on the database. */
  readonly isRegistered: boolean
  /** Where a term begins: how far the server before had come. */
  readonly begins: Cursors | undefined
}

/** The lease by which one server at a time leads, by the database's clock. */
export class Leadership {
  readonly #db: Kysely<Schema>
  readonly #writer: number
  #term: number | undefined
  #untilMs = 0

  constructor(db: Kysely<Schema>, writer: number) {
    this.#db = db
    this.#writer = writer
  }

  /** Undefined where this server does not lead, as far as it knows: what it writes has to check that. */
  get term(): number | undefined {
    return performance.now() < this.#untilMs ? this.#term : undefined
  }

  /** Says that this server lives, and takes or keeps the lease where it can. @throws StorageUnavailable */
  async renew(): Promise<Renewal> {
    const startMs = performance.now()
    const now = sql.raw(databaseNow)
    return await this.#db.transaction().execute(async (transaction) => {
      const marks = await sql`
        update writers set alive_ms = ${now},
          silent_from_ms = case when ${now} - alive_ms > ${sql.lit(silentAfterMs)}
            then alive_ms else silent_from_ms end,
          silent_to_ms = case when ${now} - alive_ms > ${sql.lit(silentAfterMs)}
            then ${now} else silent_to_ms end
        where writer = ${this.#writer} returning writer`.execute(transaction)
      const { rows } = await sql<{ term: number; cursors: Record<string, number> }>`
        update leadership set writer = ${this.#writer}, expires_ms = ${now} + ${sql.lit(leaseMs)},
          term = case when writer = ${this.#writer} and expires_ms > ${now} then term else term + 1 end
        where writer = ${this.#writer} or writer is null or expires_ms < ${now}
        returning term, cursors`.execute(transaction)
      const [held] = rows
      const begins =
        held !== undefined && held.term !== this.#term ? toCursors(held.cursors) : undefined
      this.#term = held?.term
      this.#untilMs = held === undefined ? 0 : startMs + leaseMs - marginMs
      return { isRegistered: marks.rows.length > 0, begins }
    })
  }

  /** Lets another server lead at once. */
  async resign(): Promise<void> {
    this.#untilMs = 0
    await sql`
      update leadership set expires_ms = 0 where writer = ${this.#writer} and term = ${this.#term}`.execute(
      this.#db,
    )
  }
}
