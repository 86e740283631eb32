import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { copiedTables } from '../copy/copied-tables.ts'
import { CopyRefused, quoted } from '../copy/copy-end.ts'
import { earlierVersion, schemaVersion } from '../migrations.ts'
import { unfinishedCopyTable } from '../unfinished-copy.ts'

export interface TableCount {
  /** What people call the table's contents. */
  readonly label: string
  readonly rows: number
}

const busyMs = 5000
const maxListed = 10

/**
 * Opens a SQLite file to read it as of one moment, even while a server writes to it.
 * @throws CopyRefused
 */
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

/**
 * Reads all of a SQLite file: each page, each index against its table, each row against those it refers to.
 * @throws CopyRefused naming the damage
 */
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
    if (!isCorrupt(error)) throw error
    throw new CopyRefused(`${path} is damaged: ${error.message}`, { cause: error })
  }
}

/** https://sqlite.org/rescode.html#corrupt */
function isCorrupt(error: unknown): error is Error {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return (Number(error.errcode) & 0xff) === 11
}

/** @returns whether a server of this version would migrate it first */
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
