import { AuditEntry } from '@astropelago/contract/audit'
import * as v from 'valibot'
import { userPrefix } from '../../audit-log.ts'
import { deleteInSteps } from '../../steps.ts'
import type { RowOf } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { AuditRecord, AuditStore } from './audit-store.ts'

interface SqlAuditStoreOptions {
  /** Rows in one step of pruning: as many as a heartbeat may wait for. */
  readonly pruneSize?: number
  readonly maxPerUser?: number
  /** Users' own actions are kept only among this many newest entries of any kind. */
  readonly maxOfUsers?: number
}

/** More than the one that is too many: an earlier deletion may have failed. */
const deletedAtOnce = 10
const lastCharacter = '\u{10FFFF}'

export function sqlAuditStore(
  db: Database,
  { pruneSize = 250, maxPerUser = 1000, maxOfUsers = 1_000_000 }: SqlAuditStoreOptions = {},
): AuditStore {
  return {
    insert: async ({ atMs, details, ...entry }) => {
      const { key } = await db
        .insertInto('audit_log')
        .values({ ...entry, at_ms: atMs, details: details && JSON.stringify(details) })
        .returning('key')
        .executeTakeFirstOrThrow()
      if (!entry.actor.startsWith(userPrefix)) return key
      const tooMany = db
        .selectFrom('audit_log')
        .select('key')
        .where('actor', '=', entry.actor)
        .orderBy('key', 'desc')
        // SQLite wants a limit with an offset.
        .limit(deletedAtOnce)
        .offset(maxPerUser)
      await db.deleteFrom('audit_log').where('key', 'in', tooMany).execute()
      return key
    },

    setOutcome: async (key, outcome, code) => {
      await db.updateTable('audit_log').set({ outcome, code }).where('key', '=', key).execute()
    },

    list: async ({ actor, action, subject, beforeKey, limit }) => {
      let query = db.selectFrom('audit_log').selectAll()
      if (actor !== undefined) query = query.where('actor', '=', actor)
      if (subject !== undefined) query = query.where('subject', '=', subject)
      if (beforeKey !== undefined) query = query.where('key', '<', beforeKey)
      if (action !== undefined) {
        query = query.where('action', '>=', action).where('action', '<', action + lastCharacter)
      }
      const rows = await query.orderBy('key', 'desc').limit(limit).execute()
      return rows.map(toRecord)
    },

    prune: async (untilMs, signal) => {
      const { newest } = await db
        .selectFrom('audit_log')
        .select((select) => select.fn.max('key').as('newest'))
        .executeTakeFirstOrThrow()
      const entries = db.selectFrom('audit_log').select('key').orderBy('key').limit(pruneSize)
      // The oldest rows come first, so no index on times is needed for what is deleted once.
      const old = db.deleteFrom('audit_log').where('key', 'in', entries)
      const ofUsers = entries
        .where('key', '<=', (newest ?? 0) - maxOfUsers)
        .where('actor', 'like', `${userPrefix}%`)
      const tooMany = db.deleteFrom('audit_log').where('key', 'in', ofUsers)
      for (const step of [old.where('at_ms', '<', untilMs), tooMany]) {
        const deleteRows = async () => Number((await step.executeTakeFirst()).numDeletedRows)
        await deleteInSteps(deleteRows, { signal, size: pruneSize })
        if (signal?.aborted === true) return
      }
    },
  }
}

function toRecord({ at_ms: atMs, details, ...row }: RowOf<'audit_log'>): AuditRecord {
  return {
    ...row,
    atMs,
    details: details === null ? null : v.parse(AuditEntry.entries.details, JSON.parse(details)),
  }
}
