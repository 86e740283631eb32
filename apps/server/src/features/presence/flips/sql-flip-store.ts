import { countDeleted, countRows } from '../../../storage/count-rows.ts'
import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import { deleteInSteps } from '../../../steps.ts'
import { devicesOfUser } from '../../../storage/rows-of-user.ts'
import { jsonColumn } from '../../../storage/sql-lists.ts'
import type { Database } from '../../../storage/storage.ts'
import type { FlipStore, OwnFlip } from './flip-store.ts'

/** One server at a time records flips, so they are committed in the order of their sequences. */
const writer = 1
const Numbers = v.array(v.number())
const Columns = v.object({
  sequences: Numbers,
  deviceKeys: Numbers,
  deviceIds: v.array(v.string()),
  ownerKeys: Numbers,
  statuses: v.array(v.picklist(['online', 'offline'])),
  atMs: Numbers,
})

/** @param db may be a transaction, for a reader whose work has to be committed with its cursor */
export function sqlFlipStore(
  db: Database,
  {
    pruneSize = 250,
    rest,
  }: {
    /** Rows in one step of pruning: as many as a heartbeat may wait for. */
    readonly pruneSize?: number
    /** Pause between two steps of pruning, which limits their share of the disk's time. */
    readonly rest?: () => Promise<void>
  } = {},
): FlipStore {
  return {
    read: async (reader, limit) => {
      // One text for each column, which costs a twentieth of row objects on their way.
      const { rows } = await sql<Record<keyof v.InferInput<typeof Columns>, string>>`
        select ${jsonColumn(db, 'sequence')} as "sequences", ${jsonColumn(db, 'device_key')} as "deviceKeys",
          ${jsonColumn(db, 'id')} as "deviceIds", ${jsonColumn(db, 'user_key')} as "ownerKeys",
          ${jsonColumn(db, 'status')} as "statuses", ${jsonColumn(db, 'at_ms')} as "atMs"
        from (
          select sequence, device_key, devices.id, devices.user_key, status, at_ms
          from presence_events join devices on devices.key = device_key
          where sequence > ${doneBy(reader)}
          order by sequence limit ${limit}
        ) as page`.execute(db)
      const columns = Object.entries(rows[0] ?? {}).map(([name, list]) => [name, JSON.parse(list)])
      const page = v.parse(Columns, Object.fromEntries(columns))
      return page.sequences.length === 0 ? undefined : { writer, ...page }
    },

    moveOn: async (reader, page) => {
      const sequence = page.sequences.at(-1)
      if (sequence === undefined) return
      await db
        .insertInto('presence_event_cursors')
        .values({ reader, writer: page.writer, sequence })
        .onConflict((conflict) => conflict.columns(['reader', 'writer']).doUpdateSet({ sequence }))
        .execute()
    },

    readNewestOf: async (userKey, { after, limit }) => {
      // For each device, only as many rows as could be on the page.
      const isAfter = (flip: string) => sql`
        (${sql.ref(`${flip}.at_ms`)}, ${sql.ref(`${flip}.device_key`)}) <
        (${after.atMs}, coalesce((select key from devices where id = ${after.id}), 0))`
      const { rows } = await sql<OwnFlip>`
        select devices.id as "deviceId", devices.label, flips.status, flips.at_ms as "atMs"
        from devices join presence_events as flips on flips.device_key = devices.key
          and flips.at_ms >= coalesce((
            select last.at_ms from presence_events as last
            where last.device_key = devices.key and ${isAfter('last')}
            order by last.at_ms desc limit 1 offset ${limit - 1}), 0)
        where devices.user_key = ${userKey} and ${isAfter('flips')}
        order by flips.at_ms desc, flips.device_key desc limit ${limit}`.execute(db)
      return rows
    },

    countOf: (userKey) =>
      countRows(
        db
          .selectFrom('presence_events')
          .innerJoin('devices', 'devices.key', 'device_key')
          .where('user_key', '=', userKey),
      ),

    readOf: async function* (userKey) {
      for (const { key, id } of await devicesOfUser(db, userKey)) {
        const flips = await db
          .selectFrom('presence_events')
          .select(['status', 'at_ms as atMs'])
          .where('device_key', '=', key)
          .orderBy('sequence')
          .execute()
        if (flips.length > 0) yield { deviceId: id, flips }
      }
    },

    prune: async (untilMs, reader, signal) => {
      // The oldest rows come first, so no index on times is needed for what is deleted once.
      const deleteRows = (limit: number) =>
        countDeleted(
          db
            .deleteFrom('presence_events')
            .where('sequence', 'in', (events) =>
              events
                .selectFrom('presence_events')
                .select('sequence')
                .where('sequence', '<=', doneBy(reader))
                .orderBy('sequence')
                .limit(limit),
            )
            .where('at_ms', '<', untilMs),
        )
      return await deleteInSteps(deleteRows, { signal, rest, size: pruneSize })
    },
  }
}

function doneBy(reader: string): RawBuilder<number> {
  return sql`coalesce((
    select sequence from presence_event_cursors
    where presence_event_cursors.reader = ${reader} and presence_event_cursors.writer = ${writer}), 0)`
}
