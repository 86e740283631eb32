import { chmodSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { copyBetween } from '../copy/copy-storage.ts'
import { CopyRefused } from '../copy/copy-end.ts'
import { openPostgresTarget } from '../copy/postgres-end.ts'
import { openSqliteSource } from '../copy/sqlite-end.ts'
import { DataDirLocked, lockDataDir } from '../data-dir-lock.ts'
import { databasePath, makeDataDir, migrateSqlite } from '../sqlite-storage.ts'
import { copyPages, leaveAlone, type WatchedWork } from './back-up.ts'
import { checkFile, openSnapshot, type CheckedFile } from './check-file.ts'
import { removeChecksum, verifyChecksum } from './file-checksum.ts'
import { sync, toRefusal } from './new-file.ts'
import { recordRestore } from './record-backup.ts'

interface RestoreOptions extends WatchedWork {
  readonly file: string
  readonly dataDir: string
  /** The address of a PostgreSQL database; without one, the data folder's SQLite file. */
  readonly databaseUrl?: string | undefined
  /** Whether it may replace what people made since. */
  readonly isForced?: boolean
  /**
   * Whether everybody has to sign in again. Otherwise sessions that were ended since the backup are back.
   */
  readonly endsSessions?: boolean
}

export interface Restored extends CheckedFile {
  /**
   * The folder that the earlier data was moved to; undefined if there was none, or if PostgreSQL had it.
   */
  readonly replaced: string | undefined
}

/**
 * Puts a backup where servers of this version look for their data, and migrates it. No server may run
 * there, and unless it is forced, nobody may have signed up.
 * @throws CopyRefused, AbortError; before anything is replaced
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const file = resolve(options.file)
  checkFile(file)
  verifyChecksum(file)
  return options.databaseUrl === undefined
    ? await restoreFolder(file, options)
    : await restorePostgres(file, options.databaseUrl, options)
}

async function restoreFolder(file: string, options: RestoreOptions): Promise<Restored> {
  const { dataDir, isForced = false } = options
  const path = databasePath(dataDir)
  let lock: ReturnType<typeof lockDataDir> | undefined
  try {
    makeDataDir(dataDir)
    lock = lockDataDir(dataDir)
    if (!isForced) refuseData(path)
    return await withWorkingCopy(file, join(dataDir, 'restoring-'), options, (copy) => {
      const checked = checkFile(copy)
      sync(copy)
      const replaced = moveAside(dataDir)
      renameSync(copy, path)
      sync(dataDir)
      return { ...checked, replaced }
    })
  } catch (error) {
    if (!(error instanceof DataDirLocked)) throw toRefusal(error, path)
    throw new CopyRefused(`A server is running on ${dataDir}: stop it first`, { cause: error })
  } finally {
    lock?.release()
  }
}

async function restorePostgres(
  file: string,
  databaseUrl: string,
  { isForced = false, report, signal, ...options }: RestoreOptions,
): Promise<Restored> {
  return await withWorkingCopy(file, join(tmpdir(), 'restoring-'), options, async (copy) => {
    const checked = checkFile(copy)
    const source = { ...openSqliteSource(copy), name: file }
    try {
      const target = await openPostgresTarget(databaseUrl, 'DATABASE_URL')
      try {
        await copyBetween(source, target, { report, signal, replaces: isForced })
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
    return { ...checked, replaced: undefined }
  })
}

/** The backup itself is never written to. */
async function withWorkingCopy<Result>(
  file: string,
  prefix: string,
  { endsSessions = false, report, signal }: Pick<RestoreOptions, 'endsSessions'> & WatchedWork,
  place: (copy: string) => Promise<Result> | Result,
): Promise<Result> {
  let folder: string | undefined
  try {
    folder = mkdtempSync(prefix)
    const copy = join(folder, 'astropelago.sqlite')
    await copyPages(file, copy, { report, signal })
    change(copy, removeChecksum)
    await migrateSqlite(copy)
    if (endsSessions) change(copy, 'delete from sessions')
    recordRestore(copy, file)
    leaveAlone(copy)
    chmodSync(copy, 0o600)
    return await place(copy)
  } catch (error) {
    throw toRefusal(error, prefix)
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

function change(path: string, statements: string): void {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}

/**
 * Everything that people make belongs to a user.
 * @throws CopyRefused if there are users
 */
function refuseData(path: string): void {
  if (!existsSync(path)) return
  const database = openSnapshot(path)
  try {
    const hasUsers = database.prepare(`select 1 from sqlite_master where name = 'users'`).get()
    if (hasUsers === undefined) return
    const { count } = database.prepare('select count(*) as count from users').get() ?? {}
    if (Number(count) === 0) return
    throw new CopyRefused(
      `${path} holds the data of a community already (users: ${String(count)}). ` +
        'With --force it is moved aside, and the backup takes its place',
    )
  } finally {
    database.close()
  }
}

/** @returns the folder that the files were moved to; undefined if there were none */
function moveAside(dataDir: string): string | undefined {
  const path = databasePath(dataDir)
  // The database file goes first. If this is cut off, a server finds that its database is gone, and not
  // an old part of it. A write-ahead log that stays would be read into the new database.
  const present = ['', '-wal', '-shm', '-journal'].filter((suffix) => existsSync(path + suffix))
  if (present.length === 0) return undefined
  const folder = mkdtempSync(join(dataDir, `replaced-${new Date().toISOString().slice(0, 10)}-`))
  for (const suffix of present) {
    renameSync(path + suffix, join(folder, `astropelago.sqlite${suffix}`))
  }
  return folder
}
