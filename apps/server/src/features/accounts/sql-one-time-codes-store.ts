import { sql, type NotNull } from 'kysely'
import { countDeleted } from '../../storage/count-rows.ts'
import { lockRows } from '../../storage/locks.ts'
import type { Database, DatabaseTransaction } from '../../storage/storage.ts'
import type { CodePurpose, OneTimeCodesStore } from './one-time-codes-store.ts'

const maxEnded = 1000

export function sqlOneTimeCodesStore(db: Database): OneTimeCodesStore {
  return {
    insert: (code, limit) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [code.userKey])
        await transaction
          .insertInto('one_time_codes')
          .values({
            code_hash: code.codeHash,
            user_key: code.userKey,
            purpose: code.purpose,
            email: code.email,
            expires_ms: code.expiresMs,
          })
          .execute()
        const oldest = transaction
          .selectFrom('one_time_codes')
          .select('key')
          .where('user_key', '=', code.userKey)
          .where('purpose', '=', code.purpose)
          .orderBy('key', 'desc')
          // SQLite requires a limit with an offset.
          .limit(maxEnded)
          .offset(limit)
        await transaction.deleteFrom('one_time_codes').where('key', 'in', oldest).execute()
      }),

    findPasswordCode: (codeHash, nowMs) =>
      db
        .selectFrom('one_time_codes')
        .innerJoin('users', 'users.key', 'one_time_codes.user_key')
        .select(['users.key as userKey', 'users.username'])
        .where('code_hash', '=', codeHash)
        .where('purpose', '=', 'password')
        .where('one_time_codes.expires_ms', '>', nowMs)
        .executeTakeFirst(),

    deleteExpired: (nowMs) =>
      countDeleted(db.deleteFrom('one_time_codes').where('expires_ms', '<=', nowMs)),

    findEmail: async (userKey, nowMs) => {
      const owner = await findOwner(db, userKey)
      const code = await db
        .selectFrom('one_time_codes')
        .select(['email', 'expires_ms'])
        .where('user_key', '=', userKey)
        .where('purpose', '=', 'email')
        .where('expires_ms', '>', nowMs)
        .orderBy('key', 'desc')
        .executeTakeFirst()
      return {
        address: owner?.email ?? null,
        pending: code?.email ? { address: code.email, expiresMs: code.expires_ms } : null,
      }
    },

    findEmailOwners: (address, limit) =>
      db
        .selectFrom('users')
        .select(['key as userKey', 'username', 'email as address'])
        .where(sql`lower(email)`, '=', address.toLowerCase())
        .where('email', 'is not', null)
        .$narrowType<{ address: NotNull }>()
        .orderBy('key')
        .limit(limit)
        .execute(),

    removeEmail: (userKey) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [userKey])
        const owner = await findOwner(transaction, userKey)
        await setEmail(transaction, userKey, null)
        return owner?.email ?? null
      }),

    confirmEmail: (codeHash, nowMs) =>
      db.transaction().execute(async (transaction) => {
        const code = await takeCode(transaction, codeHash, 'email', nowMs)
        if (code?.email == null) return undefined
        const { userKey, email: address } = code
        const owner = await findOwner(transaction, userKey)
        if (owner === undefined) return undefined
        await setEmail(transaction, userKey, address)
        return { userKey, username: owner.username, address, former: owner.email }
      }),
  }
}

async function findOwner(db: Database, userKey: number) {
  return await db
    .selectFrom('users')
    .select(['username', 'email'])
    .where('key', '=', userKey)
    .executeTakeFirst()
}

/** Ends all codes too. */
async function setEmail(transaction: DatabaseTransaction, userKey: number, email: string | null) {
  await transaction.deleteFrom('one_time_codes').where('user_key', '=', userKey).execute()
  await transaction.updateTable('users').set({ email }).where('key', '=', userKey).execute()
}

/** Uses up a code, in the transaction of the action it authorizes. Of simultaneous callers, one gets it. */
export async function takeCode(
  transaction: DatabaseTransaction,
  codeHash: Uint8Array,
  purpose: CodePurpose,
  nowMs: number,
) {
  const found = await transaction
    .selectFrom('one_time_codes')
    .select('user_key')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  if (found === undefined) return undefined
  // Lock the user before the code, in the same order as everywhere else.
  await lockRows(transaction, 'users', [found.user_key])
  return await transaction
    .deleteFrom('one_time_codes')
    .where('code_hash', '=', codeHash)
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', nowMs)
    .returning(['user_key as userKey', 'email'])
    .executeTakeFirst()
}
