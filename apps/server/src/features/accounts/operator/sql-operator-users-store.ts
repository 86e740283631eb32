import { sql, type ExpressionBuilder } from 'kysely'
import type { Schema } from '../../../storage/schema.ts'
import type { Database } from '../../../storage/storage.ts'
import { foldUsername } from '../fold-username.ts'
import type { OperatorUsersStore } from './operator-users-store.ts'

export function sqlOperatorUsersStore(db: Database): OperatorUsersStore {
  return {
    list: async ({ search, after, limit }) => {
      let users = selectUsers(db)
      if (after !== undefined) users = users.where('username_folded', '>', foldUsername(after))
      if (search !== undefined) {
        // Whatever a pattern would take for more than itself is escaped.
        const text = search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)
        const isIn = (column: 'username_folded' | 'name') =>
          sql<boolean>`lower(${sql.ref(column)}) like ${`%${text}%`} escape '\\'`
        users = users.where((where) => where.or([isIn('username_folded'), isIn('name')]))
      }
      const rows = await users.orderBy('username_folded').limit(limit).execute()
      return rows.map(toRecord)
    },

    find: async (username) => {
      const row = await selectUsers(db)
        .where('username_folded', '=', foldUsername(username))
        .executeTakeFirst()
      return row && toRecord(row)
    },

    setRelayStopped: async (userKey, stopped) => {
      const stoppedMs =
        stopped === null ? null : sql<number>`coalesce(relay_stopped_ms, ${stopped.atMs})`
      await db
        .updateTable('users')
        .set({ relay_stopped_ms: stoppedMs, relay_stopped_reason: stopped?.reason ?? null })
        .where('key', '=', userKey)
        .execute()
    },

    setTrusted: async (userKey, trustedMs) => {
      await db
        .updateTable('users')
        .set({
          relay_trusted_ms:
            trustedMs === null ? null : sql<number>`coalesce(relay_trusted_ms, ${trustedMs})`,
        })
        .where('key', '=', userKey)
        .execute()
    },

    figures: async () => {
      const row = await db
        .selectFrom('users')
        .select((users) => [
          users.fn.countAll<number>().as('users'),
          users.fn.sum<number | null>('is_demo').as('demoUsers'),
          users.fn.count<number>('disabled_ms').as('disabledUsers'),
          users
            .selectFrom('sessions')
            .select((sessions) => sessions.fn.countAll<number>().as('count'))
            .as('sessions'),
        ])
        .executeTakeFirstOrThrow()
      return [
        { name: 'users', label: 'Users', value: row.users },
        { name: 'users.demo', label: 'of them demo users', value: row.demoUsers ?? 0 },
        { name: 'users.disabled', label: 'of them turned off', value: row.disabledUsers },
        { name: 'sessions', label: 'Sessions', value: row.sessions ?? 0 },
      ]
    },
  }
}

function selectUsers(db: Database) {
  return db
    .selectFrom('users')
    .select(['key', 'username', 'name', 'avatar', 'is_demo', 'created_ms', 'disabled_ms'])
    .select(['relay_stopped_ms', 'relay_stopped_reason', 'relay_trusted_ms'])
    .select((users) => [
      users
        .selectFrom('devices')
        .select((devices) => devices.fn.countAll<number>().as('count'))
        .whereRef('devices.user_key', '=', 'users.key')
        .as('deviceCount'),
      sessionsOf(users)
        .select((sessions) => sessions.fn.countAll<number>().as('count'))
        .as('sessionCount'),
      sessionsOf(users)
        .select((sessions) => sessions.fn.max('last_used_ms').as('last'))
        .as('lastUsedMs'),
    ])
}

function sessionsOf(users: ExpressionBuilder<Schema, 'users'>) {
  return users.selectFrom('sessions').whereRef('sessions.user_key', '=', 'users.key')
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number]

function toRecord({ is_demo, created_ms, disabled_ms, ...found }: UserRow) {
  const { relay_stopped_ms, relay_stopped_reason, relay_trusted_ms, ...row } = found
  return {
    ...row,
    isDemo: is_demo === 1,
    createdMs: created_ms,
    disabledMs: disabled_ms,
    relayStopped:
      relay_stopped_ms === null
        ? null
        : { atMs: relay_stopped_ms, reason: relay_stopped_reason ?? '' },
    trustedMs: relay_trusted_ms,
    deviceCount: row.deviceCount ?? 0,
    sessionCount: row.sessionCount ?? 0,
  }
}
