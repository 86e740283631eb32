import { sql } from 'kysely'
import type { RecordChange } from '../../../storage/change-log.ts'
import type { PostgresStorage } from '../../../storage/postgres-storage.ts'
import type { RowOf } from '../../../storage/schema.ts'
import type { InstancesStore } from './instances-store.ts'

export function postgresInstancesStore({
  changes,
  instance: { writer, read },
}: Pick<PostgresStorage, 'changes' | 'instance'>): InstancesStore {
  return {
    writer,

    join: async ({ url, hopKey }) => {
      await changes.write(async (transaction, record) => {
        record('relay-instances', [writer])
        await transaction
          .insertInto('relay_instances')
          .values({ writer, url, hop_key: hopKey })
          .onConflict((conflict) => conflict.column('writer').doUpdateSet({ url, hop_key: hopKey }))
          .execute()
      })
    },

    leave: async () => {
      await changes.write(async (transaction, record) => {
        const ended = await transaction
          .deleteFrom('relay_leases')
          .where('writer', '=', writer)
          .returningAll()
          .execute()
        recordLeases(record, ended, false)
        record('relay-instances', [writer])
        await transaction.deleteFrom('relay_instances').where('writer', '=', writer).execute()
      })
    },

    read: async () => {
      const instances = await read(
        sql<{ writer: number; url: string | null; hop_key: Uint8Array }>`
          select writer, url, hop_key from relay_instances order by writer`,
      )
      const leases = await read(sql<LeaseRow>`select * from relay_leases order by since_ms`)
      return {
        instances: instances.rows.map((row) => ({
          writer: row.writer,
          url: row.url,
          hopKey: row.hop_key,
        })),
        leases: leases.rows.map(toLease),
      }
    },

    write: async (held, ended) => {
      await changes.write(async (transaction, record) => {
        if (ended.length > 0) {
          const { rows } = await sql<LeaseRow>`
            delete from relay_leases
            using unnest(
              ${ended.map(({ deviceKey }) => deviceKey)}::integer[],
              ${ended.map(({ agentId }) => agentId)}::text[]
            ) as ended (device_key, agent_id)
            where writer = ${writer} and relay_leases.device_key = ended.device_key
              and relay_leases.agent_id = ended.agent_id
            returning relay_leases.*`.execute(transaction)
          recordLeases(record, rows, false)
        }
        if (held.length > 0) {
          const { rows } = await sql<LeaseRow>`
            insert into relay_leases (writer, device_key, agent_id, island_key, since_ms)
            select ${writer}, held.*
            from unnest(
              ${held.map(({ deviceKey }) => deviceKey)}::integer[],
              ${held.map(({ agentId }) => agentId)}::text[],
              ${held.map(({ islandKey }) => islandKey)}::integer[],
              ${held.map(({ sinceMs }) => sinceMs)}::bigint[]
            ) as held
            on conflict (writer, device_key, agent_id)
              do update set island_key = excluded.island_key, since_ms = excluded.since_ms
            returning relay_leases.*`.execute(transaction)
          recordLeases(record, rows, true)
        }
      })
    },
  }
}

type LeaseRow = RowOf<'relay_leases'>

function toLease(row: LeaseRow) {
  return {
    writer: row.writer,
    deviceKey: row.device_key,
    agentId: row.agent_id,
    islandKey: row.island_key,
    sinceMs: row.since_ms,
  }
}

function recordLeases(record: RecordChange, rows: readonly LeaseRow[], isHeld: boolean): void {
  const leases = rows.map((row) => ({ ...toLease(row), isHeld }))
  record(
    'relay-leases',
    leases.map(({ deviceKey }) => deviceKey),
    leases,
  )
}
