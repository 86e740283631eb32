import { sql, type ExpressionBuilder } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import type { Schema } from '../../storage/schema.ts'
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
  'devices.public_since_ms as publicSinceMs',
  'devices.created_ms as createdMs',
  'devices.hidden_ms as hiddenMs',
  'devices.hidden_reason as hiddenReason',
  sql<number | null>`(select disabled_ms from users where users.key = devices.user_key)`.as(
    'ownerDisabledMs',
  ),
] as const

/** Few users are disabled, and an index covers only those. */
export const disabledUsers = sql<number>`(select key from users where disabled_ms is not null)`

export const isShown = (where: ExpressionBuilder<Schema, 'devices'>) =>
  where.and([
    where('devices.visibility', '=', 'public'),
    where('devices.hidden_ms', 'is', null),
    where('devices.user_key', 'not in', disabledUsers),
  ])

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
