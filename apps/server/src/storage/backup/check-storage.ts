import { resolve } from 'node:path'
import { checkSource } from '../copy/copy-checks.ts'
import { copiedTables } from '../copy/copied-tables.ts'
import { openPostgresSnapshot } from '../copy/postgres-end.ts'
import { pageLimits, TableReader } from '../copy/table-reader.ts'
import { databasePath } from '../sqlite-storage.ts'
import type { WatchedWork } from './back-up.ts'
import { checkFile, type TableCount } from './check-file.ts'
import { verifyChecksum } from './file-checksum.ts'

interface CheckOptions extends WatchedWork {
  readonly dataDir: string
  /** PostgreSQL; without one it is the SQLite file of the data folder. */
  readonly databaseUrl?: string | undefined
  /** A backup, in their place. */
  readonly file?: string | undefined
}

interface CheckedStorage {
  /** How people know it. */
  readonly name: string
  /** Of a file. */
  readonly bytes: number | undefined
  /** Of a backup: one of an older version has none. */
  readonly hasChecksum?: boolean | undefined
  readonly tables: readonly TableCount[]
}

/**
 * Reads all of a database, also beside servers.
 * @throws CopyRefused naming what is wrong with it; on PostgreSQL what it says of a row that it can't read
 */
export async function checkStorage(options: CheckOptions): Promise<CheckedStorage> {
  const { dataDir, databaseUrl, file } = options
  if (file === undefined && databaseUrl !== undefined) {
    return await checkPostgres(databaseUrl, options)
  }
  const name = file === undefined ? databasePath(dataDir) : resolve(file)
  const checked = checkFile(name)
  return { name, ...checked, hasChecksum: file === undefined ? undefined : verifyChecksum(name) }
}

/** What rows refer to, it keeps by itself. */
async function checkPostgres(
  databaseUrl: string,
  { report, signal, limits = pageLimits }: WatchedWork,
): Promise<CheckedStorage> {
  const source = await openPostgresSnapshot(databaseUrl)
  try {
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
        report?.({ doing: 'Reading', label, done: rows, total })
      }
      tables.push({ label, rows })
    }
    return { name: source.name, bytes: undefined, tables }
  } finally {
    await source.close()
  }
}
