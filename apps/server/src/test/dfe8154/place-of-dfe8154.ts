import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Kysely } from 'kysely'
import { Client, Pool } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { unhurriedSettings } from '../../storage/postgres-settings.ts'
import { MigratingDialect } from '../../storage/postgres-storage.ts'
import type { Schema } from '../../storage/schema.ts'
import { SqliteConnection } from '../../storage/sqlite-connection.ts'
import { sqliteDialect } from '../../storage/sqlite-dialect.ts'
import { databasePath } from '../../storage/sqlite-storage.ts'
import { makeTempDir } from '../open-test-storage.ts'
import { createDatabase, dropDatabase } from '../test-databases.ts'

const token = (name: string) => name.padEnd(43, '-')

/** What the user Nova of these databases has. */
export const nova = {
  username: 'Nova',
  password: 'from dfe8154',
  session: token('session'),
  apiKey: `apk_${token('key')}`,
  deviceId: 'device-of-nova',
  /** Reports heartbeats of that device. */
  reportToken: `apd_${token('report')}`,
  /** Connects its agent, which carries the island `nova-lab`. */
  relayToken: `apd_${token('relay')}`,
  slug: 'nova-lab',
}

export interface Place {
  readonly dataDir: string
  /** Undefined on SQLite. */
  readonly databaseUrl: string | undefined
}

/**
 * A database that dfe8154 made, with rows in each table: awkward values, and those of Nova. On PostgreSQL it
 * is a dump by `pg_dump`.
 */
export async function placeOfDfe8154(): Promise<Place> {
  const postgres = inject('testPostgres')
  const dataDir = join(await makeTempDir(), 'data')
  if (postgres === undefined) {
    await mkdir(dataDir)
    await writeFile(databasePath(dataDir), await fileOfDfe8154())
    return { dataDir, databaseUrl: undefined }
  }
  const databaseUrl = await createDatabase(postgres.serverUrl)
  onTestFinished(() => dropDatabase(postgres.serverUrl, databaseUrl))
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query((await unpack('filled.postgres.sql.gz')).toString())
  await client.end()
  return { dataDir, databaseUrl }
}

/** The database as it is, without a migration. */
export async function openAsItIs({ dataDir, databaseUrl }: Place): Promise<Kysely<Schema>> {
  const dialect =
    databaseUrl === undefined
      ? await SqliteConnection.open(databasePath(dataDir), onFatal).then((connection) =>
          sqliteDialect(async () => connection),
        )
      : new MigratingDialect({ pool: poolOf(databaseUrl) })
  const db = new Kysely<Schema>({ dialect })
  onTestFinished(() => db.destroy())
  return db
}

function poolOf(databaseUrl: string): Pool {
  const pool = new Pool(unhurriedSettings(databaseUrl))
  // It ends before its connections have ended. They end with the database.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function onFatal(error: Error): never {
  throw error
}

/** Its SQLite file, which is what a backup by dfe8154 is too. */
export function fileOfDfe8154(): Promise<Buffer> {
  return unpack('filled.sqlite.gz')
}

async function unpack(name: string): Promise<Buffer> {
  return gunzipSync(await readFile(join(import.meta.dirname, name)))
}
