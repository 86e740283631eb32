import * as v from 'valibot'
import { Limit } from './operator.ts'
import { defineRoute } from './route.ts'

/** How long audit entries are kept. */
export const auditRetentionDays = 400

export const AuditEntry = v.object({
  /** Increases with each entry. */
  number: v.number(),
  at: v.string(),
  /** `user:<name>` for changes to one's account, `operator:<name>`, `operator:console` or `server`. */
  actor: v.string(),
  /** The action, such as `user.disabled`. */
  action: v.string(),
  /** Its subject, such as `user:ada` or `device:<id>`. */
  subject: v.nullable(v.string()),
  details: v.nullable(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
  ),
  /** `begun` if the server stopped before the end. */
  outcome: v.picklist(['begun', 'done', 'refused']),
  /** The error code if it was refused. */
  code: v.nullable(v.string()),
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>

const Words = v.optional(
  v.pipe(v.string(), v.maxLength(128, 'This is at most 128 characters long.')),
)

export const listAuditEntries = defineRoute({
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'Who did what, latest first, a page at a time',
  tag: 'Operators',
  access: 'operator',
  query: v.strictObject({
    actor: Words,
    /** A whole action or the start of it: `user.` matches everything done to users. */
    action: Words,
    subject: Words,
    /** The number of the last entry on the previous page. */
    before: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'This is a whole number.'), v.transform(Number)),
    ),
    limit: Limit,
  }),
  answers: { 200: v.object({ entries: v.array(AuditEntry), hasMore: v.boolean() }) },
  errors: ['not_found', 'invalid_input'],
})
