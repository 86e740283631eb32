import type { ClientBase } from 'pg'
import { databaseNow } from '../postgres-instance.ts'

/** Servers give a sign of life each second. One that was killed can't record that it ended. */
const aliveMs = 5000

/** Whether a server uses the connection's database. */
export async function isServerRunningOn(client: ClientBase): Promise<boolean> {
  const { rows: tables } = await client.query(`select to_regclass('writers') as writers`)
  if (tables[0]?.writers === null) return false
  const { rows } = await client.query(
    `select exists (
       select from writers where is_running and alive_ms > ${databaseNow} - ${aliveMs}
     ) as is_running`,
  )
  return rows[0]?.is_running === true
}
