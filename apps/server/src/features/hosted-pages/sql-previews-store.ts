import type { Database } from '../../storage/storage.ts'
import type { PreviewsStore } from './previews-store.ts'

const maxEnded = 10_000

export function sqlPreviewsStore(db: Database): PreviewsStore {
  return {
    insertTicket: ({ tokenHash, islandKey, deploymentKey, sessionHash, expiresMs }, limit) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('page_previews')
          .values({
            token_hash: tokenHash,
            is_ticket: 1,
            island_key: islandKey,
            deployment_key: deploymentKey,
            session_hash: sessionHash,
            expires_ms: expiresMs,
          })
          .execute()
        const oldest = transaction
          .selectFrom('page_previews')
          .select('token_hash')
          .where('session_hash', '=', sessionHash)
          .orderBy('expires_ms', 'desc')
          // SQLite needs a limit with an offset.
          .limit(maxEnded)
          .offset(limit)
        await transaction.deleteFrom('page_previews').where('token_hash', 'in', oldest).execute()
      }),

    redeem: async (ticketHash, { tokenHash, nowMs, expiresMs }) => {
      const redeemed = await db
        .updateTable('page_previews')
        .set({ token_hash: tokenHash, is_ticket: 0, expires_ms: expiresMs })
        .where('token_hash', '=', ticketHash)
        .where('is_ticket', '=', 1)
        .where('expires_ms', '>', nowMs)
        .returning('island_key')
        .executeTakeFirst()
      return redeemed?.island_key
    },

    find: async (tokenHash, nowMs) => {
      const found = await db
        .selectFrom('page_previews')
        .innerJoin('sessions', 'sessions.token_hash', 'page_previews.session_hash')
        .innerJoin('islands', 'islands.key', 'page_previews.island_key')
        .innerJoin('users', 'users.key', 'sessions.user_key')
        .leftJoin('page_deployments as draft', (join) =>
          join
            .onRef('draft.island_key', '=', 'islands.key')
            .onRef('islands.user_key', '=', 'sessions.user_key')
            .on('draft.state', '=', 'draft'),
        )
        .select(['islands.key as islandKey', 'draft.key as draftKey'])
        .select(['page_previews.deployment_key as reviewedKey', 'users.relay_trusted_ms'])
        .where('page_previews.token_hash', '=', tokenHash)
        .where('is_ticket', '=', 0)
        .where('page_previews.expires_ms', '>', nowMs)
        .where('users.disabled_ms', 'is', null)
        .executeTakeFirst()
      if (found === undefined) return undefined
      const { islandKey, draftKey, reviewedKey, relay_trusted_ms } = found
      const deploymentKey = reviewedKey ?? draftKey
      if (deploymentKey === null) return undefined
      // Whoever reviews it sees it as its visitors would.
      const isTrusted = reviewedKey === null && relay_trusted_ms !== null
      return { islandKey, deploymentKey, isTrusted }
    },

    deleteExpired: async (nowMs) => {
      await db.deleteFrom('page_previews').where('expires_ms', '<', nowMs).execute()
    },
  }
}
