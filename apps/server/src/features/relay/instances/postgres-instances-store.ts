import { sql } from 'kysely'
import type { PostgresStorage } from '../../../storage/postgres-storage.ts'
import type { InstancesStore } from './instances-store.ts'

export function postgresInstancesStore({
  db,
  instance: { writer, read },
}: Pick<PostgresStorage, 'db' | 'instance'>): InstancesStore {
  return {
    writer,

    join: async ({ url, hopKey }) => {
      // Only transactions are recorded as changes.
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('relay_instances')
          .values({ writer, url, hop_key: hopKey })
          .onConflict((conflict) => conflict.column('writer').doUpdateSet({ url, hop_key: hopKey }))
          .execute()
      })
    },

    leave: async () => {
      await db.transaction().execute(async (transaction) => {
        // Cascaded deletes are recorded too, but this way the leases come first.
        await transaction.deleteFrom('relay_leases').where('writer', '=', writer).execute()
        await transaction.deleteFrom('relay_instances').where('writer', '=', writer).execute()
      })
    },

    read: async () => {
      const instances = await read(
        sql<{ writer: number; url: string | null; hop_key: Uint8Array }>`
          select writer, url, hop_key from relay_instances order by writer`,
      )
      const leases = await read(
        sql<{
          writer: number
          device_key: number
          agent_id: string
          island_key: number | null
          since_ms: number
        }>`select * from relay_leases order by since_ms`,
      )
      return {
        instances: instances.rows.map((row) => ({
          writer: row.writer,
          url: row.url,
          hopKey: row.hop_key,
        })),
        leases: leases.rows.map((row) => ({
          writer: row.writer,
          deviceKey: row.device_key,
          agentId: row.agent_id,
          islandKey: row.island_key,
          sinceMs: row.since_ms,
        })),
      }
    },

    write: async (held, ended) => {
      await db.transaction().execute(async (transaction) => {
        if (ended.length > 0) {
          await sql`
            delete from relay_leases
            using unnest(
              ${ended.map(({ deviceKey }) => deviceKey)}::integer[],
              ${ended.map(({ agentId }) => agentId)}::text[]
            ) as ended (device_key, agent_id)
            where writer = ${writer} and relay_leases.device_key = ended.device_key
              and relay_leases.agent_id = ended.agent_id`.execute(transaction)
        }
        if (held.length > 0) {
          await sql`
            insert into relay_leases (writer, device_key, agent_id, island_key, since_ms)
            select ${writer}, held.*
            from unnest(
              ${held.map(({ deviceKey }) => deviceKey)}::integer[],
              ${held.map(({ agentId }) => agentId)}::text[],
              ${held.map(({ islandKey }) => islandKey)}::integer[],
              ${held.map(({ sinceMs }) => sinceMs)}::bigint[]
            ) as held
            on conflict (writer, device_key, agent_id)
              do update set island_key = excluded.island_key, since_ms = excluded.since_ms`.execute(
            transaction,
          )
        }
      })
    },
  }
}
