import { sql } from 'kysely'
import { fromCursors } from '../../cluster/cursors.ts'
import type { PostgresStorage } from '../../storage/postgres-storage.ts'
import type { FeedStore } from './feed-store.ts'

/** For servers of an older version that run beside this one and know only devices. */
const withdrawnDevice = 'withdrawn'

export function postgresFeedStore({
  db,
  instance: { writer },
}: Pick<PostgresStorage, 'db' | 'instance'>): FeedStore {
  return {
    position: () =>
      db
        .selectFrom('leadership')
        .select(['feed_epoch as epoch', 'feed_number as number'])
        .executeTakeFirstOrThrow(),

    read: async (after, upTo) => {
      const rows = await db
        .selectFrom('feed_messages')
        .select(['number', 'type', 'device_key as key', 'payload'])
        .where('number', '>', after)
        .where('number', '<=', upTo)
        .orderBy('number')
        .execute()
      return rows.map(({ number, key, payload, type }) => ({
        number,
        key,
        payload,
        type: type === withdrawnDevice ? 'device-withdrawn' : type,
      }))
    },

    append: ({ term, messages, withdrawn, cursors }) =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ feed_number: number }>`
          update leadership
          set feed_number = feed_number + ${messages.length}, cursors = ${fromCursors(cursors)}::jsonb
          where writer = ${writer} and term = ${term} returning feed_number`.execute(transaction)
        const [ordered] = rows
        // Another server leads, and knows from the cursors what is still to be sent.
        if (ordered === undefined || messages.length === 0) return
        if (withdrawn.length > 0) {
          await sql`
            delete from feed_messages
            using unnest(
              ${withdrawn.map(({ kind }) => kind)}::text[],
              ${withdrawn.map(({ key }) => key)}::integer[]
            ) as withdrawn (kind, key)
            where type = kind and device_key = withdrawn.key`.execute(transaction)
        }
        await sql`
          insert into feed_messages (number, type, device_key, payload)
          select ${ordered.feed_number - messages.length} + position, type, key, payload
          from unnest(
            ${messages.map(({ type }) => (type === 'device-withdrawn' ? withdrawnDevice : type))}::text[],
            ${messages.map(({ key }) => key)}::integer[],
            ${messages.map(({ payload }) => payload)}::text[]
          ) with ordinality as given (type, key, payload, position)`.execute(transaction)
      }),
  }
}
