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
    /** Where tests find PostgreSQL; without it they run on SQLite. */
    readonly testPostgres:
      | { readonly serverUrl: string; readonly template: TestTemplate }
      | undefined
    /** An empty SQLite database for tests to copy; without it they migrate their own. */
    readonly testSqlite: { readonly template: string } | undefined
  }
}

function onFatal(error: Error): never {
  throw error
}

/** PostgreSQL databases of running tests, by the folder that each stands for. */
const urls = new Map<string, Promise<string>>()
/** No time limits, because tests that move the clock of timers would end work in progress. */
export const noLimits = {
  connectMs: 0,
  statementMs: 0,
  lockMs: 0,
  answerMs: 0,
  turnMs: 0,
}
/** For tests of failures: longer than a busy machine takes to answer, but no long wait for a test. */
export const shortLimits = {
  connectMs: 1000,
  statementMs: 1500,
  lockMs: 1000,
  answerMs: 2000,
  turnMs: 1500,
}
/** Empty databases that earlier tests no longer need. */
const spares: string[] = []
/** Starting a thread takes 50 ms of processor time, and opening another database 1 ms. */
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

/** A place where a sync costs nothing. No test cuts the power. */
const memoryDir = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Registers a clean-up for the end of a test or file. The last one runs first. */
export type WhenOver = (undo: () => Promise<void>) => void

/** Makes a temporary folder. It is removed when the test is over, unless the caller decides otherwise. */
export async function makeTempDir(whenOver: WhenOver = onTestFinished): Promise<string> {
  const path = await mkdtemp(join(memoryDir, 'astropelago-'))
  whenOver(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Whether this run of the tests uses PostgreSQL. */
export function isOnPostgres(): boolean {
  return inject('testPostgres') !== undefined
}

/** Opens a real, empty, migrated database. The same folder gives the same database. */
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

/** A database without tables. */
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
  // The pool ends before its connections have ended. They end with the database.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Makes an empty, migrated PostgreSQL database for one test.
 * @returns its URL
 */
export async function openTestDatabase(): Promise<string> {
  const url = await testDatabaseUrl(await makeTempDir())
  if (url === undefined) throw new Error('this test needs PostgreSQL')
  return url
}

/** Undefined if tests run on SQLite. */
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

/** Makes the database refuse writes, as on a read-only disk, or accept them again. */
export async function refuseWrites(storage: Storage, isRefused: boolean): Promise<void> {
  if (storage.kind === 'postgres') await refusePostgresWrites(storage.db, isRefused)
  else await sql.raw(`pragma query_only = ${isRefused ? 'on' : 'off'}`).execute(storage.db)
}

/**
 * Uses triggers, because a setting would stay on one connection, which a pooler then gives to another
 * client.
 */
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
