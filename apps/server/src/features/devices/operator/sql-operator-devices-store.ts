import { sql } from 'kysely'
import type { Database } from '../../../storage/storage.ts'
import { isShown, withOwner } from '../sql-devices-store.ts'
import type { OperatorDevicesStore } from './operator-devices-store.ts'

/** @param longReads a connection for searches through all devices, which are slow */
export function sqlOperatorDevicesStore(longReads: Database): OperatorDevicesStore {
  return {
    list: async ({ search, only, after, limit }) => {
      let devices = longReads
        .selectFrom('devices')
        .innerJoin('users', 'users.key', 'devices.user_key')
        .select(withOwner)
        .select('users.username as owner')
      if (after !== undefined) {
        devices = devices.where(
          sql<boolean>`devices.key < (select key from devices where id = ${after})`,
        )
      }
      if (search !== undefined) {
        // Escape the wildcards of LIKE. SQLite ignores case only for ASCII letters.
        const text = search.replaceAll(/[\\%_]/g, String.raw`\$&`)
        const isIn = (column: string) =>
          sql<boolean>`lower(${sql.ref(column)}) like lower(${`%${text}%`}) escape '\\'`
        devices = devices.where((where) => where.or(['devices.label', 'users.username'].map(isIn)))
      }
      if (only === 'public') devices = devices.where(isShown)
      if (only === 'private') devices = devices.where('devices.visibility', '=', 'private')
      if (only === 'hidden') devices = devices.where('devices.hidden_ms', 'is not', null)
      const rows = await devices.orderBy('devices.key', 'desc').limit(limit).execute()
      return rows.map(({ owner, ...device }) => ({ device, owner }))
    },
  }
}
