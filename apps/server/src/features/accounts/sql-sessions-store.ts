import { sql, type Selectable } from 'kysely'
import { lockRows } from '../../storage/locks.ts'
import type { Schema } from '../../storage/schema.ts'
import { fromHex, rowList } from '../../storage/sql-lists.ts'
import type { RecordingStorage } from '../../storage/storage.ts'
import type { AccountsStore, SessionRecord } from './accounts-store.ts'
import { toUser, userColumns } from './sql-user-row.ts'

const sessionColumns = [
  'token_hash',
  'id',
  'user_key',
  'device',
  'address_family',
  'created_ms',
  'last_used_ms',
] as const

/** How many old sessions a new one deletes at most. There are many after the limit was lowered. */
const maxEnded = 10_000

type SessionsOfStore =
  | 'startSession'
  | 'findSession'
  | 'noteSessionUse'
  | 'listSessions'
  | 'endSession'
  | 'endOwnSession'
  | 'endOtherSessions'
  | 'endSessions'
  | 'deleteSessions'
  | 'findEndedSessions'

/** The session methods of the accounts store. */
export function sqlSessionsStore({
  db,
  changes,
}: RecordingStorage): Pick<AccountsStore, SessionsOfStore> {
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
          if (user === undefined) return undefined
        }
        if (replacedTokenHash !== null) {
          const replaced = await transaction
            .deleteFrom('sessions')
            .where('token_hash', '=', replacedTokenHash)
            .returning('user_key')
            .execute()
          record('users', userKeysOf(replaced))
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
        const ended = await transaction
          .deleteFrom('sessions')
          // SQLite requires a limit with an offset.
          .where('token_hash', 'in', others.limit(maxEnded).offset(limit - 1))
          .returning(['token_hash', 'user_key'])
          .execute()
        record('users', userKeysOf(ended))
        return ended.map((row) => row.token_hash)
      }),

    findSession: async (tokenHash) => {
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.key', 'sessions.user_key')
        .select(userColumns)
        .select([
          'sessions.id as session_id',
          'sessions.device as session_device',
          'sessions.address_family as session_address_family',
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
            id: row.session_id,
            userKey: row.key,
            device: row.session_device,
            addressFamily: row.session_address_family,
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

    listSessions: async (userKey) => {
      const rows = await db
        .selectFrom('sessions')
        .select(sessionColumns)
        .where('user_key', '=', userKey)
        .orderBy('last_used_ms', 'desc')
        .orderBy('created_ms', 'desc')
        .execute()
      return rows.map(toSession)
    },

    endSession: (tokenHash) =>
      changes.write(async (transaction, record) => {
        const rows = await transaction
          .deleteFrom('sessions')
          .where('token_hash', '=', tokenHash)
          .returning(sessionColumns)
          .execute()
        record('users', userKeysOf(rows))
        return rows.map(toSession).at(0)
      }),

    endOwnSession: (userKey, id) =>
      changes.write(async (transaction, record) => {
        record('users', [userKey])
        const row = await transaction
          .deleteFrom('sessions')
          .where('id', '=', id)
          .where('user_key', '=', userKey)
          .returning(sessionColumns)
          .executeTakeFirst()
        return row && toSession(row)
      }),

    endOtherSessions: (userKey, keptTokenHash) =>
      changes.write(async (transaction, record) => {
        record('users', [userKey])
        const rows = await transaction
          .deleteFrom('sessions')
          .where('user_key', '=', userKey)
          .where('token_hash', '!=', keptTokenHash)
          .returning('token_hash')
          .execute()
        return rows.map((row) => row.token_hash)
      }),

    endSessions: (userKey) =>
      changes.write(async (transaction, record) => {
        record('users', [userKey])
        const { numDeletedRows } = await transaction
          .deleteFrom('sessions')
          .where('user_key', '=', userKey)
          .executeTakeFirst()
        return Number(numDeletedRows)
      }),

    deleteSessions: ({ createdMs, lastUsedMs }) =>
      changes.write(async (transaction, record) => {
        const rows = await transaction
          .deleteFrom('sessions')
          .where((where) =>
            where.or([
              where('created_ms', '<=', createdMs),
              where('last_used_ms', '<=', lastUsedMs),
            ]),
          )
          .returning('user_key')
          .execute()
        record('users', userKeysOf(rows))
        return rows.length
      }),

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
  }
}

function userKeysOf(rows: readonly { readonly user_key: number }[]): readonly number[] {
  return [...new Set(rows.map((row) => row.user_key))]
}

function toSession(row: Selectable<Schema['sessions']>): SessionRecord {
  return {
    tokenHash: row.token_hash,
    id: row.id,
    device: row.device,
    addressFamily: row.address_family,
    userKey: row.user_key,
    createdMs: row.created_ms,
    lastUsedMs: row.last_used_ms,
  }
}
