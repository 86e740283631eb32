import type { PostgresSession } from './postgres-session.ts'
import { DatabaseLocked, StorageUnavailable } from './storage-error.ts'

/** `astr` and a number: https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS */
const lockClass = 0x61_73_74_72
const lockNumber = 1

/**
 * Makes a session that of the only server on its database, for as long as its connection lives: what
 * comes through it was written by whoever holds the lock.
 * @param name the application name of all sessions of this process
 * @throws DatabaseLocked; StorageUnavailable while an earlier session of this process still holds it
 */
export async function lockDatabase(session: PostgresSession, name: string): Promise<void> {
  const { rows } = await session.query('select pg_try_advisory_lock($1, $2) as held', [
    lockClass,
    lockNumber,
  ])
  if (rows[0]?.held === true) return
  // A connection that was cut may live on at the other end.
  const own = await session.query(
    `select pg_terminate_backend(pid)
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted
       and datname = current_database() and application_name = $3`,
    [lockClass, lockNumber, name],
  )
  if (own.rows.length === 0) throw new DatabaseLocked()
  throw new StorageUnavailable('an earlier connection to the database is not over yet')
}

/** Begins this server's term. Needs the lock. */
export async function beginTerm(session: PostgresSession): Promise<number> {
  const { rows } = await session.query('update server_term set term = term + 1 returning term')
  return Number(rows[0]?.term)
}

/** Whether a transaction was kept that is over. */
export async function hasCommitted(session: PostgresSession, id: string): Promise<boolean> {
  const { rows } = await session.query('select pg_xact_status($1::text::xid8) as status', [id])
  return rows[0]?.status === 'committed'
}

/** The term of the server that last had the database. */
export async function readTerm(session: PostgresSession): Promise<number> {
  const { rows } = await session.query('select term from server_term')
  return Number(rows[0]?.term)
}
