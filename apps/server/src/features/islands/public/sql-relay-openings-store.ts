import { sql } from 'kysely'
import { rowList } from '../../../storage/sql-lists.ts'
import type { RecordingStorage } from '../../../storage/storage.ts'
import type { RelayOpeningOf, RelayOpeningsStore } from './relay-openings.ts'

export function sqlRelayOpeningsStore({ changes }: RecordingStorage): RelayOpeningsStore {
  return {
    record: (openings) =>
      changes.write(async (transaction, record) => {
        const given = rowList(transaction, {
          island_key: ['integer', openings.map(({ islandKey }) => islandKey)],
          is_open: ['integer', openings.map(({ isOpen }) => Number(isOpen))],
          since_ms: ['bigint', openings.map(({ sinceMs }) => sinceMs)],
        })
        const { rows: changed } = await sql<OpeningRow>`
          insert into relay_openings (island_key, is_open, since_ms)
          select islands.key, given.is_open, given.since_ms
          from (${given}) as given join islands on islands.key = given.island_key
          where islands.is_relayed = 1
          on conflict (island_key) do update set is_open = excluded.is_open,
            since_ms = case when excluded.since_ms > relay_openings.since_ms
              then excluded.since_ms else relay_openings.since_ms + 1 end
          where relay_openings.is_open <> excluded.is_open
          returning island_key, is_open, since_ms`.execute(transaction)
        const recorded = changed.map(toOpening)
        record(
          'relay-openings',
          recorded.map(({ islandKey }) => islandKey),
          recorded,
        )
        const { rows } = await sql<OpeningRow>`
          select relay_openings.island_key, relay_openings.is_open, relay_openings.since_ms
          from (${given}) as given
          join relay_openings on relay_openings.island_key = given.island_key
          order by given.position`.execute(transaction)
        return rows.map(toOpening)
      }),
  }
}

interface OpeningRow {
  readonly island_key: number
  readonly is_open: number
  readonly since_ms: number
}

function toOpening({ island_key, is_open, since_ms }: OpeningRow): RelayOpeningOf {
  return { islandKey: island_key, isOpen: is_open === 1, sinceMs: since_ms }
}
