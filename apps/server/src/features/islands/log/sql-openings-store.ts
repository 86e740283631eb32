import { sql, type RawBuilder } from 'kysely'
import { rowList } from '../../../storage/sql-lists.ts'
import type { RecordingStorage } from '../../../storage/storage.ts'
import { checkOfIsland } from '../sql-island-rows.ts'
import type { CarrierFlip, OpeningsStore } from './log-openings.ts'
import { deleteOldLines } from './sql-log-store.ts'

export function sqlOpeningsStore({ db, changes }: RecordingStorage): OpeningsStore {
  return {
    ofCarriers: async ({ deviceKeys, statuses, atMs }) => {
      const flips = rowList(db, {
        device_key: ['integer', deviceKeys],
        status: ['text', statuses],
        at_ms: ['bigint', atMs],
      })
      const { rows } = await sql<CarrierFlipRow>`
        select islands.key as "islandKey", flips.status, flips.at_ms as "atMs", (
            select min(later.at_ms) from presence_events as later
            where later.device_key = flips.device_key and later.at_ms > flips.at_ms
          ) as "nextMs", last.kind as last_kind, last.at_ms as last_ms
        from (${flips}) as flips
        join islands on islands.carrier_key = flips.device_key
          and islands.published_ms <= flips.at_ms and islands.is_relayed = 0
          and ${checkOfIsland('status')} is null
          and ${isUnpaused(sql`flips.at_ms`)}
        left join ${lastOpening}
        order by flips.position`.execute(db)
      return rows.map(toCarrierFlip)
    },

    ofRelayed: async ({ after, untilMs, limit }) => {
      const { rows } = await sql<CarrierFlipRow>`
        select islands.key as "islandKey",
          case openings.is_open when 1 then 'online' else 'offline' end as status,
          openings.since_ms as "atMs", null as "nextMs", last.kind as last_kind, last.at_ms as last_ms
        from (
          select island_key, is_open, since_ms from relay_openings
          union all
          select islands.key, case ${checkOfIsland('status')} when 'up' then 1 else 0 end,
            ${checkOfIsland('since_ms')}
          from islands where islands.is_relayed = 0 and islands.key in (
            select island_key from checks where island_key is not null)
        ) as openings
        join islands on islands.key = openings.island_key
          and islands.published_ms <= openings.since_ms
          and ${isUnpaused(sql`openings.since_ms`)}
        left join ${lastOpening}
        where (openings.since_ms, openings.island_key) > (${after.sinceMs}, ${after.islandKey})
          and openings.since_ms <= ${untilMs}
          and (openings.is_open = 1 or last.key is not null)
        order by openings.since_ms, openings.island_key
        limit ${limit}`.execute(db)
      return rows.map(toCarrierFlip)
    },

    insert: (openings, maxLines) =>
      changes.write(async (transaction, record) => {
        const lines = rowList(transaction, {
          id: ['text', openings.map(({ id }) => id)],
          island_key: ['integer', openings.map(({ islandKey }) => islandKey)],
          kind: ['text', openings.map(({ kind }) => kind)],
          at_ms: ['bigint', openings.map(({ atMs }) => atMs)],
        })
        // An island may have been deleted a moment ago.
        const { rows } = await sql<{ islandKey: number }>`
          insert into island_log (id, island_key, kind, at_ms)
          select lines.id, lines.island_key, lines.kind, lines.at_ms
          from (${lines}) as lines join islands on islands.key = lines.island_key
          order by lines.position
          returning island_key as "islandKey"`.execute(transaction)
        const changed = [...new Set(rows.map(({ islandKey }) => islandKey))]
        record('island-log', changed)
        await deleteOldLines(transaction, changed, maxLines)
      }),
  }
}

/** Whether the island was not paused then. Pauses are reported elsewhere. Only the last one is stored. */
function isUnpaused(atMs: RawBuilder<unknown>) {
  return sql`(
    islands.paused_ms is null or ${atMs} < islands.paused_ms or ${atMs} >= islands.paused_until_ms)`
}

/** To be joined to `islands`. */
const lastOpening = sql`island_log as last on last.key = (
  select key from island_log
  where island_key = islands.key and kind in ('opened', 'closed')
  order by at_ms desc, key desc limit 1)`

interface CarrierFlipRow extends Omit<CarrierFlip, 'last'> {
  readonly last_kind: 'opened' | 'closed' | null
  readonly last_ms: number | null
}

function toCarrierFlip({ last_kind: kind, last_ms: atMs, ...flip }: CarrierFlipRow): CarrierFlip {
  return { ...flip, last: kind === null || atMs === null ? null : { kind, atMs } }
}
