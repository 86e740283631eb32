import { CheckTarget } from '@astropelago/contract/checks'
import { sql } from 'kysely'
import * as v from 'valibot'
import { countRows } from '../../../storage/count-rows.ts'
import { checkTotal, lockRows } from '../../../storage/locks.ts'
import { UniqueViolation } from '../../../storage/storage-error.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { CheckImportsStore } from './check-imports-store.ts'

const Target = v.pipe(v.string(), v.parseJson(), CheckTarget)
/** Values of one statement, of 32,766 that SQLite takes. */
const rowsAtOnce = 1000

class ChecksChanged extends Error {}

export function sqlCheckImportsStore(
  { db, changes }: Pick<Storage, 'db' | 'changes'>,
  { maxChecks = Infinity }: { readonly maxChecks?: number } = {},
): CheckImportsStore {
  return {
    read: async (userKey, pushHashes) => {
      const own = db.selectFrom('checks').where('user_key', '=', userKey)
      const rows = await own
        .select(['key', 'id', 'name', 'target', 'source_id as sourceId', 'push_hash'])
        .where('source_id', 'is not', null)
        .execute()
      const known = new Map<string, { userKey: number; sourceId: string | null }>()
      for (const some of inParts(pushHashes)) {
        const hashes = some.map((hash) => Buffer.from(hash, 'hex'))
        const taken = await db
          .selectFrom('checks')
          .select(['push_hash', 'user_key as userKey', 'source_id as sourceId'])
          .where('push_hash', 'in', hashes)
          .execute()
        for (const { push_hash: hash, ...of } of taken) {
          if (hash !== null) known.set(Buffer.from(hash).toString('hex'), of)
        }
      }
      return {
        count: await countRows(own),
        imported: rows.map(({ key, id, name, sourceId, target, push_hash: hash }) => ({
          key,
          id,
          name,
          sourceId: sourceId ?? '',
          target: v.parse(Target, target),
          hasPushAddress: hash !== null,
        })),
        pushHashes: known,
      }
    },

    importChecks: async ({ userKey, created, updated, alsoWrite }, perUser) => {
      try {
        return await changes.write(async (transaction, record) => {
          await lockRows(transaction, 'users', [userKey])
          const own = transaction.selectFrom('checks').where('user_key', '=', userKey)
          if (created.length > 0) {
            if ((await countRows(own)) + created.length > perUser) return 'check_limit'
            await checkTotal(transaction, 'checks', maxChecks, created.length)
          }
          await lockRows(
            transaction,
            'checks',
            updated.map(({ key }) => key),
          )
          for (const { key, name, target, pushHash } of updated) {
            const { numUpdatedRows } = await transaction
              .updateTable('checks')
              .set((set) => ({
                name,
                target: JSON.stringify(target),
                push_hash: set.fn.coalesce(set.ref('push_hash'), sql.val(pushHash)),
              }))
              .where('key', '=', key)
              .executeTakeFirst()
            if (numUpdatedRows === 0n) throw new ChecksChanged()
          }
          record(
            'checks',
            updated.map(({ key }) => key),
          )
          for (const some of inParts(created)) {
            const rows = await transaction
              .insertInto('checks')
              .values(
                some.map(({ id, name, target, publicMs, isPaused, createdMs, ...check }) => ({
                  id,
                  user_key: userKey,
                  name,
                  target: JSON.stringify(target),
                  is_public: Number(publicMs !== null),
                  public_ms: publicMs,
                  is_paused: Number(isPaused),
                  island_key: check.islandKey,
                  device_id: check.deviceId,
                  push_hash: check.pushHash,
                  source_id: check.sourceId,
                  created_ms: createdMs,
                })),
              )
              .returning('key')
              .execute()
            record(
              'checks',
              rows.map(({ key }) => key),
            )
          }
          await alsoWrite(transaction)
          return 'done'
        })
      } catch (error) {
        if (error instanceof ChecksChanged || error instanceof UniqueViolation) return 'changed'
        throw error
      }
    },
  }
}

function inParts<Item>(items: readonly Item[]): Item[][] {
  const parts = Math.ceil(items.length / rowsAtOnce)
  return Array.from({ length: parts }, (_, at) =>
    items.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce),
  )
}
