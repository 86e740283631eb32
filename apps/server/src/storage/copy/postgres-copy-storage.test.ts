import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { fileOfDfe8154, placeOfDfe8154 } from '../../test/dfe8154/place-of-dfe8154.ts'
import { dumpSqlite } from '../../test/dump-sqlite.ts'
import { fillEveryTable } from '../../test/fill-every-table.ts'
import { makeTempDir, openTestDatabase } from '../../test/open-test-storage.ts'
import { emptyDatabase, runStatement } from '../../test/test-databases.ts'
import { openPostgresStorage } from '../postgres-storage.ts'
import { migrateSqlite } from '../sqlite-storage.ts'
import { CopyUnfinished } from '../unfinished-copy.ts'
import { copiedTables, transientTables } from './copied-tables.ts'
import { copyStorage } from './copy-storage.ts'
import { openPostgresTarget } from './postgres-end.ts'
import { openSqliteTarget } from './sqlite-end.ts'
import { openTableReader } from './table-reader.ts'

/** So small that every table takes several pages. */
const limits = { rows: 7, bytes: 500 }

async function makeSqliteFile(): Promise<string> {
  const path = join(await makeTempDir(), 'astropelago.sqlite')
  await migrateSqlite(path)
  return path
}

async function makeFilledFile(): Promise<string> {
  const path = await makeSqliteFile()
  fillEveryTable(path)
  return path
}

async function newPath(): Promise<string> {
  return join(await makeTempDir(), 'new', 'astropelago.sqlite')
}

test('every table is copied or named as transient', async () => {
  const ends = [
    openSqliteTarget(await makeSqliteFile()),
    await openPostgresTarget(await openTestDatabase()),
  ]
  const copied = copiedTables.map(({ name }) => name)
  for (const end of ends) {
    const tables = await end.tables()
    await end[Symbol.asyncDispose]()
    expect(tables).toEqual(expect.arrayContaining(copied))
    const others = tables.filter((table) => !copied.some((name) => name === table))
    expect(transientTables).toEqual(expect.arrayContaining(others))
  }
})

test('all rows come back from PostgreSQL unchanged, with the highest keys ever given', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  const back = await newPath()
  const there = await copyStorage({ from: path, to: url, limits })
  const andBack = await copyStorage({ from: url, to: back, limits })
  expect(andBack).toEqual(there)
  expect(there.tables.map(({ rows }) => rows)).not.toContain(0)

  const before = dumpSqlite(path)
  expect(dumpSqlite(back)).toEqual(before)
  expect(before['sqlite_sequence']).toContainEqual({ name: 'users', seq: 1000n })
  expect(Object.keys(before)).not.toContain('unfinished_copy')
})

test('a source of dfe8154 is brought to this version first, on either side', async () => {
  const path = join(await makeTempDir(), 'astropelago.sqlite')
  await writeFile(path, await fileOfDfe8154())
  const url = await openTestDatabase()
  const back = await newPath()
  const there = await copyStorage({ from: path, to: url })
  expect(await copyStorage({ from: url, to: back })).toEqual(there)
  // Networks are forgotten within hours, and not copied.
  const source: ReturnType<typeof dumpSqlite> = { ...dumpSqlite(path), relay_addresses: [] }
  expect(dumpSqlite(back)).toEqual(source)

  const { databaseUrl: ofDfe8154 = '' } = await placeOfDfe8154()
  const fromPostgres = await newPath()
  await copyStorage({ from: ofDfe8154, to: fromPostgres })
  const { heartbeat_log: heartbeats, ...others } = dumpSqlite(fromPostgres)
  const { heartbeat_log: ofFile, ...othersOfFile } = source
  expect(others).toEqual(othersOfFile)
  // PostgreSQL has one more, in what is `changes` now.
  expect(heartbeats).toHaveLength((ofFile?.length ?? 0) + 1)
})

test('no key is given again on either side, not even that of a deleted row', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  const back = await newPath()
  await copyStorage({ from: path, to: url })
  const insert = `insert into users (username, username_folded, is_demo, created_ms)
    values ('next', 'next', 0, 0)`
  await runStatement(url, insert)
  await runStatement(url, `insert into heartbeat_log (at_ms, device_keys) values (1, '')`)
  await runStatement(url, `delete from users where username = 'next'`)
  await copyStorage({ from: url, to: back })
  const database = new DatabaseSync(back)
  database.exec(insert)
  const [row] = database.prepare('select max(key) as key from users').all()
  expect(row).toEqual({ key: 1002 })
  database.close()
})

test('a stopped copy goes on from its last page', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  const back = await newPath()
  for (const [from, to] of [
    [path, url],
    [url, back],
  ] as const) {
    for (const table of ['devices', 'stored values']) {
      await expect(copyUntil(from, to, table)).rejects.toThrow('aborted')
    }
    const copied: string[] = []
    const report = ({ doing, label }: { doing: string; label: string }) => {
      if (doing === 'Copying') copied.push(label)
    }
    const { isResumed } = await copyStorage({ from, to, limits, report })
    expect(isResumed).toBe(true)
    const stopped = copiedTables.findIndex(({ label }) => label === 'stored values')
    expect(new Set(copied)).toEqual(new Set(copiedTables.slice(stopped).map(({ label }) => label)))
  }
  expect(dumpSqlite(back)).toEqual(dumpSqlite(path))
})

test('if the source has changed since the copy was stopped, all rows are copied anew', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  await expect(copyUntil(path, url, 'device tokens')).rejects.toThrow('aborted')
  const database = new DatabaseSync(path)
  database.exec(`
    update users set username_folded = 'swapped' where key = 1;
    update users set username_folded = 'user0' where key = 4;
    delete from devices where key = 5`)
  database.close()
  const { isResumed } = await copyStorage({ from: path, to: url, limits })
  expect(isResumed).toBe(false)
  const back = await newPath()
  await copyStorage({ from: url, to: back })
  expect(dumpSqlite(back)).toEqual(dumpSqlite(path))
})

test('changes in the source during the copy are detected', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  const rename = `update users set name = 'renamed' where key = 1`
  const changes = {
    file: async () => {
      const database = new DatabaseSync(path)
      database.exec(rename)
      database.close()
    },
    database: () => runStatement(url, rename),
  }
  const back = await newPath()
  await expect(copyWhile(path, url, changes.file)).rejects.toThrow('(users: 11 there, 11 copied)')
  await copyStorage({ from: path, to: url })
  await runStatement(url, `update users set name = 'other' where key = 1`)
  await expect(copyWhile(url, back, changes.database)).rejects.toThrow(
    '(users: 11 there, 11 copied)',
  )
  await copyStorage({ from: url, to: back })
  expect(dumpSqlite(back)).toEqual(dumpSqlite(path))
})

/** Calls back once the users are copied. */
async function copyWhile(from: string, to: string, happen: () => Promise<void>): Promise<void> {
  await copyStorage({
    from,
    to,
    report: async ({ label }) => {
      if (label === 'devices') await happen()
    },
  })
}

test('at most one page of a table, limited in bytes, is in memory', async () => {
  const path = await makeSqliteFile()
  const database = new DatabaseSync(path)
  database.exec(`
    insert into users (key, username, username_folded, is_demo, created_ms) values (1, 'a', 'a', 0, 0);
    with recursive counted (value) as (select 10 union all select value + 1 from counted where value < 19)
    insert into key_values select 1, '', value, printf('%01000d', 0), 1000 from counted`)
  database.close()
  const url = await openTestDatabase()
  await copyStorage({ from: path, to: url })
  const table = copiedTables.find(({ name }) => name === 'key_values')
  if (table === undefined) throw new Error('key_values are not copied')
  for (const end of [openSqliteTarget(path), await openPostgresTarget(url)]) {
    const reader = await openTableReader(end, table, { rows: 100, bytes: 2500 })
    const pages: number[] = []
    for await (const rows of reader.pages()) pages.push(rows.length)
    await end[Symbol.asyncDispose]()
    expect(pages).toEqual([3, 3, 3, 1])
  }
})

/** Stops after the second page of a table. */
async function copyUntil(from: string, to: string, table: string): Promise<void> {
  const stop = new AbortController()
  let pages = 0
  await copyStorage({
    from,
    to,
    limits,
    signal: stop.signal,
    report: ({ label }) => {
      pages += label === table ? 1 : 0
      if (pages === 2) stop.abort()
    },
  })
}

test('a target that stores a value differently is detected, and no server starts on it', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  await runStatement(
    url,
    `create function shout() returns trigger language plpgsql as
       $$ begin new.name := upper(new.name); return new; end $$;
     create trigger shout before insert on users for each row execute function shout()`,
  )
  onTestFinished(() => runStatement(url, 'drop function shout cascade'))
  const copy = () => copyStorage({ from: path, to: url })
  await expect(copy()).rejects.toThrow('(users: 11 there, 11 copied)')
  const server = openPostgresStorage({ databaseUrl: url, onFatal: () => undefined })
  await expect(server).rejects.toThrow(new CopyUnfinished(path))
  await runStatement(url, 'drop trigger shout on users')
  expect(await copy()).toMatchObject({ isResumed: false })
})

test('a target where a server ran before any user signed up is used, and that server’s records go', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  await runStatement(
    url,
    "insert into alive_mark values (1, 5); insert into outages values (1, 2); insert into push_keys values (1, 'a', 'b')",
  )
  await copyStorage({ from: path, to: url })
  const back = await newPath()
  await copyStorage({ from: url, to: back })
  expect(dumpSqlite(back)).toEqual(dumpSqlite(path))
})

/** Any text that PostgreSQL can store. */
const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.includes('\0'))
const time = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const deviceRow = fc.record({
  key: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  label: text,
  link: optional(text),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  created: time,
  since: optional(time),
})
const valueRow = fc.record({ collection: text, name: text, value: text })
const cursorRow = fc.record({
  reader: text,
  writer: fc.integer({ min: 0, max: 3 }),
  sequence: time,
})
const sessionRow = fc.uint8Array({ maxLength: 40 })

test('any rows come back the same', async () => {
  const empty = await makeSqliteFile()
  const url = await openTestDatabase()
  // The tests' database itself sorts by code point.
  await runStatement(
    url,
    'alter table presence_event_cursors alter reader type text collate "und-x-icu"',
  )
  onTestFinished(() =>
    runStatement(url, 'alter table presence_event_cursors alter reader type text'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(deviceRow, { selector: ({ key }) => key }),
      fc.uniqueArray(valueRow, { selector: ({ collection, name }) => `${collection}\0${name}` }),
      fc.uniqueArray(cursorRow, { selector: ({ reader, writer }) => `${reader}\0${writer}` }),
      fc.uniqueArray(sessionRow, { selector: (bytes) => bytes.toHex() }),
      fc.integer({ min: 1, max: 5 }),
      async (devices, values, cursors, sessions, rows) => {
        const path = join(await makeTempDir(), 'astropelago.sqlite')
        await copyFile(empty, path)
        const database = new DatabaseSync(path)
        database.exec(`
          delete from presence_event_cursors;
          insert into users (key, username, username_folded, is_demo, created_ms) values (1, 'a', 'a', 0, 0)`)
        const device = database.prepare(
          `insert into devices (key, id, user_key, label, link, lat, lon, visibility, created_ms, public_since_ms)
           values (?1, ?1, 1, ?2, ?3, ?4, ?5, 'public', ?6, ?7)`,
        )
        for (const { key, label, link, lat, lon, created, since } of devices) {
          device.run(key, label, link, lat, lon, created, since)
        }
        const entry = database.prepare('insert into key_values values (1, ?, ?, ?, ?)')
        for (const { collection, name, value } of values) {
          entry.run(collection, name, value, value.length)
        }
        const cursor = database.prepare('insert into presence_event_cursors values (?, ?, ?)')
        for (const { reader, writer, sequence } of cursors) cursor.run(reader, writer, sequence)
        const session = database.prepare(
          `insert into sessions (token_hash, id, user_key, created_ms, last_used_ms)
           values (?, ?, 1, 0, 0)`,
        )
        for (const bytes of sessions) session.run(bytes, bytes.toHex())
        database.close()

        const back = await newPath()
        await copyStorage({ from: path, to: url, limits: { rows, bytes: 50 } })
        await copyStorage({ from: url, to: back, limits: { rows, bytes: 50 } })
        expect(dumpSqlite(back)).toEqual(dumpSqlite(path))
        await emptyDatabase(url)
      },
    ),
    { numRuns: 10, interruptAfterTimeLimit: 15_000 },
  )
})
