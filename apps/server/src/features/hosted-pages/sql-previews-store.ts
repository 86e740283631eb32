import type { Database } from '../../storage/storage.ts'
import type { PreviewsStore } from './previews-store.ts'

const maxEnded = 10_000

export function sqlPreviewsStore(db: Database): PreviewsStore {
  return {
    insertTicket: ({ tokenHash, islandKey, sessionHash, expiresMs }, limit) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('page_previews')
          .values({
            token_hash: tokenHash,
            is_ticket: 1,
            island_key: islandKey,
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
        .innerJoin('islands', (join) =>
          join
            .onRef('islands.key', '=', 'page_previews.island_key')
            .onRef('islands.user_key', '=', 'sessions.user_key'),
        )
        .innerJoin('users', 'users.key', 'sessions.user_key')
        .innerJoin('page_deployments', (join) =>
          join
            .onRef('page_deployments.island_key', '=', 'islands.key')
            .on('page_deployments.state', '=', 'draft'),
        )
        .select(['islands.key as islandKey', 'page_deployments.key as draftKey'])
        .select('users.relay_trusted_ms')
        .where('page_previews.token_hash', '=', tokenHash)
        .where('is_ticket', '=', 0)
        .where('page_previews.expires_ms', '>', nowMs)
        .where('users.disabled_ms', 'is', null)
        .executeTakeFirst()
      if (found === undefined) return undefined
      const { islandKey, draftKey, relay_trusted_ms } = found
      return { islandKey, draftKey, isTrusted: relay_trusted_ms !== null }
    },

    deleteExpired: async (nowMs) => {
      await db.deleteFrom('page_previews').where('expires_ms', '<', nowMs).execute()
    },
  }
}
