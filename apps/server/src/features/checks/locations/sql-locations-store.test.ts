import { randomUUID } from 'node:crypto'
import { insertDevice, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { sqlAccountsStore } from '../../accounts/sql-accounts-store.ts'
import { sqlChecksStore } from '../sql-checks-store.ts'
import { locationsStoreContract } from './locations-store.contract.ts'
import { sqlLocationsStore } from './sql-locations-store.ts'

locationsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const checks = sqlChecksStore(storage)
  return {
    store: sqlLocationsStore(storage),
    insertUser: () => insertUser(db),
    insertDevice: async (userKey) => {
      const key = await insertDevice(db, userKey)
      const { id } = await db
        .selectFrom('devices')
        .select('id')
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      return { key, id }
    },
    insertCheck: async (userKey) => {
      const target = {
        kind: 'tcp',
        host: 'a.example',
        port: 443,
        periodS: 60,
        timeoutS: 10,
      } as const
      const made = await checks.insert(
        {
          id: randomUUID(),
          userKey,
          name: 'Harbor',
          target,
          publicMs: null,
          isPaused: false,
          islandKey: null,
          deviceId: null,
          pushHash: null,
          sourceId: null,
          createdMs: 0,
        },
        { perUser: 10 },
      )
      if (made === 'check_limit') throw new Error(made)
      return made.key
    },
    insertSample: async (checkKey, locationKey, atMs) => {
      const sample = { check_key: checkKey, location_key: locationKey, at_ms: atMs, took_ms: 1 }
      await db.insertInto('check_samples').values(sample).execute()
    },
    deleteDevice: async (key) => {
      await db.deleteFrom('devices').where('key', '=', key).execute()
    },
    disable: async (userKey) => {
      await sqlAccountsStore(storage).setDisabled(userKey, 1)
    },
  }
})
