import { DatabaseSync } from 'node:sqlite'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { copiedTables } from '../copy/copied-tables.ts'
import { checkSource } from '../copy/copy-checks.ts'
import { CopyRefused, pageLimits, quoted, type StorageWork } from '../copy/copy-end.ts'
import { openPostgresSnapshot } from '../copy/postgres-end.ts'
import { openTableReader } from '../copy/table-reader.ts'
import { earlierVersion, schemaVersion } from '../migrations.ts'
import { databasePath } from '../sqlite-storage.ts'
import { sqliteCode } from '../sqlite-unusable.ts'
import { unfinishedCopyTable } from '../unfinished-copy.ts'
import { verifyChecksum } from './backup-file.ts'

interface CheckedStorage {
  /** A path, or an address without its password. */
  readonly name: string
  /** Only for a file. */
  readonly bytes?: number
  /** Only for a backup. Those of older versions have none. */
  readonly hasChecksum?: boolean
  readonly tables: readonly TableCount[]
}

/** @throws CopyRefused naming the damage; on PostgreSQL its own error for a row that it can't read */
export async function checkStorage(
  options: StorageWork & { readonly file?: string | undefined },
): Promise<CheckedStorage> {
  const { dataDir, databaseUrl, file } = options
  if (file !== undefined) {
    const name = resolve(file)
    return { name, ...checkFile(name), hasChecksum: verifyChecksum(name) }
  }
  if (databaseUrl !== undefined) return await checkPostgres(databaseUrl, options)
  const name = databasePath(dataDir)
  return { name, ...checkFile(name) }
}

async function checkPostgres(
  databaseUrl: string,
  { report, signal, limits = pageLimits }: StorageWork,
): Promise<CheckedStorage> {
  await using source = await openPostgresSnapshot(databaseUrl)
  await checkSource(source)
  const tables: TableCount[] = []
  for (const table of copiedTables) {
    const { label } = table
    const reader = await openTableReader(source, table, limits)
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

export interface TableCount {
  readonly label: string
  readonly rows: number
}

const busyMs = 5000
const maxListed = 10
/** https://sqlite.org/rescode.html#corrupt */
const corrupt = 11

/** Reads as of one moment, even while a server writes. @throws CopyRefused */
export function openSnapshot(path: string): DatabaseSync {
  if (!existsSync(path)) throw new CopyRefused(`There is no file ${path}`)
  const stats = statSync(path)
  if (!stats.isFile()) throw new CopyRefused(`${path} is no file`)
  if (stats.size === 0) throw new CopyRefused(`${path} is empty: it has 0 bytes`)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: busyMs })
    database.exec('begin')
    // The first read fixes the moment.
    database.prepare('select count(*) from sqlite_master').get()
    return database
  } catch (error) {
    database?.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new CopyRefused(`${path} can’t be read: ${reason}`, { cause: error })
  }
}

/** Reads each page, each index against its table, each row against those it refers to. @throws CopyRefused */
export function checkFile(path: string) {
  using database = openSnapshot(path)
  try {
    const isOlder = checkVersion(database, path)
    const damage = findDamage(database)
    if (damage.length > 0) {
      const more = damage.length > maxListed ? [`and ${damage.length - maxListed} more`] : []
      const list = [...damage.slice(0, maxListed), ...more].join('\n  ')
      throw new CopyRefused(`${path} is damaged:\n  ${list}`)
    }
    return { bytes: statSync(path).size, isOlder, tables: countRows(database) }
  } catch (error) {
    if (!(error instanceof Error) || sqliteCode(error) !== corrupt) throw error
    throw new CopyRefused(`${path} is damaged: ${error.message}`, { cause: error })
  }
}

function checkVersion(database: DatabaseSync, path: string): boolean {
  const tables = tableNames(database)
  if (!tables.has('kysely_migration')) {
    throw new CopyRefused(`${path} holds no data of Astropelago`)
  }
  if (tables.has(unfinishedCopyTable)) {
    throw new CopyRefused(`${path} holds only a part: a move or restore into it was cut off`)
  }
  const applied = namesOf(database, 'select name from kysely_migration')
  const version = schemaVersion(applied)
  if (version === 'newer') {
    throw new CopyRefused(`${path} is of a newer version of Astropelago: use that version`)
  }
  if (version === 'earlier') throw new CopyRefused(`${path}: ${earlierVersion}`)
  return version !== 'this'
}

function findDamage(database: DatabaseSync): string[] {
  try {
    const found = database.prepare('pragma integrity_check').all()
    const damage = found.map((row) => String(row['integrity_check'])).filter((it) => it !== 'ok')
    const orphans = database.prepare('pragma foreign_key_check').all()
    return [
      ...damage,
      ...orphans.map(
        ({ table, rowid, parent }) =>
          `row ${String(rowid)} of ${String(table)} refers to nothing in ${String(parent)}`,
      ),
    ]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function countRows(database: DatabaseSync): TableCount[] {
  const present = tableNames(database)
  return copiedTables
    .filter(({ name }) => present.has(name))
    .map(({ name, label }) => {
      const row = database.prepare(`select count(*) as count from ${quoted(name)}`).get()
      return { label, rows: Number(row?.['count']) }
    })
}

function tableNames(database: DatabaseSync): Set<string> {
  return namesOf(database, `select name from sqlite_master where type = 'table'`)
}

function namesOf(database: DatabaseSync, statement: string): Set<string> {
  const rows = database.prepare(statement).all()
  return new Set(rows.map(({ name }) => String(name)))
}
