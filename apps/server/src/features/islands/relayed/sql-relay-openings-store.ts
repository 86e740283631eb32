import { sql } from 'kysely'
import { rowList } from '../../../storage/sql-lists.ts'
import type { Database } from '../../../storage/storage.ts'
import type { RelayOpeningsStore } from './relay-openings-store.ts'

export function sqlRelayOpeningsStore(db: Database): RelayOpeningsStore {
  return {
    note: (openings) =>
      db.transaction().execute(async (transaction) => {
        const given = rowList(transaction, {
          island_key: ['integer', openings.map(({ islandKey }) => islandKey)],
          is_open: ['integer', openings.map(({ isOpen }) => Number(isOpen))],
          since_ms: ['bigint', openings.map(({ sinceMs }) => sinceMs)],
        })
        await sql`
          insert into relay_openings (island_key, is_open, since_ms)
          select islands.key, given.is_open, given.since_ms
          from (${given}) as given join islands on islands.key = given.island_key
          where islands.is_relayed = 1
          on conflict (island_key) do update set is_open = excluded.is_open,
            since_ms = case when excluded.since_ms > relay_openings.since_ms
              then excluded.since_ms else relay_openings.since_ms + 1 end
          where relay_openings.is_open <> excluded.is_open`.execute(transaction)
        const { rows } = await sql<{ island_key: number; is_open: number; since_ms: number }>`
          select relay_openings.island_key, relay_openings.is_open, relay_openings.since_ms
          from (${given}) as given
          join relay_openings on relay_openings.island_key = given.island_key
          order by given.position`.execute(transaction)
        return rows.map(({ island_key, is_open, since_ms }) => ({
          islandKey: island_key,
          isOpen: is_open === 1,
          sinceMs: since_ms,
        }))
      }),
  }
}
