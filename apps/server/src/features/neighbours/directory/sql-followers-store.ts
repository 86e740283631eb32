import { sql } from 'kysely'
import type { RecordingStorage } from '../../../storage/storage.ts'
import type { FollowersStore } from './followers-store.ts'

/** SQLite has no offset without a limit. */
const everything = 1_000_000

export function sqlFollowersStore({ db }: Pick<RecordingStorage, 'db'>): FollowersStore {
  return {
    note: async ({ address, key }, atMs, max) => {
      await sql`
        insert into followers (address, public_key, is_verified, first_ms, last_ms)
        values (${address}, ${key}, 0, ${atMs}, ${atMs})
        on conflict (address) do update set public_key = excluded.public_key, last_ms = excluded.last_ms
        where followers.is_verified = 0 or followers.public_key = excluded.public_key`.execute(db)
      await sql`
        delete from followers where address in (
          select address from followers order by is_verified desc, last_ms desc, address
          limit ${everything} offset ${max})`.execute(db)
    },

    list: async () => {
      const rows = await db
        .selectFrom('followers')
        .selectAll()
        .orderBy('is_verified', 'desc')
        .orderBy('last_ms', 'desc')
        .orderBy('address')
        .execute()
      return rows.map((row) => ({
        address: row.address,
        key: row.public_key,
        isVerified: row.is_verified === 1,
        firstMs: row.first_ms,
        lastMs: row.last_ms,
      }))
    },

    findUnasked: (sinceMs) =>
      db
        .selectFrom('followers')
        .select(['address', 'public_key as key'])
        .where((row) =>
          row.or([
            row('asked_ms', 'is', null),
            row.and([row('asked_ms', '<', sinceMs), row('last_ms', '>', row.ref('asked_ms'))]),
          ]),
        )
        .orderBy(sql`coalesce(asked_ms, 0)`)
        .orderBy('last_ms', 'desc')
        .limit(1)
        .executeTakeFirst(),

    recordAnswer: async ({ address, key }, isVerified, atMs) => {
      await db
        .updateTable('followers')
        .set({
          asked_ms: atMs,
          ...(isVerified !== undefined && { is_verified: Number(isVerified) }),
        })
        .where('address', '=', address)
        .where('public_key', '=', key)
        .execute()
    },
  }
}
