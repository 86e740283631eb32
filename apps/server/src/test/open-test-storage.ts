import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Pool } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { MigratingDialect, openPostgresStorage } from '../storage/postgres-storage.ts'
import { unhurriedSettings } from '../storage/postgres-settings.ts'
import type { Schema } from '../storage/schema.ts'
import { SqliteConnection } from '../storage/sqlite-connection.ts'
import { SqliteThread, type SqliteThreads } from '../storage/sqlite-thread.ts'
import { sqliteDialect } from '../storage/sqlite-dialect.ts'
import { databasePath, openSqliteStorage } from '../storage/sqlite-storage.ts'
import type { Storage } from '../storage/storage.ts'
import {
  copyTemplate,
  createDatabase,
  dropDatabase,
  emptyDatabase,
  type TestTemplate,
} from './test-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests find their database; without it they run on SQLite. */
    readonly testPostgres:
      | { readonly serverUrl: string; readonly template: TestTemplate }
      | undefined
    /** An empty database on SQLite, of which tests get copies; without it they migrate their own. */
    readonly testSqlite: { readonly template: string } | undefined
  }
}

function onFatal(error: Error): never {
  throw error
}

/** The PostgreSQL databases of tests that are running, by the folder that each stands for. */
const urls = new Map<string, Promise<string>>()
/** Tests that move the clock of timers would end what is under way. */
export const noLimits = {
  connectMs: 0,
  statementMs: 0,
  lockMs: 0,
  answerMs: 0,
  turnMs: 0,
}
/** For tests of what fails: more than a busy machine takes to answer, and yet no test waits for long. */
export const shortLimits = {
  connectMs: 1000,
  statementMs: 1500,
  lockMs: 1000,
  answerMs: 2000,
  turnMs: 1500,
}
/** Empty ones that earlier tests are done with. */
const spares: string[] = []
/** A thread takes 50 ms of processor to start, and 1 to open another database. */
const idleThreads: SqliteThread[] = []
const warmThreads: SqliteThreads = {
  take: () => {
    const thread = idleThreads.pop() ?? new SqliteThread()
    thread.worker.ref()
    return thread
  },
  giveBack: async (thread) => {
    thread.worker.unref()
    idleThreads.push(thread)
  },
}

/** Where a sync costs nothing: no test cuts the power. */
const memoryDir = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Registers what is to be undone when whatever it was made for is over, last first. */
export type WhenOver = (undo: () => Promise<void>) => void

/** A folder of its own, removed when the test is over, or as the caller has it. */
export async function makeTempDir(whenOver: WhenOver = onTestFinished): Promise<string> {
  const path = await mkdtemp(join(memoryDir, 'astropelago-'))
  whenOver(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Whether this run of the tests is the one on PostgreSQL. */
export function isOnPostgres(): boolean {
  return inject('testPostgres') !== undefined
}

/** A real, empty, migrated database; that of the same folder is the same one. */
export async function openTestStorage(
  dataDir?: string,
  whenOver: WhenOver = onTestFinished,
): Promise<Storage> {
  const path = dataDir ?? (await makeTempDir(whenOver))
  const databaseUrl = await testDatabaseUrl(path, whenOver)
  const storage =
    databaseUrl === undefined
      ? await openTestSqlite(path)
      : await openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
  whenOver(() => storage.close())
  return storage
}

async function openTestSqlite(dataDir: string): Promise<Storage> {
  const sqlite = inject('testSqlite')
  const path = databasePath(dataDir)
  if (sqlite !== undefined && !existsSync(path)) await copyFile(sqlite.template, path)
  return await openSqliteStorage({ dataDir, onFatal, threads: warmThreads })
}

/** A database without a table. */
export async function openUnmigrated(): Promise<Kysely<Schema>> {
  const postgres = inject('testPostgres')
  const db = new Kysely<Schema>({
    dialect:
      postgres === undefined
        ? await unmigratedDialect()
        : new MigratingDialect({ pool: await openUnmigratedPool(postgres.serverUrl) }),
  })
  onTestFinished(() => db.destroy())
  return db
}

async function unmigratedDialect() {
  const path = join(await makeTempDir(), 'test.sqlite')
  const connection = await SqliteConnection.open(path, onFatal)
  return sqliteDialect(async () => connection)
}

async function openUnmigratedPool(serverUrl: string): Promise<Pool> {
  const url = await createDatabase(serverUrl)
  onTestFinished(() => dropDatabase(serverUrl, url))
  const pool = new Pool(unhurriedSettings(url))
  // It says that it has ended before its connections have, which then go with the database.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The address of an empty, migrated PostgreSQL database for one test. */
export async function openTestDatabase(): Promise<string> {
  const url = await testDatabaseUrl(await makeTempDir())
  if (url === undefined) throw new Error('this test needs PostgreSQL')
  return url
}

/** Undefined where tests run on SQLite. */
async function testDatabaseUrl(
  dataDir: string,
  whenOver: WhenOver = onTestFinished,
): Promise<string | undefined> {
  const postgres = inject('testPostgres')
  if (postgres === undefined) return undefined
  const known = urls.get(dataDir)
  if (known !== undefined) return await known
  const { serverUrl, template } = postgres
  const spare = spares.pop()
  const url = spare === undefined ? copyTemplate(serverUrl, template) : Promise.resolve(spare)
  urls.set(dataDir, url)
  whenOver(async () => {
    urls.delete(dataDir)
    if ((await emptyDatabase(await url)) === template.schema) spares.push(await url)
    else await dropDatabase(serverUrl, await url)
  })
  return await url
}

/** Lets the database refuse what is written, as on a disk that is read-only, or take it again. */
export async function refuseWrites(storage: Storage, isRefused: boolean): Promise<void> {
  if (storage.kind === 'postgres') await refusePostgresWrites(storage.db, isRefused)
  else await sql.raw(`pragma query_only = ${isRefused ? 'on' : 'off'}`).execute(storage.db)
}

/** A setting would hold for one connection, which a pooler then gives to somebody else. */
async function refusePostgresWrites(db: Kysely<Schema>, isRefused: boolean): Promise<void> {
  if (!isRefused) {
    await sql`drop function refuse() cascade`.execute(db)
    return
  }
  await sql`do $do$
    declare
      name text;
    begin
      create function refuse() returns trigger language plpgsql as
        'begin raise exception using errcode = ''read_only_sql_transaction''; end';
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format(
          'create trigger refuse before insert or update or delete on %I execute function refuse()',
          name
        );
      end loop;
    end
  $do$`.execute(db)
}
