import { sql } from 'kysely'
import { insertDevice } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { presenceStoreContract } from './presence-store.contract.ts'
import { presenceStore } from './presence-feature.ts'

const rest = () => Promise.resolve()

presenceStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const reopen = () => presenceStore(storage, { loadPageSize: 7, foldSize: 2, rest })
  return {
    store: reopen(),
    reopen,
    insertDevice: async (schedule) => {
      const key = await insertDevice(db)
      if (schedule === undefined) return key
      await db.updateTable('devices').set({ schedule }).where('key', '=', key).execute()
      return key
    },
    deleteDevice: async (deviceKey) => {
      await db.deleteFrom('devices').where('key', '=', deviceKey).execute()
    },
    countLogged: async () => {
      if (storage.kind === 'postgres') {
        const { rows } = await sql<{ count: number }>`
          select count(*) from changes join writers using (writer)
          where topic = 'heartbeats' and changes.number > folded`.execute(db)
        return rows[0]?.count ?? 0
      }
      const { count } = await db
        .selectFrom('heartbeat_log')
        .select((log) => log.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    readUnobserved: () =>
      db
        .selectFrom('unobserved')
        .select(['from_ms as fromMs', 'to_ms as toMs', 'writer'])
        .orderBy('from_ms')
        .execute(),
  }
})
