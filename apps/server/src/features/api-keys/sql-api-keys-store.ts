import { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import * as v from 'valibot'
import { countRows } from '../../storage/count-rows.ts'
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
    insert: ({ userKey, keyHash, scopes, createdMs, expiresMs, ...same }, limit) =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'users', [userKey])
        const own = transaction.selectFrom('api_keys').where('user_key', '=', userKey)
        if ((await countRows(own)) >= limit) return false
        await transaction
          .insertInto('api_keys')
          .values({
            ...same,
            user_key: userKey,
            key_hash: keyHash,
            scopes: scopes.join(' '),
            created_ms: createdMs,
            last_used_ms: null,
            expires_ms: expiresMs,
          })
          .execute()
        return true
      }),

    list: async (userKey) => {
      const rows = await db
        .selectFrom('api_keys')
        .select(['id', 'name', 'start', 'scopes'])
        .select([
          'created_ms as createdMs',
          'last_used_ms as lastUsedMs',
          'expires_ms as expiresMs',
        ])
        .where('user_key', '=', userKey)
        .orderBy('key')
        .execute()
      return rows.map(({ scopes, ...row }) =>
        Object.assign(row, { scopes: v.parse(Scopes, scopes) }),
      )
    },

    find: async (keyHash) => {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('users', 'users.key', 'api_keys.user_key')
        .select(['api_keys.id', 'scopes', 'last_used_ms as lastUsedMs'])
        .select(['api_keys.expires_ms as expiresMs', 'user_key as userKey', 'username'])
        .select(['users.name', 'avatar', 'hue', 'is_name_public'])
        .where('key_hash', '=', keyHash)
        .where('users.disabled_ms', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { id, scopes, lastUsedMs, expiresMs, is_name_public, ...user } = row
      return {
        id,
        scopes: v.parse(Scopes, scopes),
        lastUsedMs,
        expiresMs,
        user: { ...user, isNamePublic: is_name_public === 1 },
      }
    },

    recordUse: async (keyHash, atMs) => {
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
