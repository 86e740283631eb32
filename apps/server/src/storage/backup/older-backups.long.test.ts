import { join } from 'node:path'
import { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { fillAsOf } from '../../test/fill-as-of.ts'
import { isOnPostgres, makeTempDir, openTestDatabase } from '../../test/open-test-storage.ts'
import { migrations } from '../migrations.ts'
import type { Schema } from '../schema.ts'
import { SqliteConnection } from '../sqlite-connection.ts'
import { sqliteDialect } from '../sqlite-dialect.ts'
import { openStorage } from '../storage.ts'
import { checkFile } from './check-file.ts'
import { restore } from './restore.ts'

test.each(Object.keys(migrations).slice(0, -1))(
  'S42 a backup as of %s is brought to this version and restored',
  async (level) => {
    const file = join(await makeTempDir(), 'backup.sqlite')
    const connection = await SqliteConnection.open(file, throwIt)
    const db = new Kysely<Schema>({ dialect: sqliteDialect(async () => connection) })
    await fillAsOf(db, level)
    await db.destroy()
    expect(checkFile(file).isOlder).toBe(true)
    const databaseUrl = isOnPostgres() ? await openTestDatabase() : undefined
    const place = { dataDir: join(await makeTempDir(), 'data'), databaseUrl }
    await restore({ ...place, file })
    const server = await openStorage({ ...place, onFatal: throwIt })
    onTestFinished(() => server.close())
    const users = await server.db.selectFrom('users').select('username').execute()
    expect(users).toEqual([{ username: 'Nova' }, { username: 'Vega' }])
  },
)

function throwIt(error: Error): never {
  throw error
}
