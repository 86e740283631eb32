import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { insertUser } from '../test/factories.ts'
import { makeTempDir } from '../test/open-test-storage.ts'
import { DatabaseMissing, openSqliteStorage } from './sqlite-storage.ts'
import { StorageUnavailable } from './storage-error.ts'

async function setUp() {
  const dataDir = await makeTempDir()
  const open = () => openSqliteStorage({ dataDir, onFatal: () => undefined })
  const storage = await open()
  // A lost storage can't be closed as usual.
  const close = () => storage.close().catch(() => undefined)
  onTestFinished(close)
  await insertUser(storage.db)
  const write = () =>
    storage.connection.write({
      sql: 'insert into heartbeat_log (at_ms, device_keys) values (?, ?)',
      number: 1,
      bytes: new Uint8Array(4),
    })
  return { dataDir, path: join(dataDir, 'astropelago.sqlite'), storage, open, close, write }
}

test.each([
  ['removed', (path: string) => rm(path)],
  ['moved away', (path: string) => rename(path, `${path}.old`)],
  [
    'replaced by its copy',
    async (path: string) => {
      await copyFile(path, `${path}.copy`)
      await rename(`${path}.copy`, path)
    },
  ],
])('S51 no write is acknowledged once the database file is %s', async (_, lose) => {
  const { storage, path, write } = await setUp()
  await write()
  await storage.ping()
  await lose(path)
  await expect(write()).rejects.toThrow(StorageUnavailable)
  await expect(insertUser(storage.db)).rejects.toThrow(/removed or replaced/)
  await expect(storage.ping()).rejects.toThrow(StorageUnavailable)
})

test('S51 a folder that had a database does not get an empty one without being asked', async () => {
  const { dataDir, path, open, close } = await setUp()
  await close()
  await rename(path, `${path}.old`)
  await expect(open()).rejects.toThrow(new DatabaseMissing(dataDir))
  await rename(`${path}.old`, path)
  const again = await open()
  expect((await sql`select * from users`.execute(again.db)).rows).toHaveLength(1)
  await again.close()
})

test('S51 on a full disk nothing is ready until a write works again', async () => {
  const { storage, write } = await setUp()
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(storage.db)
  const pages = rows[0]?.page_count ?? 0
  await sql.raw(`pragma max_page_count = ${pages}`).execute(storage.db)
  const fill = async () => {
    for (;;) await insertUser(storage.db)
  }
  await expect(fill()).rejects.toThrow(StorageUnavailable)
  await expect(storage.ping()).rejects.toThrow('the last write failed')
  await sql.raw('pragma max_page_count = 1000000').execute(storage.db)
  await write()
  await storage.ping()
})
