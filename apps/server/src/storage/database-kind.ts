import { PostgresAdapter, sql, type Kysely } from 'kysely'

export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

export async function hasTable<Tables>(db: Kysely<Tables>, name: string): Promise<boolean> {
  const found = isPostgres(db)
    ? sql`select 1 where to_regclass(${name}) is not null`
    : sql`select 1 from sqlite_master where name = ${name}`
  return (await found.execute(db)).rows.length > 0
}
