import { randomBytes } from 'node:crypto'
import { Client, DatabaseError, types, type ClientConfig } from 'pg'

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

/** How this process connects. */
export interface PostgresSettings {
  /** Named so that it tells its own sessions from those of other servers. */
  readonly client: ClientConfig & { readonly application_name: string }
  /**
   * What each transaction has to begin with, and each statement that stands alone: behind a pooler that
   * gives a connection to each transaction nothing is kept for longer. Empty where sessions keep it.
   */
  readonly perTransaction: string
}

/** Set with the rest: where it is missing, so is the rest. */
const mark = 'astropelago.session'

/**
 * Connects once to see whether a connection is a session that keeps its settings. What a pooler refuses
 * or drops (`options`: pgbouncer's `ignore_startup_parameters`) each transaction then sets for itself.
 * @throws Error of the driver's where the database does not answer
 */
export async function postgresSettings(url: string, limits: TimeLimits): Promise<PostgresSettings> {
  const { connectMs, statementMs, lockMs, answerMs } = limits
  const wanted = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: answerMs,
    // What is acknowledged is on disk, whatever the database's own default.
    synchronous_commit: 'on',
    // Statements are short, and compiling one that is taken for dear takes it a second.
    jit: 'off',
  }
  // As at this end.
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
  if (await isKept(inSession)) return { client: inSession, perTransaction: '' }
  const perTransaction = Object.entries(wanted)
    .map(([name, value]) => `set local ${name} = ${value}; `)
    .join('')
  return { client, perTransaction }
}

async function isKept(settings: ClientConfig): Promise<boolean> {
  const client = new Client(settings)
  // Whoever waits is told of it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(`select current_setting('${mark}', true) as mark`)
    return rows[0]?.mark === 'own'
  } catch (error) {
    if (error instanceof DatabaseError && isRefusedSetting(error)) return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Protocol violation, which pgbouncer calls it, or a feature that is not supported. */
function isRefusedSetting({ code }: DatabaseError): boolean {
  return code === '08P01' || code === '0A000'
}

/** The same for what may take long, such as a migration. */
export function unhurriedSettings(url: string): ClientConfig {
  return {
    connectionString: url,
    types: sameAsSqlite,
    connectionTimeoutMillis: timeLimits.connectMs,
  }
}
