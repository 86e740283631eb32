import { sql } from 'kysely'
import { fromCursors } from '../../cluster/journals.ts'
import type { PostgresStorage } from '../../storage/postgres-storage.ts'
import type { FeedStore } from './feed-store.ts'

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

    read: (after, upTo) =>
      db
        .selectFrom('feed_messages')
        .select(['number', 'type', 'key', 'payload'])
        .where('number', '>', after)
        .where('number', '<=', upTo)
        .orderBy('number')
        .execute(),

    append: ({ term, messages, withdrawn, cursors }) =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ feed_number: number }>`
          update leadership
          set feed_number = feed_number + ${messages.length}, cursors = ${fromCursors(cursors)}::jsonb
          where writer = ${writer} and term = ${term} returning feed_number`.execute(transaction)
        const [ordered] = rows
        // Another server leads, and knows from the cursors what is still to be told.
        if (ordered === undefined || messages.length === 0) return
        if (withdrawn.length > 0) {
          await sql`
            delete from feed_messages
            using unnest(
              ${withdrawn.map(({ kind }) => kind)}::text[],
              ${withdrawn.map(({ key }) => key)}::integer[]
            ) as withdrawn (kind, key)
            where type = kind and feed_messages.key = withdrawn.key`.execute(transaction)
        }
        await sql`
          insert into feed_messages (number, type, key, payload)
          select ${ordered.feed_number - messages.length} + position, type, key, payload
          from unnest(
            ${messages.map(({ type }) => type)}::text[],
            ${messages.map(({ key }) => key)}::integer[],
            ${messages.map(({ payload }) => payload)}::text[]
          ) with ordinality as told (type, key, payload, position)`.execute(transaction)
      }),
  }
}
