import { ChannelKind } from '@astropelago/contract/alert-channels'
import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../../storage/storage.ts'
import type { OperatorAlertsStore } from './operator-alerts-store.ts'

export function sqlOperatorAlertsStore(db: Database): OperatorAlertsStore {
  return {
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

    countChannels: async () => {
      const isReady = sql`ended_ms is null and confirmed_ms is not null`
      const rows = await db
        .selectFrom('alert_channels')
        .select((select) => [
          'kind',
          select.fn.countAll<number>().as('count'),
          countOf(sql`${isReady} and failing_ms is not null`).as('failing'),
          countOf(sql`ended_ms is not null`).as('ended'),
          countOf(sql`ended_ms is null and confirmed_ms is null`).as('unconfirmed'),
        ])
        .groupBy('kind')
        .orderBy('kind')
        .execute()
      return rows.map(({ kind, count, failing, ended, unconfirmed }) => ({
        kind: v.parse(ChannelKind, kind),
        count,
        failing,
        ended,
        unconfirmed,
      }))
    },

    listDeliveries: async (userKey, { isWaiting, limit }) => {
      const order = isWaiting ? 'asc' : 'desc'
      return await db
        .selectFrom('alert_messages')
        .innerJoin('alert_deliveries', 'message_key', 'alert_messages.key')
        .select([
          'id',
          'at_ms as atMs',
          'channel_kind as channelKind',
          'state',
          'tries',
          'tried_ms as triedMs',
          'next_ms as nextMs',
          'answer',
        ])
        .where('alert_messages.user_key', '=', userKey)
        .where('next_ms', isWaiting ? 'is not' : 'is', null)
        .orderBy('at_ms', order)
        .orderBy('id', order)
        .orderBy('channel_key', order)
        .limit(limit)
        .execute()
    },
  }
}

function countOf(condition: RawBuilder<unknown>) {
  return sql<number>`sum(case when ${condition} then 1 else 0 end)`
}
