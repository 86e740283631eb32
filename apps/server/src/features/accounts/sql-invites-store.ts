import { countDeleted } from '../../storage/count-rows.ts'
import { checkTotal } from '../../storage/locks.ts'
import type { Database } from '../../storage/storage.ts'

export interface InviteRecord {
  readonly id: string
  readonly note: string | null
  readonly maxUses: number
  readonly uses: number
  readonly createdBy: string
  readonly createdMs: number
  readonly expiresMs: number
}

interface NewInvite extends Omit<InviteRecord, 'uses'> {
  /** SHA-256 of the code. */
  readonly codeHash: Uint8Array
}

const inviteColumns = [
  'id',
  'note',
  'max_uses as maxUses',
  'uses',
  'created_by as createdBy',
  'created_ms as createdMs',
  'expires_ms as expiresMs',
] as const

/** Invites, for installations where registration requires one. Each new user takes one use. */
export function sqlInvitesStore(db: Database) {
  return {
    /** @throws TotalReached if there are `limit` invites already */
    insert: (invite: NewInvite, limit: number): Promise<InviteRecord> =>
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

    list: (): Promise<readonly InviteRecord[]> =>
      db.selectFrom('invites').select(inviteColumns).orderBy('key', 'desc').execute(),

    /** The id of the invite, if this code can be used to register now. */
    findUsable: async (codeHash: Uint8Array, nowMs: number) => {
      const row = await db
        .selectFrom('invites')
        .select('id')
        .where('code_hash', '=', codeHash)
        .where('expires_ms', '>', nowMs)
        .whereRef('uses', '<', 'max_uses')
        .executeTakeFirst()
      return row?.id
    },

    delete: async (id: string) =>
      (await countDeleted(db.deleteFrom('invites').where('id', '=', id))) > 0,

    deleteExpired: async (untilMs: number): Promise<void> => {
      await db.deleteFrom('invites').where('expires_ms', '<=', untilMs).execute()
    },
  }
}
