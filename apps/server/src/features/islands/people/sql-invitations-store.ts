import type { ExpressionBuilder } from 'kysely'
import { countDeleted, countRows } from '../../../storage/count-rows.ts'
import { lockRows } from '../../../storage/locks.ts'
import type { Schema } from '../../../storage/schema.ts'
import type { RecordingStorage } from '../../../storage/storage.ts'
import { insertMember, lockForJoining } from './insert-member.ts'
import type { InvitationsStore } from './people-store.ts'

export function sqlInvitationsStore({ db, changes }: RecordingStorage): InvitationsStore {
  return {
    insert: (islandKey, { id, codeHash, note, maxUses, createdMs, expiresMs }, max) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'islands', [islandKey])
        const usable = transaction
          .selectFrom('island_invitations')
          .where('island_key', '=', islandKey)
          .where(isUsable(createdMs))
        if ((await countRows(usable)) >= max) return false
        const times = { created_ms: createdMs, expires_ms: expiresMs }
        await transaction
          .insertInto('island_invitations')
          .values({
            id,
            island_key: islandKey,
            code_hash: codeHash,
            note,
            max_uses: maxUses,
            ...times,
          })
          .execute()
        return true
      }),

    list: (islandKey) =>
      db
        .selectFrom('island_invitations')
        .select(['id', 'note', 'max_uses as maxUses', 'uses'])
        .select(['created_ms as createdMs', 'expires_ms as expiresMs'])
        .where('island_key', '=', islandKey)
        .orderBy('key', 'desc')
        .execute(),

    find: async (codeHash, nowMs) => {
      const row = await db
        .selectFrom('island_invitations')
        .innerJoin('islands', 'islands.key', 'island_key')
        .select(['islands.id', 'max_uses', 'uses', 'expires_ms'])
        .where('code_hash', '=', codeHash)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return { islandId: row.id, isUsable: row.expires_ms > nowMs && row.uses < row.max_uses }
    },

    accept: (codeHash, acceptance, limits) =>
      changes.write(async (transaction, record) => {
        const selectIt = () =>
          transaction
            .selectFrom('island_invitations')
            .select(['key', 'island_key as islandKey'])
            .where('code_hash', '=', codeHash)
            .where(isUsable(acceptance.atMs))
            .executeTakeFirst()
        const seen = await selectIt()
        if (seen === undefined) return 'unusable'
        const member = { ...acceptance, islandKey: seen.islandKey }
        await lockForJoining(transaction, member)
        // Others may have used it up while this transaction waited for the locks.
        const invitation = await selectIt()
        if (invitation === undefined) return 'unusable'
        const outcome = await insertMember({ transaction, record }, member, limits)
        if (outcome === 'blocked') return 'unusable'
        if (outcome !== 'joined') return outcome
        await transaction
          .updateTable('island_invitations')
          .set((columns) => ({ uses: columns('uses', '+', 1) }))
          .where('key', '=', invitation.key)
          .execute()
        return 'joined'
      }),

    delete: async (id, hostKey) => {
      return (
        (await countDeleted(
          db
            .deleteFrom('island_invitations')
            .where('id', '=', id)
            .where('island_key', 'in', (islands) =>
              islands.selectFrom('islands').select('key').where('user_key', '=', hostKey),
            ),
        )) > 0
      )
    },

    deleteExpired: async (untilMs) => {
      return await countDeleted(
        db.deleteFrom('island_invitations').where('expires_ms', '<=', untilMs),
      )
    },
  }
}

function isUsable(nowMs: number) {
  return (where: ExpressionBuilder<Schema, 'island_invitations'>) =>
    where.and([where('expires_ms', '>', nowMs), where('uses', '<', where.ref('max_uses'))])
}
