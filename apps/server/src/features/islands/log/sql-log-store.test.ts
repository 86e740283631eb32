import { expect, test } from 'vitest'
import { insertDevice, insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { logStoreContract } from './log-store.contract.ts'
import { sqlLogStore } from './sql-log-store.ts'
import { sqlOpeningsStore } from './sql-openings-store.ts'

logStoreContract(async () => {
  const { db, longReads } = await openTestStorage()
  return {
    log: sqlLogStore(db, longReads),
    openings: sqlOpeningsStore(db),
    insertUser: () => insertUser(db),
    deleteUser: async (key) => {
      await db.deleteFrom('users').where('key', '=', key).execute()
    },
    insertDevice: () => insertDevice(db),
    insertIsland: (details) => insertIsland(db, details),
    insertFlips: async (flips) => {
      for (const [device_key, status, at_ms] of flips) {
        await db.insertInto('presence_events').values({ device_key, status, at_ms }).execute()
      }
    },
  }
})

test('S52 reading signals that are for everybody holds up no write, nor waits for one', async () => {
  const { kind, db, longReads } = await openTestStorage()
  // On PostgreSQL both are one.
  if (kind === 'postgres') return
  const log = sqlLogStore(db, longReads)
  const write = Promise.withResolvers<void>()
  const writing = db.transaction().execute(() => write.promise)
  expect(await log.listPublicSignals({ nowMs: 0, limit: 1 })).toEqual([])
  write.resolve()
  await writing
})
