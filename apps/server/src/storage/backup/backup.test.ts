import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { dumpSqlite } from '../../test/dump-sqlite.ts'
import { fillEveryTable } from '../../test/fill-every-table.ts'
import { isOnPostgres, makeTempDir, openTestDatabase } from '../../test/open-test-storage.ts'
import { runStatement } from '../../test/test-databases.ts'
import { copyStorage } from '../copy/copy-storage.ts'
import { lockDataDir } from '../data-dir-lock.ts'
import { migrateSqlite } from '../sqlite-storage.ts'
import { openStorage } from '../storage.ts'
import { backUp } from './back-up.ts'
import { checkFile, checkStorage } from './check-storage.ts'
import { restore } from './restore.ts'

/** Where a server keeps its data, according to its settings. */
interface Place {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

const name = 'astropelago.sqlite'
/** What a backup or a restore changes: the audit log and the highest keys. */
const noted = { audit_log: expect.anything(), sqlite_sequence: expect.anything() }
/** So small that every backup takes many pages. */
const limits = { rows: 7, bytes: 500 }

async function emptyPlace(): Promise<Place> {
  const dataDir = join(await makeTempDir(), 'data')
  return { dataDir, databaseUrl: isOnPostgres() ? await openTestDatabase() : undefined }
}

/** Has rows in every table. */
async function filledPlace(): Promise<Place & { readonly source: string }> {
  const place = await emptyPlace()
  const dataDir = isOnPostgres() ? await makeTempDir() : place.dataDir
  await mkdir(dataDir, { recursive: true })
  const source = join(dataDir, name)
  await migrateSqlite(source)
  fillEveryTable(source)
  if (place.databaseUrl !== undefined) await copyStorage({ from: source, to: place.databaseUrl })
  return { ...place, source }
}

/** Changes the data of a place. */
async function change({ dataDir, databaseUrl }: Place, statement: string): Promise<void> {
  if (databaseUrl !== undefined) return await runStatement(databaseUrl, statement)
  const database = new DatabaseSync(join(dataDir, name))
  database.exec(statement)
  database.close()
}

const addUser = `insert into users (username, username_folded, is_demo, created_ms)
  values ('later', 'later', 0, 0)`

async function newFile(): Promise<string> {
  return join(await makeTempDir(), 'backup.sqlite')
}

async function filesBeside(file: string): Promise<string[]> {
  return (await readdir(dirname(file))).toSorted()
}

test('S43 a backup is one file that holds every row, whichever database it comes from', async () => {
  const place = await filledPlace()
  const file = await newFile()
  const before = dumpSqlite(place.source)
  const { bytes, tables } = await backUp({ ...place, file })
  expect(dumpSqlite(file)).toEqual(before)
  expect(await filesBeside(file)).toEqual(['backup.sqlite'])
  expect(bytes).toBe((await stat(file)).size)
  expect(tables).toContainEqual({ label: 'users', rows: 11 })
  expect(tables.map(({ rows }) => rows)).not.toContain(0)
  // Nobody else on the machine can read it.
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the audit log records backups and restores', async () => {
  const place = await filledPlace()
  const [file, again] = [await newFile(), await newFile()]
  await backUp({ ...place, file })
  await backUp({ ...place, file: again })
  expect(lastAction(again)).toEqual({ action: 'backup.created', subject: `file:${file}` })
  await restore({ ...place, file, isForced: true })
  const restored = await newFile()
  await backUp({ ...place, file: restored })
  expect(lastAction(restored)).toEqual({ action: 'backup.restored', subject: `file:${file}` })
})

function lastAction(path: string) {
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database
    .prepare('select action, subject from audit_log order by key desc limit 1')
    .get()
  database.close()
  return row
}

test('S43 a restore brings back what was backed up, and a server starts on it', async () => {
  const place = await filledPlace()
  const file = await newFile()
  await backUp({ ...place, file })
  const there = await emptyPlace()
  const { replaced } = await restore({ ...there, file })
  expect(replaced).toBeUndefined()
  const again = await newFile()
  await backUp({ ...there, file: again })
  expect(dumpSqlite(again)).toEqual({ ...dumpSqlite(file), ...noted })

  const server = await openStorage({ ...there, onFatal: throwIt })
  onTestFinished(() => server.close())
  expect(await server.db.selectFrom('users').selectAll().execute()).toHaveLength(11)
})

function throwIt(error: Error): never {
  throw error
}

test('a changed byte of a backup is found before anything is restored', async () => {
  const place = await filledPlace()
  // SQLite has no checksum of this row and no index on this column.
  await change(place, `update users set password_hash = 'as it was' where key = 4`)
  const file = await newFile()
  await backUp({ ...place, file })
  await expect(checkStorage({ ...place, file })).resolves.toMatchObject({ hasChecksum: true })

  const bytes = await readFile(file)
  const at = bytes.indexOf('as it was')
  expect(at).toBeGreaterThan(0)
  await writeFile(file, bytes.fill('A', at, at + 1))
  expect(() => checkFile(file)).not.toThrow()
  const there = await emptyPlace()
  for (const refused of [checkStorage({ ...place, file }), restore({ ...there, file })]) {
    await expect(refused).rejects.toThrow(/is damaged: its checksum is not the one/)
  }
  expect(existsSync(join(there.dataDir, name))).toBe(false)
})

test('restored data has no checksum, because it changes', async () => {
  const place = await filledPlace()
  const file = await newFile()
  await backUp({ ...place, file })
  const there = { ...(await emptyPlace()), databaseUrl: undefined }
  await restore({ ...there, file })
  const restored = join(there.dataDir, name)
  await expect(checkStorage({ ...there, file: restored })).resolves.toMatchObject({
    hasChecksum: false,
  })
})

test('a backup beside a running server is as of one moment', async () => {
  const place = await filledPlace()
  const server = await openStorage({ ...place, onFatal: throwIt })
  onTestFinished(() => server.close())
  const file = await newFile()
  const before = dumpSqlite(place.source)['users']
  let wrote: Promise<unknown> | undefined
  await backUp({
    ...place,
    file,
    limits,
    // The backup is under way.
    report: () => {
      wrote ??= server.db.updateTable('users').set({ name: 'later' }).execute()
    },
  })
  await wrote
  expect(wrote).toBeDefined()
  expect(dumpSqlite(file)['users']).toEqual(before)
})

test('S43 a backup beside a running server has the heartbeats that are only in its log', async () => {
  const place = await filledPlace()
  const logged = heartbeatGroups(place.source)
  expect(logged).not.toEqual([])
  const server = await openStorage({ ...place, onFatal: throwIt })
  onTestFinished(() => server.close())
  const file = await newFile()
  await backUp({ ...place, file })
  expect(heartbeatGroups(file)).toEqual(logged)
})

function heartbeatGroups(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare('select at_ms || hex(device_keys) as heartbeats from heartbeat_log')
    .all()
  database.close()
  return rows.map(({ heartbeats }) => String(heartbeats)).toSorted()
}

test('a backup refuses to replace a file', async () => {
  const place = await filledPlace()
  const file = await newFile()
  await writeFile(file, 'mine')
  await expect(backUp({ ...place, file })).rejects.toThrow(
    `There is a file ${file} already: choose another name`,
  )
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect(await filesBeside(file)).toEqual(['backup.sqlite'])
})

test('a stopped backup, or one without a folder, leaves nothing behind', async () => {
  const place = await filledPlace()
  const file = await newFile()
  const stop = new AbortController()
  const { signal } = stop
  const stopped = backUp({ ...place, file, limits, signal, report: () => stop.abort() })
  await expect(stopped).rejects.toThrow('aborted')
  expect(await filesBeside(file)).toEqual([])
  const nowhere = join(dirname(file), 'missing', 'backup.sqlite')
  await expect(backUp({ ...place, file: nowhere })).rejects.toThrow(
    `There is no folder ${dirname(nowhere)}`,
  )
})

test('a restore replaces the data of users only if it is forced', async () => {
  const place = await filledPlace()
  const file = await newFile()
  await backUp({ ...place, file })
  await change(place, addUser)
  const refused = restore({ ...place, file })
  await expect(refused).rejects.toThrow(
    /holds the data of a community already \(users: 12\)\. With --force/,
  )
  const before = await newFile()
  await backUp({ ...place, file: before })
  const { replaced } = await restore({ ...place, file, isForced: true })
  const after = await newFile()
  await backUp({ ...place, file: after })
  expect(dumpSqlite(after)).toEqual({ ...dumpSqlite(file), ...noted })
  if (isOnPostgres()) return
  // SQLite's file is moved unchanged.
  expect(dumpSqlite(join(replaced ?? '', name))).toEqual({ ...dumpSqlite(before), ...noted })
})

test('a restore is refused while a server runs', async () => {
  const place = await filledPlace()
  const file = await newFile()
  await backUp({ ...place, file })
  const server = await openStorage({ ...place, onFatal: throwIt })
  const forced = () => restore({ ...place, file, isForced: true })
  await expect(forced()).rejects.toThrow(/A server is running on .*: stop it first/)
  await server.close()
  await forced()
})

test('a restore can end all sessions, also those that ended since the backup', async () => {
  const place = await filledPlace()
  const file = await newFile()
  await backUp({ ...place, file })
  const there = await emptyPlace()
  await restore({ ...there, file, endsSessions: true })
  const after = await newFile()
  await backUp({ ...there, file: after })
  // Tickets and grants for islands end with their session.
  const ended = { sessions: [], relay_tickets: [], relay_grants: [], page_previews: [] }
  expect(dumpSqlite(after)).toEqual({ ...dumpSqlite(file), ...noted, ...ended })
  expect(dumpSqlite(file)['sessions']).not.toEqual([])
})

function rootPage(path: string, table: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare('select rootpage from sqlite_master where name = ?').get(table)
  database.close()
  return Number(row?.['rootpage'])
}

function by(statement: string) {
  return (path: string) => {
    const database = new DatabaseSync(path)
    database.exec(statement)
    database.close()
  }
}

test('a file that is not a complete backup of this version is refused and changes nothing', async () => {
  const { source } = await filledPlace()
  const place = await emptyPlace()
  const folder = await makeTempDir()
  const makeFile = async (called: string, make: (path: string) => Promise<void> | void) => {
    const path = join(folder, called)
    await copyFile(source, path)
    await make(path)
    return path
  }
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(folder, 'none'), /^There is no file .*none$/],
    [folder, /is no file$/],
    [await makeFile('empty', (path) => writeFile(path, '')), /empty is empty: it has 0 bytes$/],
    [await makeFile('text', (path) => writeFile(path, 'x'.repeat(5000))), /can’t be read: .*not a/],
    [
      await makeFile('cut', async (path) => {
        const bytes = await readFile(path)
        await writeFile(path, bytes.subarray(0, bytes.length / 2))
      }),
      /cut (is damaged|can’t be read)/,
    ],
    [
      await makeFile('overwritten', async (path) => {
        const bytes = await readFile(path)
        const from = (rootPage(path, 'device_tokens') - 1) * 4096
        await writeFile(path, bytes.fill(0xa5, from, from + 4096))
      }),
      /overwritten is damaged:\n {2}/,
    ],
    [
      await makeFile('orphan', by('pragma foreign_keys = off; delete from devices where key = 5')),
      /orphan is damaged:\n {2}row .* of .* refers to nothing in devices/,
    ],
    [
      await makeFile('newer', by(`insert into kysely_migration values ('9001-newer', '2030')`)),
      /newer is of a newer version of Astropelago: use that version$/,
    ],
    [
      await makeFile('part', by('create table unfinished_copy (source text)')),
      /part holds only a part/,
    ],
    [await makeFile('other', by('drop table kysely_migration')), /holds no data of Astropelago$/],
  ]
  for (const [file, message] of cases) {
    expect(() => checkFile(file)).toThrow(message)
    await expect(restore({ ...place, file, isForced: true })).rejects.toThrow(message)
  }
  expect(existsSync(join(place.dataDir, name))).toBe(false)
})

test.skipIf(isOnPostgres())(
  'the write-ahead log of a killed server is not read into a restored file',
  async () => {
    const place = await filledPlace()
    const file = await newFile()
    await backUp({ ...place, file })
    const lock = lockDataDir(place.dataDir)
    const server = new DatabaseSync(join(place.dataDir, name))
    server.exec(`pragma journal_mode = wal; ${addUser}`)
    const killed = await makeTempDir()
    for (const suffix of ['', '-wal']) {
      await copyFile(join(place.dataDir, name + suffix), join(killed, name + suffix))
    }
    server.close()
    lock.release()
    await restore({ dataDir: killed, file, isForced: true })
    expect(dumpSqlite(join(killed, name))).toEqual({ ...dumpSqlite(file), ...noted })
  },
)
