import type { Database } from './storage.ts'

/** The keys and ids of a user's devices, oldest first. */
export function devicesOfUser(db: Database, userKey: number) {
  return db
    .selectFrom('devices')
    .select(['key', 'id'])
    .where('user_key', '=', userKey)
    .orderBy('key')
    .execute()
}
