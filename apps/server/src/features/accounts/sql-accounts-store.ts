import { sql, type Selectable } from 'kysely'
import { checkTotal } from '../../storage/check-total.ts'
import { lockRows } from '../../storage/locks.ts'
import type { Schema } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { AccountsStore, SessionRecord, UserRecord } from './accounts-store.ts'
import { foldUsername } from './fold-username.ts'

const userColumns = [
  'users.key',
  'users.username',
  'users.password_hash',
  'users.name',
  'users.avatar',
  'users.is_name_public',
  'users.is_demo',
  'users.created_ms',
  'users.expires_ms',
  'users.disabled_ms',
] as const

const sessionColumns = ['token_hash', 'user_key', 'created_ms', 'last_used_ms'] as const

/** Sessions that one more can end: a limit that was lowered leaves many. */
const maxEnded = 10_000

export function sqlAccountsStore(
  db: Database,
  { maxUsers = Infinity }: { readonly maxUsers?: number } = {},
): AccountsStore {
  return {
    insertUser: (user) =>
      db.transaction().execute(async (transaction) => {
        await checkTotal(transaction, 'users', maxUsers)
        const row = await transaction
          .insertInto('users')
          .values({
            username: user.username,
            username_folded: foldUsername(user.username),
            password_hash: user.passwordHash,
            name: null,
            avatar: null,
            is_demo: user.isDemo ? 1 : 0,
            created_ms: user.createdMs,
            expires_ms: user.expiresMs,
          })
          .returning(userColumns)
          .executeTakeFirstOrThrow()
        return toUser(row)
      }),

    findUser: async (username) => {
      const row = await db
        .selectFrom('users')
        .select(userColumns)
        .where('username_folded', '=', foldUsername(username))
        .executeTakeFirst()
      return row && toUser(row)
    },

    setPasswordHash: async (userKey, passwordHash) => {
      await db
        .updateTable('users')
        .set({ password_hash: passwordHash })
        .where('key', '=', userKey)
        .execute()
    },

    update: async (userKey, { isNamePublic, ...changes }) => {
      const row = await db
        .updateTable('users')
        .set({
          ...changes,
          ...(isNamePublic !== undefined && { is_name_public: isNamePublic ? 1 : 0 }),
        })
        .where('key', '=', userKey)
        .returning(userColumns)
        .executeTakeFirst()
      return row && toUser(row)
    },

    listExpiredUsers: async (nowMs, limit) => {
      const rows = await db
        .selectFrom('users')
        .select(userColumns)
        .where('expires_ms', '<=', nowMs)
        .orderBy('expires_ms')
        .limit(limit)
        .execute()
      return rows.map(toUser)
    },

    // In one transaction, so that no device is added in between and goes without a word.
    deleteUser: (userKey) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [userKey])
        const devices = await transaction
          .deleteFrom('devices')
          .where('user_key', '=', userKey)
          .returning('key')
          .execute()
        await transaction.deleteFrom('users').where('key', '=', userKey).execute()
        return devices.map(({ key }) => key)
      }),

    setDisabled: (userKey, disabledMs) =>
      db.transaction().execute(async (transaction) => {
        // No device is added in between and goes without a word.
        await lockRows(transaction, 'users', [userKey])
        await transaction
          .updateTable('users')
          .set({
            disabled_ms: disabledMs === null ? null : sql`coalesce(disabled_ms, ${disabledMs})`,
          })
          .where('key', '=', userKey)
          .execute()
        await transaction.deleteFrom('sessions').where('user_key', '=', userKey).execute()
        const devices = await transaction
          .selectFrom('devices')
          .select('key')
          .where('user_key', '=', userKey)
          .execute()
        return devices.map(({ key }) => key)
      }),

    startSession: (session, replacedTokenHash, limit) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [session.userKey])
        if (replacedTokenHash !== null) {
          await transaction
            .deleteFrom('sessions')
            .where('token_hash', '=', replacedTokenHash)
            .execute()
        }
        await transaction
          .insertInto('sessions')
          .values({
            token_hash: session.tokenHash,
            user_key: session.userKey,
            created_ms: session.createdMs,
            last_used_ms: session.lastUsedMs,
          })
          .execute()
        const others = transaction
          .selectFrom('sessions')
          .select('token_hash')
          .where('user_key', '=', session.userKey)
          .where('token_hash', '!=', session.tokenHash)
          .orderBy('created_ms', 'desc')
        const ended = await transaction
          .deleteFrom('sessions')
          // SQLite wants a limit beside an offset.
          .where('token_hash', 'in', others.limit(maxEnded).offset(limit - 1))
          .returning('token_hash')
          .execute()
        return ended.map((row) => row.token_hash)
      }),

    findSession: async (tokenHash) => {
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.key', 'sessions.user_key')
        .select(userColumns)
        .select([
          'sessions.created_ms as session_created_ms',
          'sessions.last_used_ms as session_last_used_ms',
        ])
        .where('sessions.token_hash', '=', tokenHash)
        .executeTakeFirst()
      return (
        row && {
          user: toUser(row),
          session: {
            tokenHash,
            userKey: row.key,
            createdMs: row.session_created_ms,
            lastUsedMs: row.session_last_used_ms,
          },
        }
      )
    },

    noteSessionUse: async (tokenHash, atMs) => {
      await db
        .updateTable('sessions')
        .set({ last_used_ms: atMs })
        .where('token_hash', '=', tokenHash)
        .execute()
    },

    endSession: async (tokenHash) => {
      const row = await db
        .deleteFrom('sessions')
        .where('token_hash', '=', tokenHash)
        .returning(sessionColumns)
        .executeTakeFirst()
      return row && toSession(row)
    },

    endSessions: async (userKey) => {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('user_key', '=', userKey)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    deleteSessions: async ({ createdMs, lastUsedMs }) => {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where((where) =>
          where.or([where('created_ms', '<=', createdMs), where('last_used_ms', '<=', lastUsedMs)]),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

type UserRow = Omit<Selectable<Schema['users']>, 'username_folded'>

function toUser(row: UserRow): UserRecord {
  return {
    key: row.key,
    username: row.username,
    passwordHash: row.password_hash,
    name: row.name,
    avatar: row.avatar,
    isNamePublic: row.is_name_public === 1,
    isDemo: row.is_demo === 1,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    disabledMs: row.disabled_ms,
  }
}

function toSession(row: Selectable<Schema['sessions']>): SessionRecord {
  return {
    tokenHash: row.token_hash,
    userKey: row.user_key,
    createdMs: row.created_ms,
    lastUsedMs: row.last_used_ms,
  }
}
