import { sql, type Transaction } from 'kysely'
import * as v from 'valibot'
import { isPostgres } from '../../storage/database-kind.ts'
import type { Schema } from '../../storage/schema.ts'
import { rowList } from '../../storage/sql-lists.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { Database } from '../../storage/storage.ts'
import { AlertMessage } from './channels/channel.ts'
import type {
  AlertsStore,
  Delivery,
  IslandCursor,
  ReadChanges,
  SentDelivery,
  TurnEnd,
} from './alerts-store.ts'
import { readItems, readItemsOfUsers, replaceItems } from './sql-alert-item-rows.ts'

interface SqlAlertsStoreOptions {
  /** This server's leadership, if it must lead. Writes after its term are refused. */
  readonly leading?: () => { readonly writer: number; readonly term: number } | undefined
}

const Message = v.pipe(v.string(), v.parseJson(), AlertMessage)

export function sqlAlertsStore(
  db: Database,
  { leading = () => undefined }: SqlAlertsStoreOptions = {},
): AlertsStore {
  const asLeader = <Result>(work: (transaction: Transaction<Schema>) => Promise<Result>) =>
    db.transaction().execute(async (transaction) => {
      await refuseOldTerm(transaction, leading())
      return await work(transaction)
    })

  return {
    itemsOf: (things) => readItems(db, things),

    keepRead: ({ changed, lookMs, cursor }) =>
      asLeader(async (transaction) => {
        await replaceItems(transaction, changed)
        await bringTurns(transaction, lookMs)
        await moveCursor(transaction, cursor)
      }),

    listToldOfIsland: async (islandKey, { afterKey, limit }) => {
      const rows = await db
        .selectFrom('alert_items')
        .select('user_key')
        .distinct()
        .where('island_key', '=', islandKey)
        .where('user_key', '>', afterKey)
        .orderBy('user_key')
        .limit(limit)
        .execute()
      return rows.map((row) => row.user_key)
    },

    positionOf: async (source) => {
      const row = await db
        .selectFrom('alert_cursors')
        .select('position')
        .where('source', '=', source)
        .executeTakeFirst()
      return row?.position ?? 0
    },

    dueTurns: async (nowMs, limit) => {
      const rows = await db
        .selectFrom('alert_turns')
        .select(['user_key as userKey', 'alerted_ms as toldMs'])
        .where('due_ms', '<=', nowMs)
        .orderBy('due_ms')
        .limit(limit)
        .execute()
      return rows
    },

    itemsOfUsers: (userKeys) => readItemsOfUsers(db, userKeys),

    endTurns: (ends, nowMs) =>
      asLeader(async (transaction) => {
        for (const end of ends) await endTurn(transaction, end, nowMs)
      }),

    nthNewestMs: async (userKey, n) => {
      const row = await db
        .selectFrom('alert_messages')
        .select('at_ms')
        .where('user_key', '=', userKey)
        .orderBy('at_ms', 'desc')
        .limit(1)
        .offset(n - 1)
        .executeTakeFirst()
      return row?.at_ms
    },

    countSince: async (userKey, sinceMs) => {
      const { count } = await db
        .selectFrom('alert_messages')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('user_key', '=', userKey)
        .where('at_ms', '>', sinceMs)
        .executeTakeFirstOrThrow()
      return count
    },

    findTurn: (userKey) =>
      db
        .selectFrom('alert_turns')
        .select(['user_key as userKey', 'alerted_ms as toldMs', 'due_ms as lookMs'])
        .where('user_key', '=', userKey)
        .executeTakeFirst(),

    dueDeliveries: async (nowMs, { all, ofUser }) => {
      const { rows } = await sql<DeliveryRow>`
        with recursive waiting (user_key) as (
          select min(user_key) from alert_deliveries where next_ms is not null
          union all
          -- From each user to the next in the index, however much the first one has waiting.
          select (
            select min(others.user_key) from alert_deliveries as others
            where next_ms is not null and others.user_key > waiting.user_key
          ) from waiting where waiting.user_key is not null
        )
        select due.*, id, at_ms, message from (
          select message_key, channel_key, mine.user_key, tries, next_ms, row_number() over (
            partition by mine.user_key order by next_ms, message_key, channel_key
          ) as place
          from waiting join alert_deliveries as mine on (mine.message_key, mine.channel_key) in (
            select message_key, channel_key from alert_deliveries as first
            where first.user_key = waiting.user_key and next_ms <= ${nowMs}
            order by next_ms, message_key, channel_key limit ${ofUser}
          )
          where not exists (select 1 from alert_pause)
          order by place, next_ms, message_key, channel_key limit ${all}
        ) as due join alert_messages on alert_messages.key = message_key
        order by place, next_ms, message_key, channel_key`.execute(db)
      return rows.map((row): Delivery => ({
        messageKey: row.message_key,
        channelKey: row.channel_key,
        userKey: row.user_key,
        id: row.id,
        atMs: row.at_ms,
        message: v.parse(Message, row.message),
        tries: row.tries,
      }))
    },

    noteTry: async ({ messageKey, channelKey }, { state, triedMs, nextMs, answer }) => {
      await db
        .updateTable('alert_deliveries')
        .set((set) => ({
          state,
          tries: set('tries', '+', 1),
          tried_ms: triedMs,
          next_ms: nextMs,
          answer,
        }))
        .where('message_key', '=', messageKey)
        .where('channel_key', '=', channelKey)
        // A former leader may report a failed try late.
        .where('state', '=', 'waiting')
        .execute()
    },

    postpone: async ({ messageKey, channelKey }, untilMs) => {
      await db
        .updateTable('alert_deliveries')
        .set({ next_ms: untilMs })
        .where('message_key', '=', messageKey)
        .where('channel_key', '=', channelKey)
        .where('state', '=', 'waiting')
        .execute()
    },

    waiting: async () => {
      const { count, since_ms } = await db
        .selectFrom('alert_deliveries')
        .innerJoin('alert_messages', 'alert_messages.key', 'message_key')
        .select((select) => [
          select.fn.countAll<number>().as('count'),
          select.fn.min('at_ms').as('since_ms'),
        ])
        .where('next_ms', 'is not', null)
        .executeTakeFirstOrThrow()
      return { count, sinceMs: since_ms }
    },

    listMessages: async (userKey, { after, limit }) => {
      const messages = await db
        .selectFrom('alert_messages')
        .selectAll()
        .where('user_key', '=', userKey)
        .where(sql<boolean>`(at_ms, id) < (${after.atMs}, ${after.id})`)
        .orderBy('at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      if (messages.length === 0) return []
      const keys = messages.map(({ key }) => key)
      const deliveries = await db
        .selectFrom('alert_deliveries')
        .selectAll()
        .where('message_key', 'in', keys)
        .orderBy('channel_key')
        .execute()
      const byMessage = Map.groupBy(deliveries, (row) => row.message_key)
      return messages.map(({ key, id, at_ms: atMs, message }) => ({
        id,
        atMs,
        message: v.parse(Message, message),
        deliveries: (byMessage.get(key) ?? []).map((row): SentDelivery => ({
          channel: { id: row.channel_id, kind: row.channel_kind, name: row.channel_name },
          state: row.state,
          tries: row.tries,
          triedMs: row.tried_ms,
          nextMs: row.next_ms,
          answer: row.answer,
        })),
      }))
    },

    countMessages: async (userKey) => {
      const { count } = await db
        .selectFrom('alert_messages')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('user_key', '=', userKey)
        .executeTakeFirstOrThrow()
      return count
    },

    deleteOld: async (untilMs, limit) => {
      const { numDeletedRows } = await db
        .deleteFrom('alert_messages')
        .where('key', 'in', (messages) =>
          messages.selectFrom('alert_messages').select('key').orderBy('key').limit(limit),
        )
        .where('at_ms', '<', untilMs)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

interface DeliveryRow {
  readonly message_key: number
  readonly channel_key: number
  readonly user_key: number
  readonly id: string
  readonly at_ms: number
  readonly message: string
  readonly tries: number
}

/** The lock lasts until the commit, so no other server can begin to lead before that. */
async function refuseOldTerm(
  transaction: Transaction<Schema>,
  leading: { readonly writer: number; readonly term: number } | undefined,
): Promise<void> {
  if (leading === undefined || !isPostgres(transaction)) return
  const { rows } = await sql`
    select 1 from leadership
    where writer = ${leading.writer} and term = ${leading.term} for update`.execute(transaction)
  if (rows.length === 0) throw new StorageUnavailable('another server tells alerts by now')
}

async function moveCursor(
  transaction: Transaction<Schema>,
  cursor: ReadChanges['cursor'],
): Promise<void> {
  switch (cursor.kind) {
    case 'island':
      await moveIslandCursor(transaction, cursor)
      break
    case 'source': {
      const { source, position } = cursor
      await transaction
        .insertInto('alert_cursors')
        .values({ source, position })
        .onConflict((conflict) => conflict.column('source').doUpdateSet({ position }))
        .execute()
      break
    }
    default: {
      const { reader, writer, sequence } = cursor
      await transaction
        .insertInto('presence_event_cursors')
        .values({ reader, writer, sequence })
        .onConflict((conflict) => conflict.columns(['reader', 'writer']).doUpdateSet({ sequence }))
        .execute()
    }
  }
}

async function moveIslandCursor(
  transaction: Transaction<Schema>,
  { islandChange, toldUserKey }: IslandCursor,
): Promise<void> {
  if (toldUserKey === null) {
    await transaction
      .deleteFrom('island_alert_queue')
      .where('sequence', '=', islandChange)
      .execute()
    return
  }
  await transaction
    .updateTable('island_alert_queue')
    .set({ last_user_key: toldUserKey })
    .where('sequence', '=', islandChange)
    .execute()
}

/** A turn that is due earlier stays as it is. */
async function bringTurns(
  transaction: Transaction<Schema>,
  lookMs: ReadonlyMap<number, number>,
): Promise<void> {
  if (lookMs.size === 0) return
  const list = rowList(transaction, {
    user_key: ['integer', [...lookMs.keys()]],
    due_ms: ['bigint', [...lookMs.values()]],
  })
  await sql`
    insert into alert_turns (user_key, due_ms, alerted_ms)
    select users.key, given.due_ms, null
    from (${list}) as given join users on users.key = given.user_key
    where true
    on conflict (user_key) do update
    set due_ms = case
      when alert_turns.due_ms < excluded.due_ms then alert_turns.due_ms else excluded.due_ms
    end`.execute(transaction)
}

async function endTurn(
  transaction: Transaction<Schema>,
  { userKey, lookMs, messages, changed }: TurnEnd,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('alert_turns')
    .set({
      // Rules that changed since the turn was read need another turn.
      due_ms: sql`case when due_ms > ${nowMs} then due_ms else ${lookMs} end`,
      ...(messages.length > 0 && { alerted_ms: nowMs }),
    })
    .where('user_key', '=', userKey)
    .execute()
  await replaceItems(transaction, changed)
  for (const message of messages) await insertMessage(transaction, userKey, message, nowMs)
}

async function insertMessage(
  transaction: Transaction<Schema>,
  userKey: number,
  { id, message, channels }: TurnEnd['messages'][number],
  nowMs: number,
): Promise<void> {
  const { rows } = await sql<{ key: number }>`
    insert into alert_messages (id, user_key, at_ms, message)
    select ${id}, key, ${nowMs}, ${JSON.stringify(message)}
    from users where key = ${userKey}
    returning key`.execute(transaction)
  const [row] = rows
  if (row === undefined) return
  await transaction
    .insertInto('alert_deliveries')
    .values(
      channels.map(({ key, id: channelId, kind, name }) => ({
        message_key: row.key,
        user_key: userKey,
        channel_key: key,
        channel_id: channelId,
        channel_kind: kind,
        channel_name: name,
        state: 'waiting' as const,
        tries: 0,
        tried_ms: null,
        next_ms: nowMs,
        answer: null,
      })),
    )
    .execute()
}
