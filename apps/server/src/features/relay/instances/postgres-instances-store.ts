import { sql } from 'kysely'
import type { RecordChange } from '../../../storage/change-log.ts'
import type { PostgresStorage } from '../../../storage/postgres-storage.ts'
import type { Instance, InstancesStore, Lease } from './instances-store.ts'

const leaseColumns = sql`
  relay_leases.writer, relay_leases.device_key as "deviceKey", relay_leases.agent_id as "agentId",
  relay_leases.island_key as "islandKey", relay_leases.since_ms as "sinceMs"`

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
        const { rows } = await sql<Lease>`
          delete from relay_leases where writer = ${writer} returning ${leaseColumns}`.execute(
          transaction,
        )
        recordLeases(record, rows, false)
        record('relay-instances', [writer])
        await transaction.deleteFrom('relay_instances').where('writer', '=', writer).execute()
      })
    },

    read: async () => {
      const instances = await read(
        sql<Instance>`
          select writer, url, hop_key as "hopKey" from relay_instances order by writer`,
      )
      const leases = await read(
        sql<Lease>`select ${leaseColumns} from relay_leases order by since_ms`,
      )
      return { instances: instances.rows, leases: leases.rows }
    },

    write: async (held, ended) => {
      await changes.write(async (transaction, record) => {
        if (ended.length > 0) {
          const { rows } = await sql<Lease>`
            delete from relay_leases
            using unnest(
              ${ended.map(({ deviceKey }) => deviceKey)}::integer[],
              ${ended.map(({ agentId }) => agentId)}::text[]
            ) as ended (device_key, agent_id)
            where writer = ${writer} and relay_leases.device_key = ended.device_key
              and relay_leases.agent_id = ended.agent_id
            returning ${leaseColumns}`.execute(transaction)
          recordLeases(record, rows, false)
        }
        if (held.length > 0) {
          const { rows } = await sql<Lease>`
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
            returning ${leaseColumns}`.execute(transaction)
          recordLeases(record, rows, true)
        }
      })
    },
  }
}

function recordLeases(record: RecordChange, rows: readonly Lease[], isHeld: boolean): void {
  const leases = rows.map((row) => ({ ...row, isHeld }))
  record(
    'relay-leases',
    leases.map(({ deviceKey }) => deviceKey),
    leases,
  )
}
