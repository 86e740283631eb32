import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hasUpdated } from '../../storage/count-rows.ts'
import { checkTotal, lockRows } from '../../storage/locks.ts'
import {
  devicesOfUser,
  islandsOfUser,
  islandsWithUser,
  islandsWithValues,
  lockChecks,
  neighboursOf,
  peopleOfIslands,
} from '../../storage/rows-of-user.ts'
import type { Recording } from '../../storage/change-log.ts'
import { recordWithdrawals } from '../../storage/recorded-withdrawals.ts'
import type { Database, DatabaseTransaction, RecordingStorage } from '../../storage/storage.ts'
import { InviteUnusable, type AccountsStore } from './accounts-store.ts'
import { foldUsername } from './fold-username.ts'
import { takeCode } from './sql-one-time-codes-store.ts'
import { sqlSessionsStore } from './sql-sessions-store.ts'
import { toUser, updateUser, userColumns } from './sql-user-rows.ts'

const avatarNameLength = 32

export function sqlAccountsStore(
  storage: RecordingStorage,
  { maxUsers = Infinity }: { readonly maxUsers?: number } = {},
): AccountsStore {
  const { db, changes } = storage
  return {
    insertUser: (user, inviteHash) =>
      db.transaction().execute(async (transaction) => {
        if (inviteHash !== undefined) await useInvite(transaction, inviteHash, user.createdMs)
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

    renewPasswordHash: async (userKey, from, to) => {
      await replaceHash(db, userKey, from, to)
    },

    replacePassword: (userKey, from, to) =>
      changes.write(async (transaction, record) => {
        if (!(await replaceHash(transaction, userKey, from, to))) return false
        record('users', [userKey])
        await endAllAccess(transaction, userKey)
        return true
      }),

    resetPassword: (codeHash, nowMs, to) =>
      changes.write(async (transaction, record) => {
        const code = await takeCode(transaction, codeHash, 'password', nowMs)
        if (code === undefined) return undefined
        record('users', [code.userKey])
        await endAllAccess(transaction, code.userKey)
        return await updateUser(transaction, code.userKey, { password_hash: to })
      }),

    update: (userKey, { isNamePublic, ...others }) =>
      changes.write(async (transaction, record) => {
        record('users', [userKey])
        // A host's name is on the cards of islands.
        if ('name' in others) record('islands', await islandsOfUser(transaction, userKey))
        return await updateUser(transaction, userKey, {
          ...others,
          ...(isNamePublic !== undefined && { is_name_public: isNamePublic ? 1 : 0 }),
        })
      }),

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

    // In one transaction, so that the result includes everything that is deleted.
    deleteUser: (userKey) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [userKey])
        record('users', [userKey])
        record('values', [userKey])
        record('island-values', await islandsWithValues(transaction, userKey))
        record('room-messages', [userKey])
        record('checks', await lockChecks(transaction, 'user_key', userKey))
        const keys = await deviceKeysOf(transaction, userKey)
        await recordWithdrawals({ transaction, record }, 'devices', keys, () =>
          transaction.deleteFrom('devices').where('user_key', '=', userKey).execute(),
        )
        const islandKeys = await islandsOfUser(transaction, userKey)
        await recordPeople({ transaction, record }, userKey, islandKeys)
        await recordWithdrawals({ transaction, record }, 'islands', islandKeys, () =>
          transaction.deleteFrom('users').where('key', '=', userKey).execute(),
        )
        return keys.length
      }),

    setDisabled: (userKey, disabledMs) =>
      changes.write(async (transaction, record) => {
        record('users', [userKey])
        // No device can be added while the user is locked.
        await lockRows(transaction, 'users', [userKey])
        const keys = await deviceKeysOf(transaction, userKey)
        const islandKeys = await islandsOfUser(transaction, userKey)
        const recording = { transaction, record }
        await recordWithdrawals(recording, 'devices', keys, () =>
          recordWithdrawals(recording, 'islands', islandKeys, () =>
            updateUser(transaction, userKey, {
              disabled_ms: disabledMs === null ? null : sql`coalesce(disabled_ms, ${disabledMs})`,
            }),
          ),
        )
        record('tokens', keys)
        record('checks', await lockChecks(transaction, 'user_key', userKey))
        await transaction.deleteFrom('sessions').where('user_key', '=', userKey).execute()
      }),

    setAvatar: (userKey, image) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [userKey])
        record('users', [userKey])
        const avatar = image === null ? null : await putImage(transaction, userKey, image)
        if (image === null) {
          await transaction.deleteFrom('avatars').where('user_key', '=', userKey).execute()
        }
        return await updateUser(transaction, userKey, { avatar })
      }),

    readAvatar: async (name) => {
      const row = await db
        .selectFrom('avatars')
        .innerJoin('users', 'users.key', 'avatars.user_key')
        .select('image')
        .where('avatars.name', '=', name)
        .where('users.disabled_ms', 'is', null)
        .executeTakeFirst()
      return row?.image
    },

    readAvatarOf: async (userKey) => {
      const row = await db
        .selectFrom('avatars')
        .select('image')
        .where('user_key', '=', userKey)
        .executeTakeFirst()
      return row?.image
    },
    ...sqlSessionsStore(storage),
  }
}

async function recordPeople(
  { transaction, record }: Recording,
  userKey: number,
  ownIslandKeys: readonly number[],
): Promise<void> {
  const others = await islandsWithUser(transaction, userKey)
  const people = [
    ...(await peopleOfIslands(transaction, ownIslandKeys)),
    ...others.map((key) => [key, userKey] as const),
  ]
  record('island-members', [...ownIslandKeys, ...others], people)
  record('island-requests', others, people)
  record('island-log', others)
  record('islands', await neighboursOf(transaction, ownIslandKeys))
}

async function replaceHash(db: Database, userKey: number, from: string, to: string) {
  const user = db.updateTable('users').where('key', '=', userKey).where('password_hash', '=', from)
  return await hasUpdated(user.set({ password_hash: to }))
}

async function deviceKeysOf(transaction: DatabaseTransaction, userKey: number) {
  return (await devicesOfUser(transaction, userKey)).map(({ key }) => key)
}

/** @throws InviteUnusable */
async function useInvite(transaction: Database, codeHash: Uint8Array, nowMs: number) {
  const used = transaction
    .updateTable('invites')
    .set((invite) => ({ uses: invite('uses', '+', 1) }))
    .where('code_hash', '=', codeHash)
    .where('expires_ms', '>', nowMs)
    .whereRef('uses', '<', 'max_uses')
  if (await hasUpdated(used)) return
  throw new InviteUnusable('the invite is used up, withdrawn or too old')
}

async function endAllAccess(transaction: DatabaseTransaction, userKey: number): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_key', '=', userKey).execute()
  await transaction.deleteFrom('one_time_codes').where('user_key', '=', userKey).execute()
  await transaction.deleteFrom('api_keys').where('user_key', '=', userKey).execute()
}

async function putImage(transaction: Database, userKey: number, image: Uint8Array) {
  const stored = await transaction
    .selectFrom('avatars')
    .select('salt')
    .where('user_key', '=', userKey)
    .executeTakeFirst()
  const salt = stored?.salt ?? randomBytes(16)
  const hash = createHash('sha256').update(salt).update(image).digest('hex')
  const name = hash.slice(0, avatarNameLength)
  await transaction
    .insertInto('avatars')
    .values({ user_key: userKey, name, salt, image })
    .onConflict((conflict) => conflict.column('user_key').doUpdateSet({ name, image }))
    .execute()
  return name
}
