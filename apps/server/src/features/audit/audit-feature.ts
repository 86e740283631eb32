import { auditRetentionDays } from '@astropelago/contract/audit'
import type { FastifyInstance } from 'fastify'
import type { AuditLog } from '../../audit-log.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { auditRoutes } from './audit-routes.ts'
import type { AuditOutcome } from './audit-store.ts'
import { sqlAuditStore } from './sql-audit-store.ts'

const keptMs = auditRetentionDays * 86_400_000
const pruneMs = 3_600_000

/** Who did what: the log that every feature writes, and that operators read. */
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

  schedule.everyOnLeader(pruneMs, 'old entries of the audit log were kept', (signal) =>
    store.prune(clock() - keptMs, signal),
  )

  return {
    audit,
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      auditRoutes(app, { serve, store }),
  }
}
