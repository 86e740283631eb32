import { sql } from 'kysely'
import type { Storage } from '../../../storage/storage.ts'
import { isShownDevice } from '../../../storage/sql-access-rows.ts'
import { countDevices, deviceColumns } from '../sql-device-rows.ts'
import type { OperatorDevicesStore } from './operator-devices-store.ts'

/** Lists on the connection for long reads, since a search through all devices is slow. */
export function sqlOperatorDevicesStore({
  db,
  longReads,
}: Pick<Storage, 'db' | 'longReads'>): OperatorDevicesStore {
  return {
    list: async ({ search, only, after, limit }) => {
      let devices = longReads
        .selectFrom('devices')
        .innerJoin('users', 'users.key', 'devices.user_key')
        .select(deviceColumns)
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
      if (only === 'public') devices = devices.where(isShownDevice())
      if (only === 'private') devices = devices.where('devices.visibility', '=', 'private')
      if (only === 'hidden') devices = devices.where('devices.hidden_ms', 'is not', null)
      const rows = await devices.orderBy('devices.key', 'desc').limit(limit).execute()
      return rows.map(({ owner, ...device }) => ({ device, owner }))
    },

    count: () => countDevices(db, null),

    figures: async () => {
      const row = await db
        .selectFrom('devices')
        .select((devices) => [
          devices.fn.countAll<number>().as('devices'),
          devices.fn.countAll<number>().filterWhere(isShownDevice()).as('publicDevices'),
          devices.fn.count<number>('hidden_ms').as('hiddenDevices'),
          devices
            .selectFrom('device_tokens')
            .select((tokens) => tokens.fn.countAll<number>().as('count'))
            .as('tokens'),
        ])
        .executeTakeFirstOrThrow()
      return [
        { name: 'devices', label: 'Devices', value: row.devices },
        { name: 'devices.public', label: 'of them seen by everybody', value: row.publicDevices },
        { name: 'devices.hidden', label: 'of them hidden by operators', value: row.hiddenDevices },
        { name: 'devices.tokens', label: 'Device tokens', value: row.tokens ?? 0 },
      ]
    },
  }
}
