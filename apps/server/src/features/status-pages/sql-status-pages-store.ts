import { StatusPageSettings } from '@astropelago/contract/status-pages'
import * as v from 'valibot'
import { lockRows } from '../../storage/locks.ts'
import type { Database, DatabaseTransaction } from '../../storage/storage.ts'
import type { StatusPagesStore } from './status-pages-store.ts'

const Settings = v.pipe(v.string(), v.parseJson(), StatusPageSettings)

export function sqlStatusPagesStore(db: Database): StatusPagesStore {
  return {
    find: (userKey) => find(db, userKey),

    change: (userKey, change) =>
      db.transaction().execute((transaction) => changePage(transaction, userKey, change)),

    findShown: async (username) => {
      const row = await db
        .selectFrom('status_pages')
        .innerJoin('users', 'users.key', 'status_pages.user_key')
        .select(['users.key', 'users.username', 'status_pages.settings'])
        .where('users.username_folded', '=', username.toLowerCase())
        .where('users.disabled_ms', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const settings = v.parse(Settings, row.settings)
      return settings.isOn ? { userKey: row.key, username: row.username, settings } : undefined
    },
  }
}

export async function changePage(
  transaction: DatabaseTransaction,
  userKey: number,
  change: Parameters<StatusPagesStore['change']>[1],
): Promise<StatusPageSettings> {
  await lockRows(transaction, 'users', [userKey])
  const changed = change(await find(transaction, userKey))
  const settings = JSON.stringify(changed)
  await transaction
    .insertInto('status_pages')
    .values({ user_key: userKey, settings })
    .onConflict((conflict) => conflict.column('user_key').doUpdateSet({ settings }))
    .execute()
  return changed
}

async function find(db: Database, userKey: number) {
  const row = await db
    .selectFrom('status_pages')
    .select('settings')
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  return row && v.parse(Settings, row.settings)
}
