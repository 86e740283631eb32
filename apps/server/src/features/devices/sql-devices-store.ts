import type { DeviceChanges } from '@astropelago/contract/devices'
import { sql, type ExpressionBuilder, type Selectable } from 'kysely'
import * as v from 'valibot'
import { pagesAhead } from '../../storage/pages-ahead.ts'
import { checkTotal, lockRows } from '../../storage/locks.ts'
import { fromHex, joinedHex, jsonColumn, rowList } from '../../storage/sql-lists.ts'
import type { Schema } from '../../storage/schema.ts'
import type { Recording } from '../../storage/change-log.ts'
import { recordWithdrawals } from '../../storage/recorded-withdrawals.ts'
import type { Database, DatabaseTransaction, RecordingStorage } from '../../storage/storage.ts'
import type {
  DeviceImport,
  DeviceRecord,
  DevicesStore,
  DeviceTokenRecord,
  ImportedToken,
  NewDevice,
  TokenPage,
} from './devices-store.ts'

const tokenPageSize = 20_000
const Keys = v.array(v.number())

const loadPageSize = 5000
/** Rows in one insert, because a statement takes a limited number of values. */
const tokensInserted = 100

const deviceColumns = [
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
] as const

export const withOwner = [
  ...deviceColumns,
  sql<number | null>`(select disabled_ms from users where users.key = devices.user_key)`.as(
    'ownerDisabledMs',
  ),
] as const

/** Few users are turned off, and an index covers only those. */
const disabledUsers = sql<number>`(select key from users where disabled_ms is not null)`
/** Whether everybody may see the device. */
export const isShown = (where: ExpressionBuilder<Schema, 'devices'>) =>
  where.and([
    where('devices.visibility', '=', 'public'),
    where('devices.hidden_ms', 'is', null),
    where('devices.user_key', 'not in', disabledUsers),
  ])
const theirDevices = sql<number>`(select key from devices where user_key in ${disabledUsers})`

export function sqlDevicesStore(
  { db, changes: log }: RecordingStorage,
  { maxDevices = Infinity }: { readonly maxDevices?: number } = {},
): DevicesStore {
  return {
    insert: (device, limit) =>
      log.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [device.userKey])
        const { count } = await transaction
          .selectFrom('devices')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('user_key', '=', device.userKey)
          .executeTakeFirstOrThrow()
        if (count >= limit) return undefined
        await checkTotal(transaction, 'devices', maxDevices)
        const inserted = await transaction
          .insertInto('devices')
          .values({
            id: device.id,
            user_key: device.userKey,
            label: device.label,
            lat: device.lat,
            lon: device.lon,
            link: device.link,
            visibility: device.visibility,
            precision: device.precision,
            public_since_ms: device.visibility === 'public' ? device.createdMs : null,
            created_ms: device.createdMs,
          })
          .returning(withOwner)
          .executeTakeFirstOrThrow()
        record('devices', [inserted.key])
        return inserted
      }),

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

    listOwn: (userKey) =>
      db
        .selectFrom('devices')
        .select(withOwner)
        .where('user_key', '=', userKey)
        .orderBy('key')
        .execute(),

    findOwn: (userKey, id) => findDevice(db, userKey, id),

    find: async (userKey, id) => {
      const row = await db
        .selectFrom('devices')
        .innerJoin('users', 'users.key', 'devices.user_key')
        .select(withOwner)
        .select(['devices.user_key', 'users.name', 'users.username', 'users.is_name_public'])
        .where('id', '=', id)
        .where((where) => where.or([isShown(where), where('devices.user_key', '=', userKey)]))
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { user_key, name, username, is_name_public, ...device } = row
      return {
        device,
        isOwn: user_key === userKey,
        publicSinceMs: device.publicSinceMs,
        owner: is_name_public === 1 ? (name ?? username) : null,
      }
    },

    listShown: async (userKey, ids) => {
      const asked = rowList(db, { id: ['text', ids] })
      const rows = await db
        .selectFrom('devices')
        .select(['key', 'id', 'label', 'public_since_ms'])
        .where('id', 'in', sql<string>`(select id from (${asked}) as asked)`)
        .where('user_key', '=', userKey)
        .where(isShown)
        .execute()
      return rows.map(({ key, id, label, public_since_ms }) => ({
        key,
        id,
        label,
        publicSinceMs: public_since_ms ?? Number.MAX_SAFE_INTEGER,
      }))
    },

    update: (userKey, id, changes, atMs) =>
      log.write(async (transaction, record) => {
        const own = await findDevice(transaction, userKey, id)
        if (own === undefined || Object.keys(changes).length === 0) return own
        return await recordWithdrawals({ transaction, record }, 'devices', [own.key], () =>
          transaction
            .updateTable('devices')
            .set(changes)
            .$if(changes.visibility === 'private', (update) =>
              update.set({ public_since_ms: null }),
            )
            .$if(changes.visibility === 'public', (update) =>
              update.set({ public_since_ms: sql`coalesce(public_since_ms, ${atMs})` }),
            )
            .where('key', '=', own.key)
            .returning(withOwner)
            .executeTakeFirst(),
        )
      }),

    delete: (userKey, id) =>
      log.write(async (transaction, record) => {
        const found = await findDevice(transaction, userKey, id)
        if (found === undefined) return undefined
        return await recordWithdrawals({ transaction, record }, 'devices', [found.key], () =>
          transaction
            .deleteFrom('devices')
            .where('key', '=', found.key)
            .returning(withOwner)
            .executeTakeFirst(),
        )
      }),

    readById: async (ids) => {
      const asked = rowList(db, { id: ['text', ids] })
      const rows = await db
        .selectFrom('devices')
        .innerJoin('users', 'users.key', 'devices.user_key')
        .select(withOwner)
        .select('users.username')
        .where('devices.id', 'in', sql<string>`(select id from (${asked}) as asked)`)
        .execute()
      return rows.map(({ username, ...device }) => ({ device, username }))
    },

    setHidden: (id, hidden) =>
      log.write(async (transaction, record) => {
        const found = await findDevice(transaction, null, id)
        if (found === undefined) return undefined
        return await recordWithdrawals({ transaction, record }, 'devices', [found.key], () =>
          transaction
            .updateTable('devices')
            .set({
              hidden_ms: hidden === null ? null : sql`coalesce(hidden_ms, ${hidden.atMs})`,
              hidden_reason: hidden?.reason ?? null,
            })
            .where('key', '=', found.key)
            .returning(withOwner)
            .executeTakeFirst(),
        )
      }),

    read: (keys) => readMany(db, keys),

    readOwners: (keys) =>
      db
        .selectFrom('devices')
        .select(['key', 'id', 'user_key as userKey'])
        .where(
          'key',
          'in',
          sql<number>`(select key from (${rowList(db, { key: ['integer', keys] })}) as asked)`,
        )
        .execute(),

    count: async () => {
      const { count } = await db
        .selectFrom('devices')
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },

    loadPublic: () =>
      pagesAhead(
        (after) =>
          db
            .selectFrom('devices')
            .select(withOwner)
            .where('visibility', '=', 'public')
            .where('hidden_ms', 'is', null)
            .where('user_key', 'not in', disabledUsers)
            .where('key', '>', after)
            .orderBy('key')
            .limit(loadPageSize)
            .execute(),
        (page) => page.at(-1)?.key,
      ),

    insertToken: (token, limit) =>
      log.write(async (transaction, record) => {
        await lockRows(transaction, 'devices', [token.deviceKey])
        const device = await transaction
          .selectFrom('devices')
          .select((devices) =>
            devices
              .selectFrom('device_tokens')
              .select((tokens) => tokens.fn.countAll<number>().as('count'))
              .whereRef('device_key', '=', 'devices.key')
              .as('tokens'),
          )
          .where('key', '=', token.deviceKey)
          .executeTakeFirst()
        if (device === undefined) return 'device_missing'
        if ((device.tokens ?? 0) >= limit) return 'limit_reached'
        await transaction
          .insertInto('device_tokens')
          .values({
            id: token.id,
            device_key: token.deviceKey,
            token_hash: token.tokenHash,
            start: token.start,
            label: token.label,
            scope: token.scope,
            created_ms: token.createdMs,
            last_used_ms: null,
          })
          .execute()
        record('tokens', [token.deviceKey])
        return 'inserted'
      }),

    listTokens: async (deviceKey) => {
      const rows = await db
        .selectFrom('device_tokens')
        .select(['key', 'id', 'label', 'scope', 'start', 'created_ms', 'last_used_ms'])
        .where('device_key', '=', deviceKey)
        .orderBy('key')
        .execute()
      return rows.map(toToken)
    },

    deleteToken: (userKey, id) =>
      log.write(async (transaction, record) => {
        const row = await transaction
          .deleteFrom('device_tokens')
          .where('id', '=', id)
          .where('device_key', 'in', (own) =>
            own.selectFrom('devices').select('key').where('user_key', '=', userKey),
          )
          .returning((token) => [
            'device_key',
            token
              .selectFrom('devices')
              .select('devices.id')
              .whereRef('devices.key', '=', 'device_tokens.device_key')
              .as('deviceId'),
          ])
          .executeTakeFirst()
        if (row === undefined) return undefined
        record('tokens', [row.device_key])
        return { deviceId: row.deviceId ?? '' }
      }),

    renewTokens: (userKey, createdMs, renew) =>
      log.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [userKey])
        const devices = await transaction
          .selectFrom('devices')
          .select(['key', 'id', 'label'])
          .where('user_key', '=', userKey)
          .orderBy('key')
          .execute()
        const deviceKeys = devices.map(({ key }) => key)
        await lockRows(transaction, 'devices', deviceKeys)
        const asked = rowList(transaction, { key: ['integer', deviceKeys] })
        const tokens = await transaction
          .deleteFrom('device_tokens')
          .where('device_key', 'in', sql<number>`(select key from (${asked}) as asked)`)
          .returning(['key', 'device_key as deviceKey', 'label', 'scope'])
          .execute()
        record('tokens', [...new Set(tokens.map(({ deviceKey }) => deviceKey))])
        tokens.sort((one, other) => one.deviceKey - other.deviceKey || one.key - other.key)
        const places = new Map(devices.map((device) => [device.key, device]))
        const renewals = []
        // In small groups, so that others get their turn between them.
        for (let from = 0; from < tokens.length; from += tokensInserted) {
          const page = tokens
            .slice(from, from + tokensInserted)
            .map(({ deviceKey, label, scope }) => {
              const { id: deviceId = '', label: deviceLabel = '' } = places.get(deviceKey) ?? {}
              return { deviceKey, deviceId, deviceLabel, label, scope, renewed: renew() }
            })
          await transaction
            .insertInto('device_tokens')
            .values(
              page.map(({ deviceKey, label, scope, renewed }) => ({
                id: renewed.id,
                device_key: deviceKey,
                token_hash: renewed.tokenHash,
                start: renewed.start,
                label,
                scope,
                created_ms: createdMs,
                last_used_ms: null,
              })),
            )
            .execute()
          renewals.push(...page)
        }
        return renewals
      }),

    countOwn: async (userKey) => {
      const { count } = await db
        .selectFrom('devices')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('user_key', '=', userKey)
        .executeTakeFirstOrThrow()
      return count
    },

    loadTokens: () =>
      pagesAhead(
        (after) => readTokens(db, after, tokenPageSize),
        (page) => page.tokenKeys.at(-1),
      ),

    readTokens: (deviceKeys) => {
      const asked = rowList(db, { key: ['integer', deviceKeys] })
      return db
        .selectFrom('device_tokens')
        .select(['key as tokenKey', 'device_key as deviceKey', 'scope', 'token_hash as tokenHash'])
        .where('device_key', 'in', sql<number>`(select key from (${asked}) as asked)`)
        .where('device_key', 'not in', theirDevices)
        .execute()
    },

    findToken: async (tokenHash) => {
      return await db
        .selectFrom('device_tokens')
        .select(['key as tokenKey', 'device_key as deviceKey', 'scope'])
        .where('token_hash', '=', tokenHash)
        .where('device_key', 'not in', theirDevices)
        .executeTakeFirst()
    },

    figures: async () => {
      const row = await db
        .selectFrom('devices')
        .select((devices) => [
          devices.fn.countAll<number>().as('devices'),
          devices.fn
            .countAll<number>()
            .filterWhere('visibility', '=', 'public')
            .filterWhere('hidden_ms', 'is', null)
            .filterWhere('user_key', 'not in', disabledUsers)
            .as('publicDevices'),
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

    noteTokenUses: async ({ keys, atMs }) => {
      const uses = rowList(db, { token_key: ['integer', keys], at_ms: ['bigint', atMs] })
      await sql`
        update device_tokens set last_used_ms = used.at_ms
        from (${uses}) as used
        where device_tokens.key = used.token_key
          and coalesce(device_tokens.last_used_ms, 0) < used.at_ms`.execute(db)
    },
  }
}

/** A device of the import was deleted meanwhile. */
class DeviceMissing extends Error {}

function findDevice(
  db: Database,
  /** Null for any owner. */
  userKey: number | null,
  id: string,
): Promise<DeviceRecord | undefined> {
  return db
    .selectFrom('devices')
    .select(withOwner)
    .where('id', '=', id)
    .$if(userKey !== null, (own) => own.where('user_key', '=', userKey))
    .executeTakeFirst()
}

async function importInto(
  { transaction, record }: Recording,
  { userKey, created, updated, tokens, atMs }: DeviceImport,
  { limit, maxDevices }: { readonly limit: number; readonly maxDevices: number },
): Promise<readonly DeviceRecord[] | 'limit_reached'> {
  await lockRows(transaction, 'users', [userKey])
  const { count } = await transaction
    .selectFrom('devices')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_key', '=', userKey)
    .executeTakeFirstOrThrow()
  if (created.length > 0) {
    if (count + created.length > limit) return 'limit_reached'
    await checkTotal(transaction, 'devices', maxDevices, created.length)
  }
  const keys = await keysOf(transaction, userKey, updated)
  const changed = await recordWithdrawals({ transaction, record }, 'devices', keys, () =>
    updateMany(transaction, { userKey, updated, atMs }),
  )
  if (changed.length < updated.length) throw new DeviceMissing()
  const made = await insertMany(transaction, created)
  record('devices', made)
  await insertTokens(transaction, tokens)
  if (tokens.length > 0) record('tokens', made)
  return await readMany(transaction, [...changed, ...made])
}

function readMany(db: Database, keys: readonly number[]): Promise<readonly DeviceRecord[]> {
  const asked = rowList(db, { key: ['integer', keys] })
  return db
    .selectFrom('devices')
    .select(withOwner)
    .where('key', 'in', sql<number>`(select key from (${asked}) as asked)`)
    .execute()
}

async function keysOf(
  db: DatabaseTransaction,
  userKey: number,
  updated: DeviceImport['updated'],
): Promise<readonly number[]> {
  if (updated.length === 0) return []
  const asked = rowList(db, { id: ['text', updated.map(({ id }) => id)] })
  const rows = await db
    .selectFrom('devices')
    .select('key')
    .where('id', 'in', sql<string>`(select id from (${asked}) as asked)`)
    .where('user_key', '=', userKey)
    .execute()
  return rows.map(({ key }) => key)
}

/** @returns the keys of the updated devices */
async function updateMany(
  db: DatabaseTransaction,
  { userKey, updated, atMs }: Pick<DeviceImport, 'userKey' | 'updated' | 'atMs'>,
): Promise<readonly number[]> {
  if (updated.length === 0) return []
  const column = <Name extends keyof DeviceChanges>(name: Name) =>
    updated.map(({ changes }) => changes[name] ?? null)
  const given = rowList(db, {
    id: ['text', updated.map(({ id }) => id)],
    label: ['text', column('label')],
    lat: ['double precision', column('lat')],
    lon: ['double precision', column('lon')],
    // Null removes the link, but only if the changes contain one.
    link: ['text', column('link')],
    is_link_said: ['integer', updated.map(({ changes }) => ('link' in changes ? 1 : 0))],
    visibility: ['text', column('visibility')],
    precision: ['text', column('precision')],
  })
  // The plus makes SQLite look up devices by id. Otherwise it reads all of the user's devices for each
  // row: 1,000 of 7,000 took 4.5 s instead of 0.05 s.
  const { rows } = await sql<{ key: number }>`
    update devices set
      label = coalesce(given.label, devices.label),
      lat = coalesce(given.lat, devices.lat),
      lon = coalesce(given.lon, devices.lon),
      link = case given.is_link_said when 1 then given.link else devices.link end,
      visibility = coalesce(given.visibility, devices.visibility),
      "precision" = coalesce(given."precision", devices."precision"),
      public_since_ms = case given.visibility
        when 'private' then null
        when 'public' then coalesce(devices.public_since_ms, ${atMs})
        else devices.public_since_ms end
    from (${given}) as given
    where devices.id = given.id and +devices.user_key = ${userKey}
    returning devices.key`.execute(db)
  return rows.map(({ key }) => key)
}

async function insertMany(
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
    created_ms: ['bigint', created.map(({ createdMs }) => createdMs)],
  })
  const { rows } = await sql<{ key: number }>`
    insert into devices (
      id, user_key, label, lat, lon, link, visibility, "precision", public_since_ms, created_ms
    )
    select id, user_key, label, lat, lon, link, visibility, "precision",
      case visibility when 'public' then created_ms end, created_ms
    from (${given}) as given order by position
    returning devices.key`.execute(db)
  return rows.map(({ key }) => key)
}

async function insertTokens(
  db: DatabaseTransaction,
  tokens: readonly ImportedToken[],
): Promise<void> {
  if (tokens.length === 0) return
  const given = rowList(db, {
    id: ['text', tokens.map(({ id }) => id)],
    device_id: ['text', tokens.map(({ deviceId }) => deviceId)],
    token_hash: ['text', tokens.map(({ tokenHash }) => Buffer.from(tokenHash).toString('hex'))],
    start: ['text', tokens.map(({ start }) => start)],
    created_ms: ['bigint', tokens.map(({ createdMs }) => createdMs)],
  })
  await sql`
    insert into device_tokens (id, device_key, token_hash, start, created_ms)
    select given.id, devices.key, ${fromHex(db, 'given.token_hash')}, given.start, given.created_ms
    from (${given}) as given join devices on devices.id = given.device_id
    order by position`.execute(db)
}

/** Rows come as one text for each column, which costs a twentieth of row objects on their way. */
async function readTokens(db: Database, after: number, limit: number): Promise<TokenPage> {
  const { rows } = await sql<{
    tokens: string
    devices: string
    ofRelay: string
    hashes: string | null
  }>`
    select ${jsonColumn(db, 'key')} as tokens, ${jsonColumn(db, 'device_key')} as devices,
      ${jsonColumn(db, 'key', sql<boolean>`scope = 'relay'`)} as "ofRelay",
      ${joinedHex(db, 'token_hash')} as hashes
    from (
      select * from device_tokens
      where key > ${after} and device_key not in ${theirDevices}
      order by key limit ${limit}
    ) as page`.execute(db)
  const { tokens = '[]', devices = '[]', ofRelay = '[]', hashes } = rows[0] ?? {}
  return {
    tokenKeys: v.parse(Keys, JSON.parse(tokens)),
    deviceKeys: v.parse(Keys, JSON.parse(devices)),
    relayKeys: v.parse(Keys, JSON.parse(ofRelay)),
    tokenHashes: Buffer.from(hashes ?? '', 'hex'),
  }
}

type TokenRow = Omit<Selectable<Schema['device_tokens']>, 'device_key' | 'token_hash'>

function toToken(row: TokenRow): DeviceTokenRecord {
  const { created_ms: createdMs, last_used_ms: lastUsedMs, ...same } = row
  return { ...same, createdMs, lastUsedMs }
}
