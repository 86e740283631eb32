import { setTimeout as wait } from 'node:timers/promises'
import { AuditEntry } from '@astropelago/contract/audit'
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { Schema } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { AuditRecord, AuditStore } from './audit-store.ts'

interface SqlAuditStoreOptions {
  /** Rows in one step of pruning: as many as a heartbeat may wait for. */
  readonly pruneSize?: number
  /** Between two steps of pruning, so that it takes a small part of the disk's time. */
  readonly rest?: () => Promise<void>
}

const restMs = 10
/** Above every character that an action has. */
const lastCharacter = '\u{10FFFF}'

export function sqlAuditStore(
  db: Database,
  { pruneSize = 250, rest = () => wait(restMs) }: SqlAuditStoreOptions = {},
): AuditStore {
  return {
    insert: async ({ atMs, details, ...entry }) => {
      const { key } = await db
        .insertInto('audit_log')
        .values({
          ...entry,
          at_ms: atMs,
          details: details ? JSON.stringify(details) : null,
        })
        .returning('key')
        .executeTakeFirstOrThrow()
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
      for (;;) {
        // The oldest are the first: no index of times has to be kept for what is deleted once.
        const { numDeletedRows } = await db
          .deleteFrom('audit_log')
          .where('key', 'in', (entries) =>
            entries.selectFrom('audit_log').select('key').orderBy('key').limit(pruneSize),
          )
          .where('at_ms', '<', untilMs)
          .executeTakeFirst()
        if (Number(numDeletedRows) < pruneSize) return
        await rest()
        if (signal?.aborted === true) return
      }
    },
  }
}

function toRecord({ at_ms: atMs, details, ...row }: Selectable<Schema['audit_log']>): AuditRecord {
  return {
    ...row,
    atMs,
    details: details === null ? null : v.parse(AuditEntry.entries.details, JSON.parse(details)),
  }
}
