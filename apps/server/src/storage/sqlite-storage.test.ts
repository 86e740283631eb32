import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertUser } from '../test/factories.ts'
import { makeTempDir, openTestStorage } from '../test/open-test-storage.ts'

test('closing leaves one file with all data', async () => {
  const dataDir = await makeTempDir()
  const storage = await openTestStorage(dataDir)
  await insertUser(storage.db)
  await storage.close()
  const path = join(dataDir, 'astropelago.sqlite')
  const database = new DatabaseSync(`file:${path}?immutable=1`, { readOnly: true })
  expect(database.prepare('select count(*) as count from users').get()).toMatchObject({ count: 1 })
  database.close()
})

test('a list can’t be bound as a value', async () => {
  const { db } = await openTestStorage()
  await expect(sql`select ${[1]} as value`.execute(db)).rejects.toThrow(TypeError)
})
