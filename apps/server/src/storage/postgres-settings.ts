import { randomBytes } from 'node:crypto'
import { Client, DatabaseError, types, type ClientConfig } from 'pg'

/** How long each step may take before the database counts as gone, in milliseconds; 0 for no limit. */
export interface TimeLimits {
  readonly connectMs: number
  /** Enforced by the database, which then cancels the statement. */
  readonly statementMs: number
  readonly lockMs: number
  /** Enforced here: without an answer the connection is cut. Longer than `statementMs`. */
  readonly answerMs: number
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

/** Times, counts and sums arrive as text, and fit into a number. Bytes get SQLite's type. */
const sameAsSqlite: ClientConfig['types'] = {
  getTypeParser: (oid, format) => {
    if (oid === INT8 || oid === NUMERIC) return Number
    const parse = types.getTypeParser(oid, format)
    return oid === BYTEA ? (value: string) => new Uint8Array(parse(value)) : parse
  },
}

export interface PostgresSettings {
  readonly client: ClientConfig & { readonly application_name: string }
  /**
   * What each transaction begins with behind a pooler, whose connections forget settings; otherwise
   * empty.
   */
  readonly perTransaction: string
}

/** A setting that is sent with the others. If it is missing, so are they. */
const mark = 'astropelago.session'

/**
 * Connects once to find out whether a connection is a session that keeps its settings. If a pooler refuses
 * or drops them (`options`: pgbouncer's `ignore_startup_parameters`), each transaction sets them again.
 * @throws the driver's Error if the database does not answer
 */
export async function postgresSettings(url: string, limits: TimeLimits): Promise<PostgresSettings> {
  const { connectMs, statementMs, lockMs, answerMs } = limits
  const wanted = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: answerMs,
    // Acknowledged writes are on disk, whatever the database's default.
    synchronous_commit: 'on',
    // Our statements are short. Compiling one that the planner thinks expensive takes a second.
    jit: 'off',
  }
  // The same as at this end.
  const ofSession = { tcp_keepalives_idle: 5, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 }
  const client = {
    connectionString: url,
    application_name: `astropelago ${randomBytes(6).toString('hex')}`,
    types: sameAsSqlite,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  }
  const inSession = {
    ...client,
    options: Object.entries({ ...wanted, ...ofSession, [mark]: 'own' })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  }
  if (await keepsSettings(inSession)) return { client: inSession, perTransaction: '' }
  const perTransaction = Object.entries(wanted)
    .map(([name, value]) => `set local ${name} = ${value}; `)
    .join('')
  return { client, perTransaction }
}

async function keepsSettings(settings: ClientConfig): Promise<boolean> {
  const client = new Client(settings)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(`select current_setting('${mark}', true) as mark`)
    return rows[0]?.mark === 'own'
  } catch (error) {
    // A protocol violation, as pgbouncer calls it, or a feature that is not supported.
    const refusals = ['08P01', '0A000']
    if (error instanceof DatabaseError && refusals.includes(error.code ?? '')) return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Settings without time limits for statements, for slow work such as a migration. */
export function unhurriedSettings(url: string): ClientConfig {
  return {
    connectionString: url,
    types: sameAsSqlite,
    connectionTimeoutMillis: timeLimits.connectMs,
  }
}
