import { sql, type Kysely } from 'kysely'
import { expect } from 'vitest'
import { migrate } from '../storage/migrations.ts'
import type { Schema } from '../storage/schema.ts'
import { fillAsOf } from './fill-as-of.ts'
import { isOnPostgres, openTestStorage, openUnmigrated } from './open-test-storage.ts'

/** All tables except the search index, which is built from the others. */
async function readTables(db: Kysely<Schema>) {
  const found = await db.introspection.getTables()
  return found.filter(({ name }) => !name.startsWith('search_'))
}

/** The names of these tables. */
export async function tables(db: Kysely<Schema>): Promise<string[]> {
  return (await readTables(db)).map(({ name }) => name).toSorted()
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

async function allRows(db: Kysely<Schema>): Promise<Rows> {
  const rows = new Map<string, Rows[string]>()
  for (const { name, columns } of await readTables(db)) {
    const list = sql.join(columns.map((column) => sql.ref(column.name)))
    const found = await sql<Rows[string][number]>`select ${list} from ${sql.table(name)}`.execute(
      db,
    )
    rows.set(name, found.rows)
  }
  return Object.fromEntries(rows)
}

const renamedColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  presence_events: { key: 'sequence' },
}
const droppedTables: ReadonlySet<string> = new Set(['server_term'])

/** Fills a database as of a migration, migrates it to this version, and expects every row of it there. */
export async function expectEveryRow(level: string): Promise<void> {
  const db = await openUnmigrated()
  await fillAsOf(db, level)
  const before = await allRows(db)
  for (const [table, rows] of Object.entries(before)) {
    // `fill-as-of.ts` has rows for it.
    expect({ table, rows: rows.length }).not.toEqual({ table, rows: 0 })
  }
  await migrate(db)
  const after = await allRows(db)
  const { db: fresh } = await openTestStorage()
  expect(await tables(db)).toEqual(await tables(fresh))
  for (const [table, rows] of Object.entries(before)) {
    if (droppedTables.has(table)) continue
    const renamed = (column: string) => renamedColumns[table]?.[column] ?? column
    const expected = rows.map((row) =>
      expect.objectContaining(
        Object.fromEntries(Object.entries(row).map(([name, value]) => [renamed(name), value])),
      ),
    )
    expect(after[table]).toEqual(expect.arrayContaining(expected))
    // `0028-alerts` adds the cursors of alerts.
    const added = /^(flip|alert)_cursors$/.test(table) && level < '0028-alerts' ? 1 : 0
    expect(after[table]).toHaveLength(rows.length + added)
  }
  if (isOnPostgres()) return
  const damage = await sql`pragma foreign_key_check`.execute(db)
  expect(damage.rows).toEqual([])
}
