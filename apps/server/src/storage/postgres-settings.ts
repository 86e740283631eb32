import { randomBytes } from 'node:crypto'
import { types, type ClientConfig } from 'pg'

/** How long each may take before the database counts as gone; 0 for any time. */
export interface TimeLimits {
  readonly connectMs: number
  /** At the database's end, which then ends the statement. */
  readonly statementMs: number
  readonly lockMs: number
  /** At this end: without an answer the connection is cut. More than a statement may take. */
  readonly answerMs: number
  /** Until it is one's turn to write. */
  readonly turnMs: number
}

export const timeLimits: TimeLimits = {
  connectMs: 5000,
  statementMs: 5000,
  lockMs: 3000,
  answerMs: 8000,
  turnMs: 5000,
}

const keepAliveMs = 5000

const { BYTEA, INT8, NUMERIC } = types.builtins

/** Times, counts and sums come as text: none of ours is past what a number holds. Bytes as SQLite has them. */
const sameAsSqlite: ClientConfig['types'] = {
  getTypeParser: (oid, format) => {
    if (oid === INT8 || oid === NUMERIC) return Number
    const parse = types.getTypeParser(oid, format)
    return oid === BYTEA ? (value: string) => new Uint8Array(parse(value)) : parse
  },
}

export type PostgresSettings = ClientConfig & { readonly application_name: string }

/** How this process connects, named so that it tells its own sessions from those of other servers. */
export function postgresSettings(
  url: string,
  { connectMs, statementMs, lockMs, answerMs }: TimeLimits,
): PostgresSettings {
  return {
    connectionString: url,
    application_name: `astropelago ${randomBytes(6).toString('hex')}`,
    types: sameAsSqlite,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // The same from the other end, and what is acknowledged is on disk, whatever the database's own default.
    options:
      '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c synchronous_commit=on',
  }
}

/** The same for what may take long, such as a migration. */
export function unhurriedSettings(url: string): ClientConfig {
  return {
    connectionString: url,
    types: sameAsSqlite,
    connectionTimeoutMillis: timeLimits.connectMs,
  }
}
