import type { DeviceChanges } from '@astropelago/contract/devices'
import { sql } from 'kysely'
import type { Recording } from '../../../storage/change-log.ts'
import { checkTotal, lockRows } from '../../../storage/locks.ts'
import { recordWithdrawals } from '../../../storage/recorded-withdrawals.ts'
import { rowList, valueList } from '../../../storage/sql-lists.ts'
import type { DatabaseTransaction, RecordingStorage } from '../../../storage/storage.ts'
import type { DeviceRecord, NewDevice } from '../devices-store.ts'
import { countDevices, readDevices, storedSchedule } from '../sql-device-rows.ts'
import { insertTokens } from '../sql-device-tokens-store.ts'
import type { DeviceImport, DeviceImportsStore } from './import-devices.ts'

class DeviceMissing extends Error {}

export function sqlDeviceImportsStore(
  { changes: log }: RecordingStorage,
  { maxDevices = Infinity }: { readonly maxDevices?: number } = {},
): DeviceImportsStore {
  return {
    importDevices: async (devices, limit) => {
      try {
        return await log.write((transaction, record) =>
          importInto({ transaction, record }, devices, { limit, maxDevices }),
        )
      } catch (error) {
        // An exception, so that the transaction is rolled back.
        if (error instanceof DeviceMissing) return 'device_missing'
        throw error
      }
    },
  }
}

async function importInto(
  { transaction, record }: Recording,
  { userKey, created, updated, tokens, atMs }: DeviceImport,
  { limit, maxDevices }: { readonly limit: number; readonly maxDevices: number },
): Promise<readonly DeviceRecord[] | 'limit_reached'> {
  await lockRows(transaction, 'users', [userKey])
  const count = await countDevices(transaction, userKey)
  if (created.length > 0) {
    if (count + created.length > limit) return 'limit_reached'
    await checkTotal(transaction, 'devices', maxDevices, created.length)
  }
  const keys = await keysOf(transaction, userKey, updated)
  const changedKeys = await recordWithdrawals({ transaction, record }, 'devices', keys, () =>
    updateDevices(transaction, { userKey, updated, atMs }),
  )
  if (changedKeys.length < updated.length) throw new DeviceMissing()
  const createdKeys = await insertDevices(transaction, created)
  record('devices', createdKeys)
  const devices = await readDevices(transaction, [...changedKeys, ...createdKeys])
  const keyOf = new Map(devices.map(({ id, key }) => [id, key]))
  await insertTokens(
    transaction,
    tokens.map(({ deviceId, ...token }) => {
      const deviceKey = keyOf.get(deviceId) ?? 0
      return { ...token, deviceKey, label: null, scope: 'report' }
    }),
  )
  if (tokens.length > 0) record('tokens', createdKeys)
  return devices
}

async function keysOf(
  db: DatabaseTransaction,
  userKey: number,
  updated: DeviceImport['updated'],
): Promise<readonly number[]> {
  if (updated.length === 0) return []
  const ids = updated.map(({ id }) => id)
  const rows = await db
    .selectFrom('devices')
    .select('key')
    .where('id', 'in', valueList(db, 'text', ids))
    .where('user_key', '=', userKey)
    .execute()
  return rows.map(({ key }) => key)
}

async function updateDevices(
  db: DatabaseTransaction,
  { userKey, updated, atMs }: Pick<DeviceImport, 'userKey' | 'updated' | 'atMs'>,
): Promise<readonly number[]> {
  if (updated.length === 0) return []
  const column = <Name extends Exclude<keyof DeviceChanges, 'schedule' | 'isShared'>>(name: Name) =>
    updated.map(({ changes }) => changes[name] ?? null)
  const given = rowList(db, {
    id: ['text', updated.map(({ id }) => id)],
    label: ['text', column('label')],
    lat: ['double precision', column('lat')],
    lon: ['double precision', column('lon')],
    // Null removes the link or the schedule, but only if the changes contain one.
    link: ['text', column('link')],
    has_link: ['integer', updated.map(({ changes }) => ('link' in changes ? 1 : 0))],
    visibility: ['text', column('visibility')],
    precision: ['text', column('precision')],
    is_shared: [
      'integer',
      updated.map(({ changes: { isShared } }) =>
        isShared === undefined ? null : Number(isShared),
      ),
    ],
    schedule: ['text', updated.map(({ changes }) => storedSchedule(changes.schedule ?? null))],
    has_schedule: ['integer', updated.map(({ changes }) => ('schedule' in changes ? 1 : 0))],
  })
  // The plus makes SQLite look up devices by id. Otherwise it reads all of the user's devices for each
  // row: 1,000 of 7,000 took 4.5 s instead of 0.05 s.
  const { rows } = await sql<{ key: number }>`
    update devices set
      label = coalesce(given.label, devices.label),
      lat = coalesce(given.lat, devices.lat),
      lon = coalesce(given.lon, devices.lon),
      link = case given.has_link when 1 then given.link else devices.link end,
      visibility = coalesce(given.visibility, devices.visibility),
      "precision" = coalesce(given."precision", devices."precision"),
      is_shared = coalesce(given.is_shared, devices.is_shared),
      schedule = case given.has_schedule when 1 then given.schedule else devices.schedule end,
      public_since_ms = case given.visibility
        when 'private' then null
        when 'public' then coalesce(devices.public_since_ms, ${atMs})
        else devices.public_since_ms end
    from (${given}) as given
    where devices.id = given.id and +devices.user_key = ${userKey}
    returning devices.key`.execute(db)
  return rows.map(({ key }) => key)
}

async function insertDevices(
  db: DatabaseTransaction,
  created: readonly NewDevice[],
): Promise<readonly number[]> {
  if (created.length === 0) return []
  const given = rowList(db, {
    id: ['text', created.map(({ id }) => id)],
    user_key: ['integer', created.map(({ userKey }) => userKey)],
    label: ['text', created.map(({ label }) => label)],
    lat: ['double precision', created.map(({ lat }) => lat)],
    lon: ['double precision', created.map(({ lon }) => lon)],
    link: ['text', created.map(({ link }) => link)],
    visibility: ['text', created.map(({ visibility }) => visibility)],
    precision: ['text', created.map(({ precision }) => precision)],
    is_shared: ['integer', created.map(({ isShared }) => Number(isShared))],
    schedule: ['text', created.map(({ schedule }) => storedSchedule(schedule))],
    created_ms: ['bigint', created.map(({ createdMs }) => createdMs)],
  })
  const { rows } = await sql<{ key: number }>`
    insert into devices (
      id, user_key, label, lat, lon, link, visibility, "precision", is_shared, schedule, public_since_ms,
      created_ms
    )
    select id, user_key, label, lat, lon, link, visibility, "precision", is_shared, schedule,
      case visibility when 'public' then created_ms end, created_ms
    from (${given}) as given order by position
    returning devices.key`.execute(db)
  return rows.map(({ key }) => key)
}
