import { resolve } from 'node:path'
import { checkSource } from '../copy/copy-checks.ts'
import { pageLimits } from '../copy/copy-end.ts'
import { copiedTables } from '../copy/copied-tables.ts'
import { openPostgresSnapshot } from '../copy/postgres-end.ts'
import { TableReader } from '../copy/table-reader.ts'
import { databasePath } from '../sqlite-storage.ts'
import type { StorageWork } from './back-up.ts'
import { checkFile, type TableCount } from './check-file.ts'
import { verifyChecksum } from './file-checksum.ts'

interface CheckOptions extends StorageWork {
  /** A backup to check instead. */
  readonly file?: string | undefined
}

interface CheckedStorage {
  /** A path, or an address without its password. */
  readonly name: string
  /** Only for a file. */
  readonly bytes?: number
  /** Only for a backup. Those of older versions have none. */
  readonly hasChecksum?: boolean
  readonly tables: readonly TableCount[]
}

/**
 * Reads all of a database, even while servers run.
 * @throws CopyRefused naming the damage; on PostgreSQL its own error for a row that it can't read
 */
export async function checkStorage(options: CheckOptions): Promise<CheckedStorage> {
  const { dataDir, databaseUrl, file } = options
  if (file !== undefined) {
    const name = resolve(file)
    return { name, ...checkFile(name), hasChecksum: verifyChecksum(name) }
  }
  if (databaseUrl !== undefined) return await checkPostgres(databaseUrl, options)
  const name = databasePath(dataDir)
  return { name, ...checkFile(name) }
}

/** PostgreSQL itself keeps references valid. */
async function checkPostgres(
  databaseUrl: string,
  { report, signal, limits = pageLimits }: StorageWork,
): Promise<CheckedStorage> {
  await using source = await openPostgresSnapshot(databaseUrl)
  await checkSource(source)
  const tables: TableCount[] = []
  for (const table of copiedTables) {
    const { label } = table
    const reader = await TableReader.open(source, table, limits)
    const total = await reader.count()
    let rows = 0
    for await (const page of reader.pages()) {
      signal?.throwIfAborted()
      rows += page.length
      void report?.({ doing: 'Reading', label, done: rows, total })
    }
    tables.push({ label, rows })
  }
  return { name: source.name, tables }
}
