import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DataDirLocked, lockDataDir } from '../data-dir-lock.ts'
import { migrateSqlite } from '../sqlite-storage.ts'
import { CommandMistaken } from '../../admin/command.ts'
import { CopyRefused, quoted, type CopyEnd, type Row } from './copy-end.ts'

const busyMs = 5000

/** On this thread, and with the lock of its folder. @throws CopyRefused, CommandMistaken */
export function openSqliteSource(path: string): CopyEnd {
  if (!existsSync(path)) throw new CommandMistaken(`--from: there is no file ${path}`)
  return open(path, '--from', () => {
    const database = new DatabaseSync(path, { readOnly: true, timeout: busyMs })
    database.exec('begin')
    return database
  })
}

/** Creates what is missing. @throws CopyRefused, CommandMistaken */
export function openSqliteTarget(path: string): CopyEnd {
  return open(path, '--to', () => {
    const database = new DatabaseSync(path, { timeout: busyMs })
    // After a crash, what was not synced is copied again. `finish` syncs the rest.
    database.exec('pragma synchronous = normal')
    database.exec('pragma foreign_keys = on')
    return database
  })
}

function open(path: string, option: '--from' | '--to', connect: () => DatabaseSync): CopyEnd {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const file = join(path, 'astropelago.sqlite')
    throw new CommandMistaken(`${option}: ${path} is a folder; name the file in it: ${file}`)
  }
  const folder = dirname(path)
  let lock: ReturnType<typeof lockDataDir> | undefined
  try {
    // The database contains password hashes, so nobody else on the machine may read it.
    if (option === '--to') mkdirSync(folder, { recursive: true, mode: 0o700 })
    lock = lockDataDir(folder)
    const database = connect()
    // The first read shows whether it is a SQLite file.
    database.prepare('select count(*) from sqlite_master').get()
    return sqliteEnd(path, option, database, lock)
  } catch (error) {
    lock?.release()
    if (error instanceof DataDirLocked) {
      const message = `A server, or another move, is at work on ${folder}: stop it first`
      throw new CopyRefused(message, { cause: error })
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new CopyRefused(`${option}: ${path} can’t be used: ${reason}`, { cause: error })
  }
}

function sqliteEnd(
  path: string,
  option: string,
  database: DatabaseSync,
  lock: ReturnType<typeof lockDataDir>,
): CopyEnd {
  const prepared = (statement: string) => {
    const made = database.prepare(statement.replaceAll(/\$(\d+)/g, '?$1'))
    made.setReadBigInts(true)
    made.setReturnArrays(true)
    return made
  }
  const query = (statement: string, parameters: Row = []): readonly Row[] => {
    const rows: unknown = prepared(statement).all(...parameters)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types know rows as objects only
    return rows as Row[]
  }
  const transaction = (action: () => void) => {
    database.exec('begin immediate')
    try {
      action()
      database.exec('commit')
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }
  /** For tables that never give a key twice. */
  const highestKeys = () =>
    // SQLite creates this table with the first of them.
    query(`select 1 from sqlite_master where name = 'sqlite_sequence'`).length === 0
      ? new Map<string, bigint>()
      : new Map(
          query('select name, seq from sqlite_sequence').map(([table, key]) => [
            String(table),
            BigInt(String(key)),
          ]),
        )

  return {
    kind: 'sqlite',
    option,
    name: path,
    query: async (statement, parameters) => query(statement, parameters),
    page: async ({ table, columns, where, parameters, order, limits }) => {
      const statement = prepared(
        `select ${columns.map(quoted).join(', ')} from ${quoted(table)} where ${where}
         order by ${order} limit ${limits.rows}`,
      )
      // Row by row, because SQL that counts bytes would hold all values at once.
      const iterated: Iterable<unknown> = statement.iterate(...parameters)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      return takeBytes(iterated as Iterable<Row>, limits.bytes)
    },
    insert: async (table, columns, rows) => {
      const marks = columns.map(() => '?').join(', ')
      const names = columns.map(quoted).join(', ')
      const insert = prepared(`insert into ${quoted(table)} (${names}) values (${marks})`)
      transaction(() => {
        for (const row of rows) insert.run(...row)
      })
    },
    tables: async () =>
      query(`select name from sqlite_master where type = 'table' order by name`).map(([name]) =>
        String(name),
      ),
    columns: async (table) =>
      query('select name, type from pragma_table_info($1) order by name', [table]).map(
        ([name, type]) => ({
          name: String(name),
          isText: String(type).toLowerCase() === 'text',
          sortedBy: quoted(String(name)),
        }),
      ),
    highestKeys: async () => highestKeys(),
    raiseHighestKeys: async (keys) => {
      const given = highestKeys()
      const numbered = query(
        `select name from sqlite_master where type = 'table' and sql like '%autoincrement%'`,
      )
      transaction(() => {
        for (const [name] of numbered) {
          const table = String(name)
          const key = keys.get(table) ?? 0n
          if (key <= (given.get(table) ?? 0n)) continue
          prepared('delete from sqlite_sequence where name = $1').run(table)
          prepared('insert into sqlite_sequence (name, seq) values ($1, $2)').run(table, key)
        }
      })
    },
    // This end holds the lock of its folder.
    isServerRunning: async () => false,
    readAnew: async () => database.exec('commit; begin'),
    clear: async () => undefined,
    migrate: async () => {
      const { isTransaction } = database
      if (isTransaction) database.exec('commit')
      await migrateSqlite(path)
      if (isTransaction) database.exec('begin')
    },
    finish: async () => {
      database.exec('pragma synchronous = full')
      database.exec('pragma wal_checkpoint(truncate)')
    },
    [Symbol.asyncDispose]: async () => {
      database.close()
      lock.release()
    },
  }
}

function takeBytes(rows: Iterable<Row>, maxBytes: number): readonly Row[] {
  const taken: Row[] = []
  let bytes = 0
  for (const row of rows) {
    taken.push(row)
    for (const value of row) {
      if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length
    }
    if (bytes >= maxBytes) break
  }
  return taken
}
