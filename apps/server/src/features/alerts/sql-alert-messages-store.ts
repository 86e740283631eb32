import { sql } from 'kysely'
import * as v from 'valibot'
import { countDeleted, countRows } from '../../storage/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../storage/storage.ts'
import type { AlertMessagesStore, Delivery, NewMessage } from './alert-messages-store.ts'
import { AlertMessage } from './channels/channel.ts'

const Message = v.pipe(v.string(), v.parseJson(), AlertMessage)

const stateColumns = [
  'state',
  'tries',
  'tried_ms as triedMs',
  'next_ms as nextMs',
  'answer',
] as const

export function sqlAlertMessagesStore(db: Database): AlertMessagesStore {
  const messagesOf = (userKey: number) =>
    db.selectFrom('alert_messages').where('user_key', '=', userKey)

  const updateWaiting = ({ messageKey, channelKey }: Pick<Delivery, 'messageKey' | 'channelKey'>) =>
    db
      .updateTable('alert_deliveries')
      .where('message_key', '=', messageKey)
      .where('channel_key', '=', channelKey)
      // A former leader may report a failed try late.
      .where('state', '=', 'waiting')

  return {
    insert: (userKey, message, nowMs) =>
      db
        .transaction()
        .execute((transaction) => insertMessage(transaction, userKey, message, nowMs)),

    timesSince: async (userKey, sinceMs) => {
      const messages = messagesOf(userKey).where('at_ms', '>', sinceMs)
      const rows = await messages.select('at_ms').orderBy('at_ms', 'desc').execute()
      return rows.map((row) => row.at_ms)
    },

    count: (userKey) => countRows(messagesOf(userKey)),

    list: async (userKey, { after, limit }) => {
      const messages = await messagesOf(userKey)
        .selectAll()
        .where(sql<boolean>`(at_ms, id) < (${after.atMs}, ${after.id})`)
        .orderBy('at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      if (messages.length === 0) return []
      const keys = messages.map(({ key }) => key)
      const deliveries = await db
        .selectFrom('alert_deliveries')
        .select(['message_key as messageKey', ...stateColumns])
        .select(['channel_id as id', 'channel_kind as kind', 'channel_name as name'])
        .where('message_key', 'in', keys)
        .orderBy('channel_key')
        .execute()
      const byMessage = Map.groupBy(deliveries, ({ messageKey }) => messageKey)
      return messages.map(({ key, id: messageId, at_ms: atMs, message }) => ({
        id: messageId,
        atMs,
        message: v.parse(Message, message),
        deliveries: (byMessage.get(key) ?? []).map(({ id, kind, name, ...state }) =>
          Object.assign(state, { channel: { id, kind, name } }),
        ),
      }))
    },

    deleteOld: (untilMs, limit) => {
      const first = db.selectFrom('alert_messages').select('key').orderBy('key').limit(limit)
      const messages = db.deleteFrom('alert_messages').where('key', 'in', first)
      return countDeleted(messages.where('at_ms', '<', untilMs))
    },

    dueDeliveries: async (nowMs, { all, ofUser }) => {
      const { rows } = await sql<Omit<Delivery, 'message'> & { readonly message: string }>`
        with recursive waiting (user_key) as (
          select min(user_key) from alert_deliveries where next_ms is not null
          union all
          -- From each user to the next in the index, however much the first one has waiting.
          select (
            select min(others.user_key) from alert_deliveries as others
            where next_ms is not null and others.user_key > waiting.user_key
          ) from waiting where waiting.user_key is not null
        )
        select message_key as "messageKey", channel_key as "channelKey", due.user_key as "userKey",
          tries, id, at_ms as "atMs", message
        from (
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
      return rows.map(({ message, ...row }) =>
        Object.assign(row, { message: v.parse(Message, message) }),
      )
    },

    recordTry: async (delivery, { state, triedMs, nextMs, answer }) => {
      await updateWaiting(delivery)
        .set((set) => ({
          state,
          tries: set('tries', '+', 1),
          tried_ms: triedMs,
          next_ms: nextMs,
          answer,
        }))
        .execute()
    },

    postpone: async (delivery, untilMs) => {
      await updateWaiting(delivery).set({ next_ms: untilMs }).execute()
    },

    waiting: () =>
      db
        .selectFrom('alert_deliveries')
        .innerJoin('alert_messages', 'alert_messages.key', 'message_key')
        .select((select) => [
          select.fn.countAll<number>().as('count'),
          select.fn.min('at_ms').as('sinceMs'),
        ])
        .where('next_ms', 'is not', null)
        .executeTakeFirstOrThrow(),

    listDeliveries: (userKey, { isWaiting, limit }) => {
      const order = isWaiting ? 'asc' : 'desc'
      return db
        .selectFrom('alert_messages')
        .innerJoin('alert_deliveries', 'message_key', 'alert_messages.key')
        .select(['id', 'at_ms as atMs', 'channel_kind as channelKind', ...stateColumns])
        .where('alert_messages.user_key', '=', userKey)
        .where('next_ms', isWaiting ? 'is not' : 'is', null)
        .orderBy('at_ms', order)
        .orderBy('id', order)
        .orderBy('channel_key', order)
        .limit(limit)
        .execute()
    },

    pausedMs: async () => {
      const row = await db.selectFrom('alert_pause').select('since_ms').executeTakeFirst()
      return row?.since_ms ?? null
    },

    pause: async (nowMs) => {
      await db
        .insertInto('alert_pause')
        .values({ key: 1, since_ms: nowMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    resume: async () => {
      await db.deleteFrom('alert_pause').execute()
    },
  }
}

export async function insertMessage(
  transaction: DatabaseTransaction,
  userKey: number,
  { id, message, channels }: NewMessage,
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
      channels.map((channel) => ({
        message_key: row.key,
        user_key: userKey,
        channel_key: channel.key,
        channel_id: channel.id,
        channel_kind: channel.kind,
        channel_name: channel.name,
        state: 'waiting' as const,
        tries: 0,
        tried_ms: null,
        next_ms: nowMs,
        answer: null,
      })),
    )
    .execute()
}
