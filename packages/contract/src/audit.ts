import * as v from 'valibot'
import { Limit } from './operator.ts'
import { defineRoute } from './route.ts'

/** How long it is known who did what. */
export const auditKeptDays = 400

export const AuditEntry = v.object({
  /** Grows with each entry. */
  number: v.number(),
  at: v.string(),
  /** `user:<name>` for the own account, `operator:<name>`, `operator:console` or `server`. */
  actor: v.string(),
  /** What was done, such as `user.disabled`. */
  action: v.string(),
  /** To whom or what, such as `user:ada` or `device:<id>`. */
  subject: v.nullable(v.string()),
  details: v.nullable(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
  ),
  /** `begun` where nobody lived to see the end. */
  outcome: v.picklist(['begun', 'done', 'refused']),
  /** Why it was refused. */
  code: v.nullable(v.string()),
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>

const Words = v.optional(
  v.pipe(v.string(), v.maxLength(128, 'This is at most 128 characters long.')),
)

export const listAuditEntries = defineRoute({
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'Who did what, the latest first, a page at a time',
  tag: 'Operators',
  access: 'operator',
  query: v.strictObject({
    actor: Words,
    /** Or how it begins: `user.` stands for all that was done to users. */
    action: Words,
    subject: Words,
    /** The number that the page before ended with. */
    before: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'This is a whole number.'), v.transform(Number)),
    ),
    limit: Limit,
  }),
  answers: { 200: v.object({ entries: v.array(AuditEntry), hasMore: v.boolean() }) },
  errors: ['not_found', 'invalid_input'],
})
