import { ChannelKind, ChannelSettings } from '@astropelago/contract/alert-channels'
import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import { countRows, hasUpdated } from '../../../storage/count-rows.ts'
import { lockRows } from '../../../storage/locks.ts'
import type { RowOf } from '../../../storage/schema.ts'
import type { Database, DatabaseTransaction } from '../../../storage/storage.ts'
import { forgetChannel } from '../sql-alert-rules-store.ts'
import type { ChannelRecord, ChannelsStore, NewChannelRecord } from './channels-store.ts'

const Settings = v.pipe(v.string(), v.parseJson(), ChannelSettings)

const unanswered = {
  ended_ms: null,
  answer_ms: null,
  answer_is_ok: null,
  answer_text: null,
  failing_ms: null,
}

export function sqlChannelsStore(db: Database): ChannelsStore {
  const channels = db.selectFrom('alert_channels').selectAll('alert_channels')
  const ofEnabledUsers = channels
    .innerJoin('users', 'users.key', 'alert_channels.user_key')
    .where('users.disabled_ms', 'is', null)

  const update = (userKey: number, id: string) =>
    db.updateTable('alert_channels').where('user_key', '=', userKey).where('id', '=', id)

  const named = async (row: RowOf<'alert_channels'> | undefined) => {
    if (row === undefined) return undefined
    const users = db.selectFrom('users').select('username').where('key', '=', row.user_key)
    return { channel: readRow(row), ...(await users.executeTakeFirstOrThrow()) }
  }

  return {
    insert: (channel, limit) =>
      db.transaction().execute((transaction) => insertChannel(transaction, channel, limit)),

    list: async (userKey) => {
      const rows = await channels.where('user_key', '=', userKey).orderBy('key').execute()
      return rows.map(readRow)
    },

    find: async (userKey, id) => {
      const row = await channels
        .where('user_key', '=', userKey)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && readRow(row)
    },

    findByKey: async (key) => {
      const row = await ofEnabledUsers.where('alert_channels.key', '=', key).executeTakeFirst()
      return row && readRow(row)
    },

    listReady: async (userKeys) => {
      if (userKeys.length === 0) return []
      const rows = await ofEnabledUsers
        .where('user_key', 'in', userKeys)
        .where('confirmed_ms', 'is not', null)
        .where('ended_ms', 'is', null)
        .orderBy('alert_channels.key')
        .execute()
      return rows.map(readRow)
    },

    rename: (userKey, id, name) => hasUpdated(update(userKey, id).set({ name })),

    replaceSettings: (userKey, id, { settings, confirmedMs, code, unsubscribeCode }) =>
      hasUpdated(
        update(userKey, id)
          .where('kind', '=', settings.kind)
          .set((set) => ({
            settings: JSON.stringify(settings),
            revision: sql<number>`${set.ref('revision')} + 1`,
            confirmed_ms: confirmedMs,
            code_hash: code?.hash ?? null,
            code_expires_ms: code?.expiresMs ?? null,
            unsubscribe_code: unsubscribeCode,
            ...unanswered,
          })),
      ),

    replaceSecret: (userKey, id, secret) =>
      hasUpdated(update(userKey, id).where('kind', '=', 'webhook').set({ secret })),

    replaceCode: ({ userKey, id, revision }, { hash, expiresMs }) =>
      hasUpdated(
        update(userKey, id)
          .where('revision', '=', revision)
          .set({ code_hash: hash, code_expires_ms: expiresMs }),
      ),

    confirm: async (codeHash, nowMs) => {
      const row = await db
        .updateTable('alert_channels')
        .set({
          confirmed_ms: nowMs,
          ended_ms: null,
          code_hash: null,
          code_expires_ms: null,
          failing_ms: null,
        })
        .where('code_hash', '=', codeHash)
        .where('code_expires_ms', '>', nowMs)
        .returningAll()
        .executeTakeFirst()
      return await named(row)
    },

    unsubscribe: async (code, nowMs) => {
      const row = await db
        .updateTable('alert_channels')
        .set((set) => ({
          ended_ms: set.fn.coalesce(set.ref('ended_ms'), sql.val(nowMs)),
          code_hash: null,
          code_expires_ms: null,
        }))
        .where('unsubscribe_code', '=', code)
        .returningAll()
        .executeTakeFirst()
      return await named(row)
    },

    recordAnswer: async (key, revision, { atMs, isOk, note, hasEnded }) => {
      await db
        .updateTable('alert_channels')
        .set((set) => ({
          answer_ms: atMs,
          answer_is_ok: isOk ? 1 : 0,
          answer_text: note,
          failing_ms: isOk ? null : set.fn.coalesce(set.ref('failing_ms'), sql.val(atMs)),
          ...(hasEnded && { ended_ms: set.fn.coalesce(set.ref('ended_ms'), sql.val(atMs)) }),
        }))
        .where('key', '=', key)
        .where('revision', '=', revision)
        .execute()
    },

    delete: (userKey, id) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [userKey])
        const row = await transaction
          .deleteFrom('alert_channels')
          .where('user_key', '=', userKey)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return undefined
        await forgetChannel(transaction, userKey, id)
        return readRow(row)
      }),

    countKinds: async () => {
      const rows = await db
        .selectFrom('alert_channels')
        .select((select) => [
          'kind',
          select.fn.countAll<number>().as('count'),
          countOf(sql`ended_ms is null and confirmed_ms is not null and failing_ms is not null`).as(
            'failing',
          ),
          countOf(sql`ended_ms is not null`).as('ended'),
          countOf(sql`ended_ms is null and confirmed_ms is null`).as('unconfirmed'),
        ])
        .groupBy('kind')
        .orderBy('kind')
        .execute()
      return rows.map(({ kind, ...counts }) =>
        Object.assign(counts, { kind: v.parse(ChannelKind, kind) }),
      )
    },

    ensurePushKeys: async (make) => {
      const keys = db
        .selectFrom('push_keys')
        .select(['public_key as publicKey', 'private_key as privateKey'])
      const stored = await keys.executeTakeFirst()
      if (stored !== undefined) return stored
      const { publicKey, privateKey } = make()
      await db
        .insertInto('push_keys')
        .values({ key: 1, public_key: publicKey, private_key: privateKey })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute()
      return await keys.executeTakeFirstOrThrow()
    },
  }
}

/** @returns false if the user has `limit` channels */
export async function insertChannel(
  transaction: DatabaseTransaction,
  channel: NewChannelRecord,
  limit: number,
): Promise<boolean> {
  await lockRows(transaction, 'users', [channel.userKey])
  const own = transaction.selectFrom('alert_channels').where('user_key', '=', channel.userKey)
  if ((await countRows(own)) >= limit) return false
  await transaction
    .insertInto('alert_channels')
    .values({
      id: channel.id,
      user_key: channel.userKey,
      kind: channel.settings.kind,
      name: channel.name,
      settings: JSON.stringify(channel.settings),
      revision: 0,
      secret: channel.secret,
      unsubscribe_code: channel.unsubscribeCode,
      confirmed_ms: channel.confirmedMs,
      code_hash: channel.code?.hash ?? null,
      code_expires_ms: channel.code?.expiresMs ?? null,
      created_ms: channel.createdMs,
      ...unanswered,
    })
    .execute()
  return true
}

function readRow(row: RowOf<'alert_channels'>): ChannelRecord {
  const { answer_ms: atMs, answer_text: note } = row
  return {
    key: row.key,
    id: row.id,
    userKey: row.user_key,
    name: row.name,
    settings: v.parse(Settings, row.settings),
    revision: row.revision,
    secret: row.secret,
    unsubscribeCode: row.unsubscribe_code,
    confirmedMs: row.confirmed_ms,
    endedMs: row.ended_ms,
    createdMs: row.created_ms,
    answer: atMs === null || note === null ? null : { atMs, isOk: row.answer_is_ok === 1, note },
    failingMs: row.failing_ms,
  }
}

function countOf(condition: RawBuilder<unknown>) {
  return sql<number>`sum(case when ${condition} then 1 else 0 end)`
}
