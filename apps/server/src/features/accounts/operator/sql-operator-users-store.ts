import { sql } from 'kysely'
import type { Database } from '../../../storage/storage.ts'
import type { OperatorUsersStore } from './operator-users-store.ts'

export function sqlOperatorUsersStore(db: Database): OperatorUsersStore {
  const users = () =>
    db.selectFrom('users').select([
      'users.key',
      'users.username',
      'users.name',
      'users.is_demo',
      'users.created_ms as createdMs',
      'users.disabled_ms as disabledMs',
      (select) =>
        select
          .selectFrom('devices')
          .select((devices) => devices.fn.countAll<number>().as('count'))
          .whereRef('devices.user_key', '=', 'users.key')
          .as('deviceCount'),
      (select) =>
        select
          .selectFrom('sessions')
          .select((sessions) => sessions.fn.countAll<number>().as('count'))
          .whereRef('sessions.user_key', '=', 'users.key')
          .as('sessionCount'),
      (select) =>
        select
          .selectFrom('sessions')
          .select((sessions) => sessions.fn.max('last_used_ms').as('last'))
          .whereRef('sessions.user_key', '=', 'users.key')
          .as('lastUsedMs'),
    ])

  return {
    list: async ({ search, after, limit }) => {
      let query = users()
      if (after !== undefined) query = query.where('username_folded', '>', after)
      if (search !== undefined) {
        const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
        query = query.where(
          sql<boolean>`(username_folded like ${pattern} escape '\\' or lower(name) like ${pattern} escape '\\')`,
        )
      }
      const rows = await query.orderBy('username_folded').limit(limit).execute()
      return rows.map(({ is_demo, ...row }) => ({
        ...row,
        isDemo: is_demo === 1,
        deviceCount: row.deviceCount ?? 0,
        sessionCount: row.sessionCount ?? 0,
      }))
    },
  }
}
