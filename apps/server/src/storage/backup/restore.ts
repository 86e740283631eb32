import { chmodSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { copyBetween } from '../copy/copy-storage.ts'
import { CopyRefused, type StorageWork, type WatchedWork } from '../copy/copy-end.ts'
import { openPostgresTarget } from '../copy/postgres-end.ts'
import { openSqliteSource } from '../copy/sqlite-end.ts'
import { DataDirLocked, lockDataDir } from '../data-dir-lock.ts'
import { databasePath, makeDataDir, migrateSqlite } from '../sqlite-storage.ts'
import { copyPages, leaveAlone, recordInFile } from './back-up.ts'
import { checkFile, openSnapshot } from './check-storage.ts'
import { removeChecksum, sync, toRefusal, verifyChecksum } from './backup-file.ts'

interface RestoreOptions extends StorageWork {
  readonly file: string
  /** Whether it may replace what people made since. */
  readonly isForced?: boolean
  /** Whether all users have to sign in again. Otherwise sessions that ended since are back. */
  readonly endsSessions?: boolean
}

/** @throws CopyRefused if a server runs, or users signed up and it is not forced; AbortError */
export async function restore(options: RestoreOptions) {
  const file = resolve(options.file)
  checkFile(file)
  verifyChecksum(file)
  return options.databaseUrl === undefined
    ? await restoreFolder(file, options)
    : await restorePostgres(file, options.databaseUrl, options)
}

async function restoreFolder(file: string, options: RestoreOptions) {
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
) {
  return await withWorkingCopy(file, join(tmpdir(), 'restoring-'), options, async (copy) => {
    const checked = checkFile(copy)
    await using source = { ...openSqliteSource(copy), name: file }
    await using target = await openPostgresTarget(databaseUrl, 'DATABASE_URL')
    await copyBetween(source, target, { report, signal, replaces: isForced })
    return { ...checked, replaced: undefined }
  })
}

async function withWorkingCopy<Result>(
  file: string,
  prefix: string,
  { endsSessions = false, report, signal }: Pick<RestoreOptions, 'endsSessions'> & WatchedWork,
  place: (copy: string) => Promise<Result> | Result,
): Promise<Result> {
  try {
    await using folder = await mkdtempDisposable(prefix)
    const copy = join(folder.path, 'astropelago.sqlite')
    await copyPages(file, copy, { report, signal })
    change(copy, removeChecksum)
    await migrateSqlite(copy)
    if (endsSessions) change(copy, 'delete from sessions')
    // The restored log replaces the earlier one.
    recordInFile(copy, 'backup.restored', file)
    leaveAlone(copy)
    chmodSync(copy, 0o600)
    return await place(copy)
  } catch (error) {
    throw toRefusal(error, prefix)
  }
}

function change(path: string, statements: string): void {
  using database = new DatabaseSync(path)
  database.exec(statements)
}

/** Everything that people make belongs to a user. @throws CopyRefused if there are users */
function refuseData(path: string): void {
  if (!existsSync(path)) return
  using database = openSnapshot(path)
  const hasUsers = database.prepare(`select 1 from sqlite_master where name = 'users'`).get()
  if (hasUsers === undefined) return
  const { count } = database.prepare('select count(*) as count from users').get() ?? {}
  if (Number(count) === 0) return
  throw new CopyRefused(
    `${path} holds the data of a community already (users: ${String(count)}). ` +
      'With --force it is moved aside, and the backup takes its place',
  )
}

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
