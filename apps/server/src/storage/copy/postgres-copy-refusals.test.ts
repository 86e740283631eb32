import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, inject, onTestFinished, test } from 'vitest'
import { placeOfDfe8154 } from '../../test/dfe8154/place-of-dfe8154.ts'
import { makeTempDir, noLimits, openTestDatabase } from '../../test/open-test-storage.ts'
import { createDatabase, dropDatabase, runStatement } from '../../test/test-databases.ts'
import { openPostgresStorage, type PostgresStorage } from '../postgres-storage.ts'
import { migrateSqlite, openSqliteStorage } from '../sqlite-storage.ts'
import { CommandMistaken } from '../../admin/command.ts'
import { CopyRefused } from './copy-end.ts'
import { copyStorage } from './copy-storage.ts'
import { openPostgresTarget } from './postgres-end.ts'

const user = `insert into users (key, username, username_folded, is_demo, created_ms)
  values (7, 'nova', 'nova', 0, 0)`

async function makeSqliteFile(...statements: readonly string[]): Promise<string> {
  const path = join(await makeTempDir(), 'astropelago.sqlite')
  await migrateSqlite(path)
  runOnFile(path, ...statements)
  return path
}

function runOnFile(path: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(path)
  for (const statement of statements) database.exec(statement)
  database.close()
}

/** A database without tables. */
async function createEmptyDatabase(): Promise<string> {
  const serverUrl = inject('testPostgres')?.serverUrl ?? ''
  const url = await createDatabase(serverUrl)
  onTestFinished(() => dropDatabase(serverUrl, url))
  return url
}

async function tablesOf(url: string): Promise<readonly string[]> {
  const end = await openPostgresTarget(url)
  try {
    return await end.tables()
  } finally {
    await end[Symbol.asyncDispose]()
  }
}

function onFatal(error: Error): never {
  throw error
}

test('a command that does not name two databases is a mistake, and its message has no password', async () => {
  const path = await makeSqliteFile()
  const folder = dirname(path)
  const url = 'postgres://nova:secret@localhost/astropelago'
  for (const [from, to, message] of [
    [path, path, '--from and --to are the same'],
    [path, join(folder, 'x', '..', 'astropelago.sqlite'), '--from and --to are the same'],
    [url, url, '--from and --to are the same'],
    [path, join(folder, 'other.sqlite'), 'Both are files of SQLite'],
    [url, `${url}2`, 'Both are PostgreSQL'],
    [join(folder, 'none.sqlite'), url, '--from: there is no file'],
    [folder, url, `--from: ${folder} is a folder; name the file in it: ${path}`],
    [url, 'mysql://nova:secret@localhost/astropelago', '--to: an address must be such as'],
    [path, 'postgres://nova:secret@localhost', '--to: an address must be such as'],
  ] as const) {
    const error = await copyStorage({ from, to }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CommandMistaken)
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain('secret')
  }
})

test('the message about an unusable database has no password', async () => {
  const path = await makeSqliteFile()
  const url = new URL(await openTestDatabase())
  url.pathname = '/nowhere'
  await expect(copyStorage({ from: path, to: url.href })).rejects.toThrow(
    `--to: postgres://${url.host}/nowhere can’t be used: database "nowhere" does not exist`,
  )
  url.port = '1'
  await expect(copyStorage({ from: url.href, to: path })).rejects.toThrow(
    `--from: postgres://${url.host}/nowhere can’t be used: `,
  )
  await writeFile(path, 'a text, and long enough to be the header of something')
  await expect(copyStorage({ from: path, to: await openTestDatabase() })).rejects.toThrow(
    `--from: ${path} can’t be used: file is not a database`,
  )
})

test('a move is refused while a server runs on either side', async () => {
  const path = await makeSqliteFile()
  const url = await openTestDatabase()
  const onFile = await openSqliteStorage({ dataDir: dirname(path), onFatal })
  await expect(copyStorage({ from: path, to: url })).rejects.toThrow(
    `A server, or another move, is at work on ${dirname(path)}: stop it first`,
  )
  await expect(copyStorage({ from: url, to: path })).rejects.toThrow('stop it first')
  await onFile.close()

  const onPostgres = await openPostgresStorage({ databaseUrl: url, onFatal, limits: noLimits })
  const message = /^A server is running on postgres:.*: stop it first$/
  await expect(copyStorage({ from: path, to: url })).rejects.toThrow(message)
  await expect(copyStorage({ from: url, to: path })).rejects.toThrow(message)
  await onPostgres.close()
  await copyStorage({ from: path, to: url })
})

test('a move fails if a server starts on the source meanwhile', async () => {
  const path = join(await makeTempDir(), 'astropelago.sqlite')
  const url = await openTestDatabase()
  await runStatement(url, user)
  let server: Promise<PostgresStorage> | undefined
  const start = async () => {
    server ??= openPostgresStorage({ databaseUrl: url, onFatal, limits: noLimits })
    await server
  }
  const copying = copyStorage({ from: url, to: path, report: start })
  await expect(copying).rejects.toThrow('A server is running on postgres:')
  await (await server)?.close()
  expect(await copyStorage({ from: url, to: path })).toMatchObject({ isResumed: true })
})

test('a second move into the same database is refused', async () => {
  const url = await openTestDatabase()
  const first = await openPostgresTarget(url)
  onTestFinished(() => first[Symbol.asyncDispose]())
  await expect(copyStorage({ from: await makeSqliteFile(), to: url })).rejects.toThrow(
    /^Another move into postgres:.* is under way$/,
  )
})

test('a target that holds any data is refused and not touched', async () => {
  const filled = await makeSqliteFile(user)
  const url = await openTestDatabase()
  await runStatement(url, user)
  const others = await createEmptyDatabase()
  await runStatement(others, 'create table invoices (number integer)')
  const foreign = join(await makeTempDir(), 'astropelago.sqlite')
  runOnFile(foreign, 'create table invoices (number integer)')
  const asItWas = await readFile(foreign)
  for (const [from, to, message] of [
    [filled, url, 'holds the data of a community already (users: 1)'],
    [url, filled, 'holds the data of a community already (users: 1)'],
    [filled, others, 'holds other data (invoices): name an empty database'],
    [url, foreign, 'holds other data (invoices): name an empty database'],
  ] as const) {
    await expect(copyStorage({ from, to })).rejects.toThrow(message)
  }
  expect(await readFile(foreign)).toEqual(asItWas)
  expect(await tablesOf(others)).toEqual(['invoices'])
  expect(await tablesOf(url)).not.toContain('unfinished_copy')
})

test('a source of another version is refused with advice, and a target of an older one is migrated', async () => {
  const earlier = await makeSqliteFile(
    `delete from kysely_migration where name <> '0001-schema'`,
    `update kysely_migration set name = '0001-accounts'`,
  )
  const newer = await makeSqliteFile(`insert into kysely_migration values ('9001-newer', '2030')`)
  const foreign = join(await makeTempDir(), 'other.sqlite')
  runOnFile(foreign, 'create table invoices (number integer)')
  const unfinished = await makeSqliteFile('create table unfinished_copy (source text)')
  const url = await openTestDatabase()
  for (const [from, message] of [
    [earlier, /Start Astropelago dfe8154 once, which upgrades it, then this one\.$/],
    [newer, /is of a newer version of Astropelago: use that version$/],
    [foreign, /holds no data of Astropelago$/],
    [unfinished, /is itself the target of a move that was cut off: finish that one first$/],
  ] as const) {
    await expect(copyStorage({ from, to: url })).rejects.toThrow(message)
  }
  await expect(copyStorage({ from: url, to: newer })).rejects.toThrow(CopyRefused)

  const { databaseUrl: olderTarget = '' } = await placeOfDfe8154()
  await runStatement(olderTarget, 'delete from users')
  for (const to of [olderTarget, await createEmptyDatabase()]) {
    await copyStorage({ from: await makeSqliteFile(user), to })
    expect(await tablesOf(to)).toEqual(await tablesOf(url))
  }
})

test('texts with NUL are counted and named before anything is written', async () => {
  const url = await createEmptyDatabase()
  const path = await makeSqliteFile(
    user,
    `update users set name = 'a' || char(0) || 'b', avatar = char(0)`,
    `insert into key_values values (7, '', 'k' || char(0), '"v"', 3), (7, '', 'fine', '"\\u0000"', 8)`,
  )
  const error = await copyStorage({ from: path, to: url }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CopyRefused)
  const lines = String(error).split('\n')
  expect(lines[0]).toMatch(/Nothing was written\. Mend or delete the rows first, 2 in all:$/)
  expect(lines.slice(1)).toEqual([
    '  users where key 7: avatar, name',
    String.raw`  key_values where user_key 7, collection "", name "k\u0000": name`,
  ])
  expect(await tablesOf(url)).toEqual([])

  runOnFile(path, `update users set name = 'ab', avatar = null`)
  runOnFile(path, `delete from key_values where name <> 'fine'`)
  await copyStorage({ from: path, to: url })
})

test('a folder that can’t be made is named', async () => {
  const file = join(await makeTempDir(), 'file')
  await writeFile(file, '')
  const to = join(file, 'astropelago.sqlite')
  await expect(copyStorage({ from: await openTestDatabase(), to })).rejects.toThrow(
    `--to: ${to} can’t be used: `,
  )
})
