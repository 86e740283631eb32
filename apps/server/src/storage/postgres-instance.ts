import type { PostgresSession } from './postgres-session.ts'

/** The database's clock, which all servers that share it use ([P2]). */
export const databaseNow = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** A server that has not renewed its sign of life for this long counts as gone or cut off. */
export const silentAfterMs = 3000

/**
 * Registers the session's server on the database.
 * @returns the number of the writer
 */
export async function registerWriter(session: PostgresSession): Promise<number> {
  const { rows } = await session.query(
    `insert into writers (alive_ms) values (${databaseNow}) returning writer`,
  )
  return Number(rows[0]?.writer)
}

/** Records that a server ends normally. */
export async function signOffWriter(session: PostgresSession, writer: number): Promise<void> {
  await session.query('update writers set is_running = false where writer = $1', [writer])
}

/**
 * Ends the writes of earlier sessions of this process. A connection that was cut may live on at the
 * database's end and hold the row that the next transaction waits for.
 * @param name the application name of all sessions of this process
 */
export async function endEarlierWrites(session: PostgresSession, name: string): Promise<void> {
  await session.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1
       and backend_xid is not null and pid <> pg_backend_pid()`,
    [name],
  )
}
