import { valueList } from '../../../storage/sql-lists.ts'
import type { Database } from '../../../storage/storage.ts'
import type { AdmissionsStore } from './admissions-store.ts'

/** Users on one network. Each connection checks whether one of them may enter. */
const usersMax = 100

export function sqlAdmissionsStore(db: Database): AdmissionsStore {
  return {
    admit: async ({ islandKey, userKey, addressHash, atMs }, { everyMs, max }) => {
      const of = { island_key: islandKey, user_key: userKey, address_hash: addressHash }
      const recorded = await db
        .selectFrom('relay_addresses')
        .select('seen_ms')
        .where('island_key', '=', islandKey)
        .where('address_hash', '=', addressHash)
        .where('user_key', '=', userKey)
        .executeTakeFirst()
      if (recorded !== undefined && recorded.seen_ms > atMs - everyMs) return recorded.seen_ms
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('relay_addresses')
          .values({ ...of, seen_ms: atMs })
          .onConflict((conflict) =>
            conflict
              .columns(['island_key', 'address_hash', 'user_key'])
              .doUpdateSet({ seen_ms: atMs }),
          )
          .execute()
        await transaction
          .deleteFrom('relay_addresses')
          .where('island_key', '=', islandKey)
          .where('user_key', '=', userKey)
          .where('address_hash', 'not in', (newest) =>
            newest
              .selectFrom('relay_addresses')
              .select('address_hash')
              .where('island_key', '=', islandKey)
              .where('user_key', '=', userKey)
              .orderBy('seen_ms', 'desc')
              .orderBy('address_hash')
              .limit(max),
          )
          .execute()
      })
      return atMs
    },

    usersAt: async (islandKey, addressHash, sinceMs) => {
      const rows = await db
        .selectFrom('relay_addresses')
        .innerJoin('users', 'users.key', 'relay_addresses.user_key')
        .select('users.key')
        .where('relay_addresses.island_key', '=', islandKey)
        .where('relay_addresses.address_hash', '=', addressHash)
        .where('relay_addresses.seen_ms', '>', sinceMs)
        .where('users.disabled_ms', 'is', null)
        .orderBy('relay_addresses.seen_ms', 'desc')
        .limit(usersMax)
        .execute()
      return rows.map(({ key }) => key)
    },

    activeOf: async (userKeys) => {
      const rows = await db
        .selectFrom('users')
        .select('key')
        .where('key', 'in', valueList(db, 'integer', userKeys))
        .where('disabled_ms', 'is', null)
        .execute()
      return rows.map(({ key }) => key)
    },

    deleteOld: async (untilMs) => {
      await db.deleteFrom('relay_addresses').where('seen_ms', '<=', untilMs).execute()
    },
  }
}
