import { sql } from 'kysely'
import * as v from 'valibot'
import { lockRows } from '../../storage/locks.ts'
import { pagesAhead } from '../../storage/pages-ahead.ts'
import { fromHex, joinedHex, jsonColumn, rowList, valueList } from '../../storage/sql-lists.ts'
import type { Database, DatabaseTransaction, RecordingStorage } from '../../storage/storage.ts'
import type { DeviceTokensStore, NewDeviceToken, TokenPage } from './device-tokens-store.ts'
import { disabledUsers } from '../../storage/sql-access-rows.ts'

const loadPageSize = 20_000
const renewedPerTurn = 100
const Keys = v.array(v.number())

const devicesOfDisabled = sql<number>`(select key from devices where user_key in ${disabledUsers})`

export function sqlDeviceTokensStore({ db, changes: log }: RecordingStorage): DeviceTokensStore {
  return {
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
        await insertTokens(transaction, [token])
        record('tokens', [token.deviceKey])
        return 'inserted'
      }),

    listTokens: (deviceKey) =>
      db
        .selectFrom('device_tokens')
        .select(['key', 'id', 'label', 'scope', 'start'])
        .select(['created_ms as createdMs', 'last_used_ms as lastUsedMs'])
        .where('device_key', '=', deviceKey)
        .orderBy('key')
        .execute(),

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
        const tokens = await transaction
          .deleteFrom('device_tokens')
          .where('device_key', 'in', valueList(transaction, 'integer', deviceKeys))
          .returning(['key', 'device_key as deviceKey', 'label', 'scope'])
          .execute()
        record('tokens', [...new Set(tokens.map(({ deviceKey }) => deviceKey))])
        tokens.sort((one, other) => one.deviceKey - other.deviceKey || one.key - other.key)
        const byKey = new Map(devices.map((device) => [device.key, device]))
        const renewals = []
        for (let from = 0; from < tokens.length; from += renewedPerTurn) {
          const page = tokens
            .slice(from, from + renewedPerTurn)
            .map(({ deviceKey, label, scope }) => {
              const { id: deviceId = '', label: deviceLabel = '' } = byKey.get(deviceKey) ?? {}
              return { deviceKey, deviceId, deviceLabel, label, scope, renewed: renew() }
            })
          await insertTokens(
            transaction,
            page.map(({ renewed, ...renewal }) => ({ ...renewal, ...renewed, createdMs })),
          )
          renewals.push(...page)
        }
        return renewals
      }),

    loadTokens: () =>
      pagesAhead(
        (after) => readPage(db, after),
        (page) => page.tokenKeys.at(-1),
      ),

    readTokens: (deviceKeys) =>
      db
        .selectFrom('device_tokens')
        .select(['key as tokenKey', 'device_key as deviceKey', 'scope', 'token_hash as tokenHash'])
        .where('device_key', 'in', valueList(db, 'integer', deviceKeys))
        .where('device_key', 'not in', devicesOfDisabled)
        .execute(),

    findToken: (tokenHash) =>
      db
        .selectFrom('device_tokens')
        .select(['key as tokenKey', 'device_key as deviceKey', 'scope'])
        .where('token_hash', '=', tokenHash)
        .where('device_key', 'not in', devicesOfDisabled)
        .executeTakeFirst(),

    recordTokenUses: async ({ keys, atMs }) => {
      const uses = rowList(db, { token_key: ['integer', keys], at_ms: ['bigint', atMs] })
      await sql`
        update device_tokens set last_used_ms = used.at_ms
        from (${uses}) as used
        where device_tokens.key = used.token_key
          and coalesce(device_tokens.last_used_ms, 0) < used.at_ms`.execute(db)
    },
  }
}

export async function insertTokens(
  db: DatabaseTransaction,
  tokens: readonly NewDeviceToken[],
): Promise<void> {
  if (tokens.length === 0) return
  const given = rowList(db, {
    id: ['text', tokens.map(({ id }) => id)],
    device_key: ['integer', tokens.map(({ deviceKey }) => deviceKey)],
    token_hash: ['text', tokens.map(({ tokenHash }) => Buffer.from(tokenHash).toString('hex'))],
    start: ['text', tokens.map(({ start }) => start)],
    label: ['text', tokens.map(({ label }) => label)],
    scope: ['text', tokens.map(({ scope }) => scope)],
    created_ms: ['bigint', tokens.map(({ createdMs }) => createdMs)],
  })
  await sql`
    insert into device_tokens (id, device_key, token_hash, start, label, scope, created_ms)
    select id, device_key, ${fromHex(db, 'token_hash')}, start, label, scope, created_ms
    from (${given}) as given order by position`.execute(db)
}

/** Rows come as one text for each column, which costs a twentieth of row objects on their way. */
async function readPage(db: Database, after: number): Promise<TokenPage> {
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
      where key > ${after} and device_key not in ${devicesOfDisabled}
      order by key limit ${loadPageSize}
    ) as page`.execute(db)
  const { tokens = '[]', devices = '[]', ofRelay = '[]', hashes } = rows[0] ?? {}
  return {
    tokenKeys: v.parse(Keys, JSON.parse(tokens)),
    deviceKeys: v.parse(Keys, JSON.parse(devices)),
    relayKeys: v.parse(Keys, JSON.parse(ofRelay)),
    tokenHashes: Buffer.from(hashes ?? '', 'hex'),
  }
}
