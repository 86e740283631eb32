import type { DeviceDetails } from '@astropelago/contract/devices'
import { sql } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import { valueList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import type { DeviceRecord } from './devices-store.ts'

export const deviceColumns = [
  'devices.key',
  'devices.id',
  'devices.label',
  'devices.lat',
  'devices.lon',
  'devices.link',
  'devices.visibility',
  'devices.precision',
  'devices.schedule',
  'devices.is_shared as isShared',
  'devices.public_since_ms as publicSinceMs',
  'devices.created_ms as createdMs',
  'devices.hidden_ms as hiddenMs',
  'devices.hidden_reason as hiddenReason',
  sql<number | null>`(select disabled_ms from users where users.key = devices.user_key)`.as(
    'ownerDisabledMs',
  ),
] as const

/** A schedule as it is stored: equal ones are equal texts. */
export function storedSchedule(schedule: DeviceDetails['schedule']): string | null {
  return schedule === null ? null : JSON.stringify(schedule)
}

export function readDevices(
  db: Database,
  keys: readonly number[],
): Promise<readonly DeviceRecord[]> {
  return db
    .selectFrom('devices')
    .select(deviceColumns)
    .where('key', 'in', valueList(db, 'integer', keys))
    .execute()
}

export function findDevice(
  db: Database,
  userKey: number | null,
  id: string,
): Promise<DeviceRecord | undefined> {
  return db
    .selectFrom('devices')
    .select(deviceColumns)
    .where('id', '=', id)
    .$if(userKey !== null, (own) => own.where('user_key', '=', userKey))
    .executeTakeFirst()
}

export function countDevices(db: Database, userKey: number | null): Promise<number> {
  const devices = db.selectFrom('devices')
  return countRows(userKey === null ? devices : devices.where('user_key', '=', userKey))
}
