import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { databasePath } from './sqlite-storage.ts'
import type { Storage } from './storage.ts'

/** The size of the database on disk, in bytes. */
export async function databaseBytes(
  { kind, db }: Pick<Storage, 'kind' | 'db'>,
  dataDir: string,
): Promise<number> {
  if (kind === 'postgres') {
    const { rows } = await sql<{ bytes: string }>`
      select pg_database_size(current_database()) as bytes`.execute(db)
    return Number(rows[0]?.bytes)
  }
  // The write-ahead log counts too.
  const path = databasePath(dataDir)
  const sizes = await Promise.all(
    [path, `${path}-wal`].map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
