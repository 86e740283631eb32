import { sql, type DeleteQueryBuilder, type DeleteResult } from 'kysely'
import type { Recording } from '../../storage/change-log.ts'
import { lockRows } from '../../storage/locks.ts'
import type { Schema } from '../../storage/schema.ts'
import { fromHex, rowList } from '../../storage/sql-lists.ts'
import type { RecordingStorage } from '../../storage/storage.ts'
import type { AccountsStore } from './accounts-store.ts'
import { toUser, userColumns } from './sql-user-rows.ts'

const sessionColumns = [
  'token_hash as tokenHash',
  'id',
  'user_key as userKey',
  'device',
  'address_family as addressFamily',
  'created_ms as createdMs',
  'last_used_ms as lastUsedMs',
] as const

/** How many old sessions a new one deletes at most. There are many after the limit was lowered. */
const maxEnded = 10_000

type Deletion = DeleteQueryBuilder<Schema, 'sessions', DeleteResult>

export function sqlSessionsStore({ db, changes }: RecordingStorage) {
  const end = (some: (sessions: Deletion) => Deletion) =>
    changes.write((transaction, record) => endIn({ transaction, record }, some))

  return {
    startSession: (session, replacedTokenHash, limit, verifiedHash) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [session.userKey])
        if (verifiedHash !== undefined) {
          const user = await transaction
            .selectFrom('users')
            .select('key')
            .where('key', '=', session.userKey)
            .where('password_hash', '=', verifiedHash)
            .executeTakeFirst()
          if (user === undefined) return false
        }
        if (replacedTokenHash !== null) {
          await endIn({ transaction, record }, (sessions) =>
            sessions.where('token_hash', '=', replacedTokenHash),
          )
        }
        await transaction
          .insertInto('sessions')
          .values({
            token_hash: session.tokenHash,
            id: session.id,
            user_key: session.userKey,
            device: session.device,
            address_family: session.addressFamily,
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
          // SQLite requires a limit with an offset.
          .limit(maxEnded)
          .offset(limit - 1)
        await endIn({ transaction, record }, (own) => own.where('token_hash', 'in', others))
        return true
      }),

    findSession: async (tokenHash) => {
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.key', 'sessions.user_key')
        .select(userColumns)
        .select([
          'sessions.id',
          'sessions.device',
          'sessions.address_family as addressFamily',
          'sessions.created_ms as startedMs',
          'sessions.last_used_ms as lastUsedMs',
        ])
        .where('sessions.token_hash', '=', tokenHash)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { id, device, addressFamily, startedMs: createdMs, lastUsedMs, ...user } = row
      const shown = { id, device, addressFamily, createdMs, lastUsedMs }
      return { user: toUser(user), session: { tokenHash, userKey: user.key, ...shown } }
    },

    recordSessionUse: async (tokenHash, atMs) => {
      await db
        .updateTable('sessions')
        .set({ last_used_ms: atMs })
        .where('token_hash', '=', tokenHash)
        .execute()
    },

    listSessions: (userKey) =>
      db
        .selectFrom('sessions')
        .select(sessionColumns)
        .where('user_key', '=', userKey)
        .orderBy('last_used_ms', 'desc')
        .orderBy('created_ms', 'desc')
        .execute(),

    endSession: async (tokenHash) =>
      (await end((sessions) => sessions.where('token_hash', '=', tokenHash))).at(0),

    endOwnSession: async (userKey, id) =>
      (await end((own) => own.where('id', '=', id).where('user_key', '=', userKey))).at(0),

    endOtherSessions: async (userKey, exceptTokenHash) => {
      const ended = await end((own) =>
        own.where('user_key', '=', userKey).where('token_hash', '!=', exceptTokenHash),
      )
      return ended.length
    },

    endSessions: async (userKey) =>
      (await end((sessions) => sessions.where('user_key', '=', userKey))).length,

    deleteSessions: async ({ createdMs, lastUsedMs }) => {
      const ended = await end((sessions) =>
        sessions.where((where) =>
          where.or([where('created_ms', '<=', createdMs), where('last_used_ms', '<=', lastUsedMs)]),
        ),
      )
      return ended.length
    },

    findEndedSessions: async (tokenHashes, { nowMs, createdMs, lastUsedMs }) => {
      const asked = rowList(db, {
        hex: ['text', tokenHashes.map((tokenHash) => Buffer.from(tokenHash).toString('hex'))],
      })
      const { rows } = await sql<{ hex: string }>`
        select asked.hex from (${asked}) as asked
        left join sessions on sessions.token_hash = ${fromHex(db, 'asked.hex')}
        left join users on users.key = sessions.user_key
        where sessions.token_hash is null or sessions.created_ms <= ${createdMs}
          or sessions.last_used_ms <= ${lastUsedMs} or users.disabled_ms is not null
          or users.expires_ms <= ${nowMs}
        order by position`.execute(db)
      return rows.map(({ hex }) => Buffer.from(hex, 'hex'))
    },
  } satisfies Partial<AccountsStore>
}

async function endIn({ transaction, record }: Recording, some: (from: Deletion) => Deletion) {
  const ended = await some(transaction.deleteFrom('sessions')).returning(sessionColumns).execute()
  record('users', [...new Set(ended.map(({ userKey }) => userKey))])
  return ended
}
