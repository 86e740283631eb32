import { countDeleted } from '../../storage/count-rows.ts'
import { checkTotal } from '../../storage/locks.ts'
import type { Database } from '../../storage/storage.ts'
import type { InvitesStore } from './invites-store.ts'

const inviteColumns = [
  'id',
  'note',
  'max_uses as maxUses',
  'uses',
  'created_by as createdBy',
  'created_ms as createdMs',
  'expires_ms as expiresMs',
] as const

export function sqlInvitesStore(db: Database): InvitesStore {
  return {
    insert: (invite, limit) =>
      db.transaction().execute(async (transaction) => {
        await checkTotal(transaction, 'invites', limit)
        return await transaction
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
      }),

    list: () => db.selectFrom('invites').select(inviteColumns).orderBy('key', 'desc').execute(),

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

    delete: async (id) => (await countDeleted(db.deleteFrom('invites').where('id', '=', id))) > 0,

    deleteExpired: async (untilMs) => {
      await db.deleteFrom('invites').where('expires_ms', '<=', untilMs).execute()
    },
  }
}
