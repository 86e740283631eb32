import { cutPage } from '../../page-position.ts'
import { auditRetentionDays, listAuditEntries, type AuditEntry } from '@astropelago/contract/audit'
import type { FastifyInstance } from 'fastify'
import type { AuditLog } from '../../audit-log.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { AuditOutcome, AuditRecord } from './audit-store.ts'
import { sqlAuditStore } from './sql-audit-store.ts'

const retentionMs = auditRetentionDays * 86_400_000
const pruneMs = 3_600_000

export function auditFeature({ storage, clock, log, schedule }: Omit<FeatureBase, 'audit'>) {
  const store = sqlAuditStore(storage.db)
  const insert = (event: Parameters<AuditLog['note']>[0], outcome: AuditOutcome) =>
    store.insert({
      actor: event.actor,
      action: event.action,
      subject: event.subject ?? null,
      details: event.details ?? null,
      atMs: clock(),
      outcome,
      code: null,
    })
  const audit: AuditLog = {
    note: async (event) => {
      await insert(event, 'done')
      log.info({ event: event.action, actor: event.actor, subject: event.subject }, 'audit')
    },
    begin: async (event) => {
      const key = await insert(event, 'begun')
      const end = async (outcome: AuditOutcome, code: string | null) => {
        await store.setOutcome(key, outcome, code)
        const { actor, action, subject } = event
        log.info({ event: action, actor, subject, outcome, ...(code && { code }) }, 'audit')
      }
      return { done: () => end('done', null), refused: (code) => end('refused', code) }
    },
  }

  schedule.everyOnLeader(pruneMs, 'old entries of the audit log were not deleted', (signal) =>
    store.prune(clock() - retentionMs, signal),
  )

  return {
    audit,
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      serve(app, listAuditEntries, async ({ query: { before, limit, ...filter } }) => {
        const found = await store.list({ ...filter, beforeKey: before, limit: limit + 1 })
        const { shown, last } = cutPage(found, limit)
        const entries = shown.map(presentEntry)
        return { status: 200, body: { entries, hasMore: last !== undefined } }
      })
    },
  }
}

function presentEntry({ key, atMs, actor, action, ...entry }: AuditRecord): AuditEntry {
  const { subject, details, outcome, code } = entry
  return { number: key, at: isoTime(atMs), actor, action, subject, details, outcome, code }
}
