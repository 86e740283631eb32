import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { checkSource } from '../copy/copy-checks.ts'
import { pageLimits, type StorageWork, type WatchedWork } from '../copy/copy-end.ts'
import { copyBetween } from '../copy/copy-storage.ts'
import { openPostgresSnapshot } from '../copy/postgres-end.ts'
import { openSqliteTarget } from '../copy/sqlite-end.ts'
import { databaseNow } from '../postgres-instance.ts'
import { unhurriedSettings } from '../postgres-settings.ts'
import { databasePath } from '../sqlite-storage.ts'
import { checkFile, openSnapshot } from './check-storage.ts'
import { makeWholeFile, writeChecksum } from './backup-file.ts'

/**
 * All data as of one moment. Servers wait for nothing. @throws CopyRefused, AbortError; no file is left
 * then
 */
export async function backUp(options: StorageWork & { readonly file: string }) {
  const file = resolve(options.file)
  const checked = await makeWholeFile(file, async (temporary) => {
    const { dataDir, databaseUrl } = options
    const paced = { ...options, afterStep: restAfterSync }
    if (databaseUrl === undefined) await copyPages(databasePath(dataDir), temporary, paced)
    else await copyRows(databaseUrl, temporary, options)
    leaveAlone(temporary)
    writeChecksum(temporary)
    return checkFile(temporary)
  })
  return { ...checked, unrecorded: await recordBackup(options, file, checked.isOlder) }
}

/** SQLite's default page size, which its files have here. */
const sqlitePageBytes = 4096

interface PagesWork extends WatchedWork {
  readonly afterStep?: (to: string) => void
}

export async function copyPages(from: string, to: string, work: PagesWork = {}): Promise<void> {
  const { report, signal, limits = pageLimits, afterStep } = work
  // The source's transaction stays open. Otherwise each commit of the server would restart the copy.
  using source = openSnapshot(from)
  await backup(source, to, {
    rate: Math.ceil(limits.bytes / sqlitePageBytes),
    progress: ({ totalPages, remainingPages }) => {
      signal?.throwIfAborted()
      afterStep?.(to)
      const done = totalPages - remainingPages
      void report?.({ doing: 'Copying', label: 'pages', done, total: totalPages })
    },
  })
}

async function copyRows(databaseUrl: string, to: string, work: WatchedWork): Promise<void> {
  await using source = await openPostgresSnapshot(databaseUrl)
  await checkSource(source, 'make the backup by the version that runs on it')
  await using target = openSqliteTarget(to)
  await copyBetween(source, target, work)
}

const restsPerSync = 3
const restMaxMs = 500

/**
 * Leaves the disk to the server for three quarters of the time. Gigabytes that the system writes at once made
 * heartbeats wait three times as long. It may block: nothing else runs on this thread.
 */
function restAfterSync(path: string): void {
  const startMs = performance.now()
  const file = openSync(path, 'r+')
  fdatasyncSync(file)
  closeSync(file)
  const restMs = Math.min(restMaxMs, (performance.now() - startMs) * restsPerSync)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, restMs)
}

/** Turns off the write-ahead log, so that it is a single file, readable where nothing can be written. */
export function leaveAlone(path: string): void {
  using database = new DatabaseSync(path)
  database.exec('pragma journal_mode = delete')
}

const busyMs = 5000
const actor = 'operator:console'

/** @returns why the audit log has no entry for the backup; undefined if it has one */
async function recordBackup(
  { dataDir, databaseUrl }: StorageWork,
  file: string,
  isOlder: boolean,
): Promise<string | undefined> {
  if (isOlder) return 'the server there is of an older version'
  try {
    if (databaseUrl === undefined) recordInFile(databasePath(dataDir), 'backup.created', file)
    else await recordInPostgres(databaseUrl, file)
    return undefined
  } catch (error) {
    // Databases that take no more writes, or are of an older version, need a backup most.
    return error instanceof Error ? error.message : String(error)
  }
}

export function recordInFile(path: string, action: string, file: string): void {
  using database = new DatabaseSync(path, { timeout: busyMs })
  database
    .prepare(
      `insert into audit_log (at_ms, actor, action, subject, outcome) values (?, ?, ?, ?, 'done')`,
    )
    .run(Date.now(), actor, action, `file:${file}`)
}

async function recordInPostgres(databaseUrl: string, file: string): Promise<void> {
  const client = new Client(unhurriedSettings(databaseUrl))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(
      `insert into audit_log (at_ms, actor, action, subject, outcome)
       values (${databaseNow}, $1, 'backup.created', $2, 'done')`,
      [actor, `file:${file}`],
    )
  } finally {
    await client.end()
  }
}
