import type { Selectable } from 'kysely'
import { checkTotal } from '../../storage/locks.ts'
import type { Schema } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { InviteRecord, InvitesStore } from './invites-store.ts'

const inviteColumns = [
  'id',
  'note',
  'max_uses',
  'uses',
  'created_by',
  'created_ms',
  'expires_ms',
] as const

export function sqlInvitesStore(db: Database): InvitesStore {
  return {
    insert: (invite, limit) =>
      db.transaction().execute(async (transaction) => {
        await checkTotal(transaction, 'invites', limit)
        const row = await transaction
          .insertInto('invites')
          .values({
            id: invite.id,
            code_hash: invite.codeHash,
            note: invite.note,
            max_uses: invite.maxUses,
            created_by: invite.createdBy,
            created_ms: invite.createdMs,
            expires_ms: invite.expiresMs,
          })
          .returning(inviteColumns)
          .executeTakeFirstOrThrow()
        return toInvite(row)
      }),

    list: async () => {
      const rows = await db
        .selectFrom('invites')
        .select(inviteColumns)
        .orderBy('key', 'desc')
        .execute()
      return rows.map(toInvite)
    },

    findUsable: async (codeHash, nowMs) => {
      const row = await db
        .selectFrom('invites')
        .select('id')
        .where('code_hash', '=', codeHash)
        .where('expires_ms', '>', nowMs)
        .whereRef('uses', '<', 'max_uses')
        .executeTakeFirst()
      return row?.id
    },

    delete: async (id) => {
      const { numDeletedRows } = await db
        .deleteFrom('invites')
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    deleteExpired: async (untilMs) => {
      const { numDeletedRows } = await db
        .deleteFrom('invites')
        .where('expires_ms', '<=', untilMs)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

type InviteRow = Pick<Selectable<Schema['invites']>, (typeof inviteColumns)[number]>

function toInvite(row: InviteRow): InviteRecord {
  return {
    id: row.id,
    note: row.note,
    maxUses: row.max_uses,
    uses: row.uses,
    createdBy: row.created_by,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
  }
}
