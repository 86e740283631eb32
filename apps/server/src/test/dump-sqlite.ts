import { DatabaseSync } from 'node:sqlite'

/**
 * Everything in a SQLite file except the search index, which is derived from it. Reads without our own
 * code.
 */
export function dumpSqlite(path: string): Record<string, unknown[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).all()
  const rows = tables
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('kysely_') && !name.startsWith('search_'))
    .toSorted()
    .map((name) => {
      const all = database.prepare(`select * from "${name}"`)
      all.setReadBigInts(true)
      return [name, all.all().toSorted(byText)] as const
    })
  database.close()
  return Object.fromEntries(rows)
}

function byText(one: unknown, other: unknown): number {
  const texts = [one, other].map((row) =>
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  )
  return (texts[0] ?? '') < (texts[1] ?? '') ? -1 : 1
}
