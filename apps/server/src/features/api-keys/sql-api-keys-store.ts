import { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import * as v from 'valibot'
import { lockRows } from '../../storage/locks.ts'
import type { RecordingStorage } from '../../storage/storage.ts'
import type { ApiKeysStore } from './api-keys-store.ts'

const Scopes = v.pipe(
  v.string(),
  v.transform((text) => text.split(' ')),
  v.array(ApiKeyScope),
)

export function sqlApiKeysStore({ db, changes }: RecordingStorage): ApiKeysStore {
  return {
    insert: (key, limit) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [key.userKey])
        const { count } = await transaction
          .selectFrom('api_keys')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('user_key', '=', key.userKey)
          .executeTakeFirstOrThrow()
        if (count >= limit) return false
        await transaction
          .insertInto('api_keys')
          .values({
            id: key.id,
            user_key: key.userKey,
            key_hash: key.keyHash,
            start: key.start,
            name: key.name,
            scopes: key.scopes.join(' '),
            created_ms: key.createdMs,
            last_used_ms: null,
            expires_ms: key.expiresMs,
          })
          .execute()
        return true
      }),

    list: async (userKey) => {
      const rows = await db
        .selectFrom('api_keys')
        .select(['id', 'name', 'start', 'scopes', 'created_ms', 'last_used_ms', 'expires_ms'])
        .where('user_key', '=', userKey)
        .orderBy('key')
        .execute()
      return rows.map(({ id, name, start, scopes, created_ms, last_used_ms, expires_ms }) => ({
        id,
        name,
        start,
        scopes: v.parse(Scopes, scopes),
        createdMs: created_ms,
        lastUsedMs: last_used_ms,
        expiresMs: expires_ms,
      }))
    },

    find: async (keyHash) => {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('users', 'users.key', 'api_keys.user_key')
        .select([
          'api_keys.id',
          'api_keys.scopes',
          'api_keys.last_used_ms',
          'api_keys.expires_ms',
          'users.key',
          'users.username',
          'users.name',
          'users.avatar',
          'users.hue',
          'users.is_name_public',
        ])
        .where('key_hash', '=', keyHash)
        .where('users.disabled_ms', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { key, username, name, avatar, hue, is_name_public } = row
      return {
        id: row.id,
        scopes: v.parse(Scopes, row.scopes),
        lastUsedMs: row.last_used_ms,
        expiresMs: row.expires_ms,
        user: { key, username, name, avatar, hue, isNamePublic: is_name_public === 1 },
      }
    },

    noteUse: async (keyHash, atMs) => {
      await db
        .updateTable('api_keys')
        .set({ last_used_ms: atMs })
        .where('key_hash', '=', keyHash)
        .execute()
    },

    delete: (userKey, id) =>
      changes.write(async (transaction, record) => {
        record('users', [userKey])
        const row = await transaction
          .deleteFrom('api_keys')
          .where('id', '=', id)
          .where('user_key', '=', userKey)
          .returning('name')
          .executeTakeFirst()
        return row?.name
      }),

    deleteExpired: async (untilMs) => {
      await db.deleteFrom('api_keys').where('expires_ms', '<=', untilMs).execute()
    },
  }
}
