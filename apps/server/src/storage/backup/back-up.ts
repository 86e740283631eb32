import { resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { checkSource } from '../copy/copy-checks.ts'
import type { PageLimits } from '../copy/copy-end.ts'
import { copyBetween } from '../copy/copy-storage.ts'
import { openPostgresSnapshot } from '../copy/postgres-end.ts'
import type { Progress } from '../copy/progress-line.ts'
import { openSqliteTarget } from '../copy/sqlite-end.ts'
import { pageLimits } from '../copy/table-reader.ts'
import { databasePath } from '../sqlite-storage.ts'
import { checkFile, openSnapshot, type CheckedFile } from './check-file.ts'
import { writeChecksum } from './file-checksum.ts'
import { makeWholeFile } from './new-file.ts'
import { recordBackup } from './record-backup.ts'

export interface WatchedWork {
  readonly report?: ((progress: Progress) => void) | undefined
  /** Stops it between two pages, and what was written so far is deleted. */
  readonly signal?: AbortSignal | undefined
  readonly limits?: PageLimits | undefined
}

interface BackUpOptions extends WatchedWork {
  readonly dataDir: string
  /** The address of a PostgreSQL database; without one, the data folder's SQLite file. */
  readonly databaseUrl?: string | undefined
  readonly file: string
}

export interface BackedUp extends CheckedFile {
  /** Why the audit log has no entry for it; undefined if it has one. */
  readonly unnoted: string | undefined
}

/**
 * Writes all data, as of one moment, into one SQLite file, whichever database it comes from. Servers go on
 * meanwhile and wait for nothing.
 * @throws CopyRefused, AbortError; no file is left then
 */
export async function backUp(options: BackUpOptions): Promise<BackedUp> {
  const { dataDir, databaseUrl } = options
  const file = resolve(options.file)
  const path = databasePath(dataDir)
  const checked = await makeWholeFile(file, async (temporary) => {
    if (databaseUrl === undefined) await copyPages(path, temporary, options)
    else await copyRows(databaseUrl, temporary, options)
    leaveAlone(temporary)
    writeChecksum(temporary)
    return checkFile(temporary)
  })
  // Its audit log may be missing or different.
  if (checked.isOlder) return { ...checked, unnoted: 'the server there is of an older version' }
  try {
    await recordBackup(databaseUrl === undefined ? { path } : { databaseUrl }, file)
    return { ...checked, unnoted: undefined }
  } catch (error) {
    // Databases that take no more writes, or are of an older version, need a backup most.
    return { ...checked, unnoted: error instanceof Error ? error.message : String(error) }
  }
}

/** SQLite's default page size, which its files have here. */
const sqlitePageBytes = 4096

/** Copies a SQLite file that others may write to. */
export async function copyPages(from: string, to: string, work: WatchedWork = {}): Promise<void> {
  const { report, signal, limits = pageLimits } = work
  // The source's transaction stays open. Otherwise each commit of the server would restart the copy.
  const source = openSnapshot(from)
  try {
    await backup(source, to, {
      rate: Math.ceil(limits.bytes / sqlitePageBytes),
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted()
        const done = totalPages - remainingPages
        report?.({ doing: 'Copying', label: 'pages', done, total: totalPages })
      },
    })
  } finally {
    source.close()
  }
}

async function copyRows(databaseUrl: string, to: string, work: WatchedWork): Promise<void> {
  const source = await openPostgresSnapshot(databaseUrl)
  try {
    await checkSource(source, 'make the backup by the version that runs on it')
    const target = openSqliteTarget(to)
    try {
      await copyBetween(source, target, work)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Turns off the write-ahead log, so that it is a single file, readable where nothing can be written. */
export function leaveAlone(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = delete')
  database.close()
}
