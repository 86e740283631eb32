import type { UserKind } from '@astropelago/contract/operator'
import { sql, type ExpressionBuilder, type UpdateObject } from 'kysely'
import type { Schema } from '../../../storage/schema.ts'
import { islandsOfUser } from '../../../storage/rows-of-user.ts'
import type { Database, RecordingStorage } from '../../../storage/storage.ts'
import { foldUsername } from '../fold-username.ts'
import type { OperatorUsersStore } from './operator-users-store.ts'

/** @param longReads a connection for searches through all users, which are slow */
export function sqlOperatorUsersStore(
  { db, changes }: RecordingStorage,
  longReads: Database,
): OperatorUsersStore {
  const update = (userKey: number, set: UpdateObject<Schema, 'users'>) =>
    changes.write(async (transaction, record) => {
      await transaction.updateTable('users').set(set).where('key', '=', userKey).execute()
      record('islands', await islandsOfUser(transaction, userKey))
    })

  return {
    list: async ({ search, only, operators, order, limit }) => {
      // Reads the columns to show only for the users that were found.
      let found = longReads.selectFrom('users').select('users.key')
      if (search !== undefined) {
        // Escape the wildcards of LIKE.
        const text = search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)
        const isIn = (column: 'username_folded' | 'name') =>
          sql<boolean>`lower(${sql.ref(column)}) like ${`%${text}%`} escape '\\'`
        found = found.where((where) => where.or([isIn('username_folded'), isIn('name')]))
      }
      if (only !== undefined) found = found.where(isOfKind(only, operators))
      if (order.by === 'username') {
        found = found
          .where('username_folded', '>', foldUsername(order.after))
          .orderBy('username_folded')
      } else {
        const { atMs, id } = order.after
        const ms = order.by === 'newest' ? sql<number>`users.created_ms` : seenMs
        found = found
          .where(sql<boolean>`(${ms}, username_folded) < (${atMs}, ${foldUsername(id)})`)
          .orderBy(ms, 'desc')
          .orderBy('username_folded', 'desc')
      }
      const keys = (await found.limit(limit).execute()).map(({ key }) => key)
      if (keys.length === 0) return []
      const rows = await selectUsers(longReads).where('key', 'in', keys).execute()
      const byKey = new Map(rows.map((row) => [row.key, toRecord(row)]))
      return keys.flatMap((key) => byKey.get(key) ?? [])
    },

    find: async (username) => {
      const row = await selectUsers(db)
        .where('username_folded', '=', foldUsername(username))
        .executeTakeFirst()
      return row && toRecord(row)
    },

    setRelayStopped: (userKey, stopped) =>
      update(userKey, {
        relay_stopped_ms: earlier('relay_stopped_ms', stopped?.atMs ?? null),
        relay_stopped_reason: stopped?.reason ?? null,
      }),

    setTrusted: (userKey, trustedMs) =>
      update(userKey, { relay_trusted_ms: earlier('relay_trusted_ms', trustedMs) }),

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

/** A time to store, unless the column has an earlier one; null clears the column. */
function earlier(column: 'relay_stopped_ms' | 'relay_trusted_ms', atMs: number | null) {
  return atMs === null ? null : sql<number>`coalesce(${sql.ref(column)}, ${atMs})`
}

/** When any of the user's sessions was last used; 0 if none is left. */
const seenMs = sql<number>`coalesce(
  (select max(last_used_ms) from sessions where sessions.user_key = users.key), 0
)`

function isOfKind(only: UserKind, operators: ReadonlySet<string>) {
  return (where: ExpressionBuilder<Schema, 'users'>) => {
    switch (only) {
      case 'operators':
        return where.and([
          where('is_demo', '=', 0),
          where('username_folded', 'in', ['', ...operators]),
        ])
      case 'disabled':
        return where('disabled_ms', 'is not', null)
      case 'demo':
        return where('is_demo', '=', 1)
      case 'trusted':
        return where('relay_trusted_ms', 'is not', null)
      case 'relay-stopped':
        return where('relay_stopped_ms', 'is not', null)
      default: {
        const devices = where
          .selectFrom('devices')
          .select('devices.key')
          .whereRef('devices.user_key', '=', 'users.key')
        return where.not(where.exists(devices))
      }
    }
  }
}

function selectUsers(db: Database) {
  return db
    .selectFrom('users')
    .select(['key', 'username', 'name', 'avatar', 'is_demo as isDemo', 'created_ms as createdMs'])
    .select(['disabled_ms as disabledMs', 'relay_trusted_ms as trustedMs'])
    .select(['relay_stopped_ms as stoppedMs', 'relay_stopped_reason as stoppedReason'])
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

function toRecord({ isDemo, stoppedMs, stoppedReason, ...row }: UserRow) {
  return {
    ...row,
    isDemo: isDemo === 1,
    relayStopped: stoppedMs === null ? null : { atMs: stoppedMs, reason: stoppedReason ?? '' },
    deviceCount: row.deviceCount ?? 0,
    sessionCount: row.sessionCount ?? 0,
  }
}
