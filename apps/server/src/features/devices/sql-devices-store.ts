import { sql } from 'kysely'
import type { Recording } from '../../storage/change-log.ts'
import { checkTotal, lockRows } from '../../storage/locks.ts'
import { pagesAhead } from '../../storage/pages-ahead.ts'
import { recordWithdrawals } from '../../storage/recorded-withdrawals.ts'
import { isShownDevice } from '../../storage/sql-access-rows.ts'
import { valueList } from '../../storage/sql-lists.ts'
import type { RecordingStorage } from '../../storage/storage.ts'
import type { DeviceRecord, DevicesStore } from './devices-store.ts'
import {
  countDevices,
  deviceColumns,
  findDevice,
  readDevices,
  storedSchedule,
} from './sql-device-rows.ts'

const loadPageSize = 5000
/** Later than any time, for a device that is not public after all. */
const never = Number.MAX_SAFE_INTEGER

export function sqlDevicesStore(
  { db, changes: log }: RecordingStorage,
  { maxDevices = Infinity }: { readonly maxDevices?: number } = {},
): DevicesStore {
  const change = (
    userKey: number | null,
    id: string,
    act: (transaction: Recording['transaction'], key: number) => Promise<DeviceRecord | undefined>,
  ) =>
    log.write(async (transaction, record) => {
      const found = await findDevice(transaction, userKey, id)
      if (found === undefined) return undefined
      return await recordWithdrawals({ transaction, record }, 'devices', [found.key], () =>
        act(transaction, found.key),
      )
    })

  return {
    insert: (device, limit) =>
      log.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [device.userKey])
        if ((await countDevices(transaction, device.userKey)) >= limit) return undefined
        await checkTotal(transaction, 'devices', maxDevices)
        const { userKey, createdMs, schedule, isShared, ...details } = device
        const inserted = await transaction
          .insertInto('devices')
          .values({
            ...details,
            schedule: storedSchedule(schedule),
            is_shared: Number(isShared),
            user_key: userKey,
            public_since_ms: device.visibility === 'public' ? createdMs : null,
            created_ms: createdMs,
          })
          .returning(deviceColumns)
          .executeTakeFirstOrThrow()
        record('devices', [inserted.key])
        return inserted
      }),

    listOwn: (userKey) =>
      db
        .selectFrom('devices')
        .select(deviceColumns)
        .where('user_key', '=', userKey)
        .orderBy('key')
        .execute(),

    countOwn: (userKey) => countDevices(db, userKey),

    findOwn: (userKey, id) => findDevice(db, userKey, id),

    find: async (userKey, id) => {
      const row = await db
        .selectFrom('devices')
        .innerJoin('users', 'users.key', 'devices.user_key')
        .select(deviceColumns)
        .select(['devices.user_key', 'users.name', 'users.username', 'users.is_name_public'])
        .where('id', '=', id)
        .where((where) => where.or([isShownDevice(), where('devices.user_key', '=', userKey)]))
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { user_key, name, username, is_name_public, ...device } = row
      const owner = is_name_public === 1 ? (name ?? username) : null
      return { device, isOwn: user_key === userKey, owner }
    },

    listShown: (userKey, ids) =>
      db
        .selectFrom('devices')
        .select((device) => [
          'key',
          'id',
          'label',
          device.fn.coalesce('public_since_ms', device.lit(never)).as('publicSinceMs'),
        ])
        .where('id', 'in', valueList(db, 'text', ids))
        .where('user_key', '=', userKey)
        .where(isShownDevice())
        .execute(),

    update: (userKey, id, { schedule, isShared, ...changes }, atMs) =>
      Object.keys(changes).length === 0 && schedule === undefined && isShared === undefined
        ? findDevice(db, userKey, id)
        : change(userKey, id, (transaction, key) =>
            transaction
              .updateTable('devices')
              .set({
                ...changes,
                ...(schedule !== undefined && { schedule: storedSchedule(schedule) }),
                ...(isShared !== undefined && { is_shared: Number(isShared) }),
              })
              .$if(changes.visibility === 'private', (update) =>
                update.set({ public_since_ms: null }),
              )
              .$if(changes.visibility === 'public', (update) =>
                update.set({ public_since_ms: sql`coalesce(public_since_ms, ${atMs})` }),
              )
              .where('key', '=', key)
              .returning(deviceColumns)
              .executeTakeFirst(),
          ),

    delete: (userKey, id) =>
      change(userKey, id, (transaction, key) =>
        transaction
          .deleteFrom('devices')
          .where('key', '=', key)
          .returning(deviceColumns)
          .executeTakeFirst(),
      ),

    readById: async (ids) => {
      const rows = await db
        .selectFrom('devices')
        .innerJoin('users', 'users.key', 'devices.user_key')
        .select(deviceColumns)
        .select('users.username')
        .where('devices.id', 'in', valueList(db, 'text', ids))
        .execute()
      return rows.map(({ username, ...device }) => ({ device, username }))
    },

    setHidden: (id, hidden) =>
      change(null, id, (transaction, key) =>
        transaction
          .updateTable('devices')
          .set({
            hidden_ms: hidden === null ? null : sql`coalesce(hidden_ms, ${hidden.atMs})`,
            hidden_reason: hidden?.reason ?? null,
          })
          .where('key', '=', key)
          .returning(deviceColumns)
          .executeTakeFirst(),
      ),

    read: (keys) => readDevices(db, keys),

    readOwners: (keys) =>
      db
        .selectFrom('devices')
        .select(['key', 'id', 'user_key as userKey'])
        .where('key', 'in', valueList(db, 'integer', keys))
        .execute(),

    loadPublic: () =>
      pagesAhead(
        (after) =>
          db
            .selectFrom('devices')
            .select(deviceColumns)
            .where(isShownDevice())
            .where('key', '>', after)
            .orderBy('key')
            .limit(loadPageSize)
            .execute(),
        (page) => page.at(-1)?.key,
      ),
  }
}
