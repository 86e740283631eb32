import type { Database } from './storage.ts'

/** What each row of a user's devices belongs to, oldest first. */
export function devicesOfUser(db: Database, userKey: number) {
  return db
    .selectFrom('devices')
    .select(['key', 'id'])
    .where('user_key', '=', userKey)
    .orderBy('key')
    .execute()
}
