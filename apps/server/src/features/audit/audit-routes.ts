import { listAuditEntries, type AuditEntry } from '@astropelago/contract/audit'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../http/serve-route.ts'
import type { AuditRecord, AuditStore } from './audit-store.ts'

interface AuditRoutesOptions {
  readonly serve: Serve
  readonly store: AuditStore
}

export async function auditRoutes(app: FastifyInstance, { serve, store }: AuditRoutesOptions) {
  serve(app, listAuditEntries, async ({ query: { before, limit, ...filter } }) => {
    // One more than is shown tells whether there are more.
    const found = await store.list({ ...filter, beforeKey: before, limit: limit + 1 })
    const entries = found.slice(0, limit).map(presentEntry)
    return { status: 200, body: { entries, hasMore: found.length > limit } }
  })
}

function presentEntry({ key, atMs, details, ...entry }: AuditRecord): AuditEntry {
  return {
    number: key,
    at: new Date(atMs).toISOString(),
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    details: details ?? null,
    outcome: entry.outcome,
    code: entry.code,
  }
}
