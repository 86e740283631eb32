import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { databasePath } from './sqlite-storage.ts'
import type { Storage } from './storage.ts'

/** What the database takes on its disk. */
export async function databaseBytes(
  { kind, db }: Pick<Storage, 'kind' | 'db'>,
  dataDir: string,
): Promise<number> {
  if (kind === 'postgres') {
    const { rows } = await sql<{ bytes: string }>`
      select pg_database_size(current_database()) as bytes`.execute(db)
    return Number(rows[0]?.bytes)
  }
  // Beside the file lies what waits to be written into it.
  const path = databasePath(dataDir)
  const sizes = await Promise.all(
    [path, `${path}-wal`].map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
