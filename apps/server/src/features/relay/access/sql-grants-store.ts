import { countDeleted } from '../../../storage/count-rows.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { GrantsStore } from './grants-store.ts'

const maxEnded = 10_000

export function sqlGrantsStore({ db, changes: log }: Pick<Storage, 'db' | 'changes'>): GrantsStore {
  return {
    insertTicket: (ticket, limit) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('relay_tickets')
          .values({
            ticket_hash: ticket.ticketHash,
            state_hash: ticket.stateHash,
            island_key: ticket.islandKey,
            host_name: ticket.hostName,
            session_hash: ticket.sessionHash,
            expires_ms: ticket.expiresMs,
          })
          .execute()
        const oldest = transaction
          .selectFrom('relay_tickets')
          .select('ticket_hash')
          .where('session_hash', '=', ticket.sessionHash)
          .orderBy('expires_ms', 'desc')
          // SQLite needs a limit with an offset.
          .limit(maxEnded)
          .offset(limit)
        await transaction.deleteFrom('relay_tickets').where('ticket_hash', 'in', oldest).execute()
      }),

    redeem: (ticketHash, { stateHash, islandKey, hostName, nowMs }, { grantHash, limit }) =>
      db.transaction().execute(async (transaction) => {
        const ticket = await transaction
          .deleteFrom('relay_tickets')
          .where('ticket_hash', '=', ticketHash)
          .where('state_hash', '=', stateHash)
          .where('island_key', '=', islandKey)
          .where('host_name', '=', hostName)
          .where('expires_ms', '>', nowMs)
          .returning('session_hash')
          .executeTakeFirst()
        if (ticket === undefined) return false
        await transaction
          .insertInto('relay_grants')
          .values({
            grant_hash: grantHash,
            island_key: islandKey,
            host_name: hostName,
            session_hash: ticket.session_hash,
            started_ms: nowMs,
          })
          .execute()
        const oldest = transaction
          .selectFrom('relay_grants')
          .select('grant_hash')
          .where('session_hash', '=', ticket.session_hash)
          .where('grant_hash', '!=', grantHash)
          .orderBy('started_ms', 'desc')
          .limit(maxEnded)
          .offset(limit - 1)
        await transaction.deleteFrom('relay_grants').where('grant_hash', 'in', oldest).execute()
        return true
      }),

    findGrant: (grantHash) =>
      db
        .selectFrom('relay_grants')
        .innerJoin('sessions', 'sessions.token_hash', 'relay_grants.session_hash')
        .leftJoin('relay_answers', (join) =>
          join
            .onRef('relay_answers.user_key', '=', 'sessions.user_key')
            .onRef('relay_answers.island_key', '=', 'relay_grants.island_key')
            .on('relay_answers.shares_name', '=', 1),
        )
        .select([
          'relay_grants.island_key as islandKey',
          'relay_grants.host_name as hostName',
          'relay_grants.session_hash as sessionHash',
          'sessions.user_key as userKey',
          'relay_answers.visitor_id as visitorId',
        ])
        .where('grant_hash', '=', grantHash)
        .executeTakeFirst(),

    answer: ({ userKey, islandKey, visitorId, tellsName, answeredMs }, limit) =>
      log.write(async (transaction, record) => {
        record('relay-answers', [islandKey], userKey)
        const changes = { shares_name: tellsName ? 1 : 0, answered_ms: answeredMs }
        await transaction
          .insertInto('relay_answers')
          .values({ user_key: userKey, island_key: islandKey, visitor_id: visitorId, ...changes })
          .onConflict((conflict) =>
            conflict.columns(['user_key', 'island_key']).doUpdateSet(changes),
          )
          .execute()
        const oldest = transaction
          .selectFrom('relay_answers')
          .select('island_key')
          .where('user_key', '=', userKey)
          .where('island_key', '!=', islandKey)
          .orderBy('answered_ms', 'desc')
          .limit(maxEnded)
          .offset(limit - 1)
        await transaction
          .deleteFrom('relay_answers')
          .where('user_key', '=', userKey)
          .where('island_key', 'in', oldest)
          .execute()
      }),

    takeBack: (userKey, islandKey, atMs) =>
      log.write(async (transaction, record) => {
        record('relay-answers', [islandKey], userKey)
        await transaction
          .updateTable('relay_answers')
          .set({ shares_name: null, answered_ms: atMs })
          .where('user_key', '=', userKey)
          .where('island_key', '=', islandKey)
          .execute()
      }),

    findAnswer: async (userKey, islandKey) => {
      const row = await db
        .selectFrom('relay_answers')
        .select('shares_name')
        .where('user_key', '=', userKey)
        .where('island_key', '=', islandKey)
        .executeTakeFirst()
      return toAnswer(row?.shares_name ?? null)
    },

    listAnswers: async (userKey) => {
      const rows = await db
        .selectFrom('relay_answers')
        .innerJoin('islands', 'islands.key', 'relay_answers.island_key')
        .select(['islands.id', 'shares_name', 'answered_ms'])
        .where('relay_answers.user_key', '=', userKey)
        .orderBy('answered_ms', 'desc')
        .orderBy('islands.key', 'desc')
        .execute()
      return rows.map((row) => ({
        islandId: row.id,
        tellsName: toAnswer(row.shares_name),
        answeredMs: row.answered_ms,
      }))
    },

    deleteExpiredTickets: async (nowMs) => {
      return await countDeleted(db.deleteFrom('relay_tickets').where('expires_ms', '<=', nowMs))
    },
  }
}

function toAnswer(sharesName: number | null): boolean | null {
  return sharesName === null ? null : sharesName === 1
}
