import { PostgresAdapter, type Kysely } from 'kysely'

/** For the few places where SQLite and PostgreSQL need different SQL. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
