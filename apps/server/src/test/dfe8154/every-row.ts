import { sql, type Kysely } from 'kysely'

type Row = Readonly<Record<string, unknown>>

export type Rows = Readonly<Record<string, readonly Row[]>>

/** All rows of all tables, except the search index, which is built from the others. */
export async function everyRow<Tables>(db: Kysely<Tables>): Promise<Rows> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const rows = new Map<string, readonly Row[]>()
  for (const { name, columns } of tables) {
    if (name.startsWith('search_')) continue
    const list = sql.join(columns.map((column) => sql.ref(column.name)))
    const found = await sql<Row>`select ${list} from ${sql.table(name)}`.execute(db)
    rows.set(name, found.rows)
  }
  return Object.fromEntries(rows)
}
