import * as v from 'valibot'
import { hiddenReasonMaxLength, reportTextMaxLength } from './limits.ts'
import { Limit, Text64 } from './operator.ts'
import { defineRoute } from './route.ts'
import { LongText } from './text-fields.ts'

/** What can be reported. A feature that shows content by users adds its kind. */
export const ReportKind = v.picklist(
  ['device', 'island', 'check', 'log-entry', 'room-message'],
  'Only devices, islands, checks, lines of logs and messages in rooms can be reported.',
)
export type ReportKind = v.InferOutput<typeof ReportKind>

export const ReportReason = v.picklist(
  ['privacy', 'abuse', 'illegal', 'misleading', 'spam', 'other'],
  'Choose one of the reasons.',
)
export type ReportReason = v.InferOutput<typeof ReportReason>

const NewReport = v.pipe(
  v.strictObject({
    kind: ReportKind,
    /** The id of what is reported. */
    id: v.pipe(v.string(), v.maxLength(64)),
    reason: ReportReason,
    text: v.optional(
      LongText(reportTextMaxLength, `At most ${reportTextMaxLength} characters, all of them text.`),
      '',
    ),
  }),
  v.forward(
    v.check(
      ({ reason, text }) => reason !== 'other' || text !== '',
      'Say in a few words what is wrong.',
    ),
    ['text'],
  ),
)
export type NewReport = v.InferOutput<typeof NewReport>

export const sendReport = defineRoute({
  method: 'POST',
  path: '/api/reports',
  summary: 'Report content by another user to the operators',
  tag: 'Reports',
  access: 'user',
  body: NewReport,
  answers: { 204: null },
  errors: [
    'signed_out',
    'invalid_input',
    'not_found',
    'already_reported',
    'demo_account',
    'report_limit',
    'server_full',
  ],
})

/** Something that can be reported, in its current state. */
const ReportedSubject = v.object({
  name: v.string(),
  link: v.nullable(v.string()),
  /** Who made it. */
  author: v.string(),
  /** Whether everybody would see it if it were not hidden. */
  isPublic: v.boolean(),
  hidden: v.nullable(v.object({ at: v.string(), reason: v.string() })),
})
export type ReportedSubject = v.InferOutput<typeof ReportedSubject>

/** All reports about one thing that are open, or that were settled together. Times are ISO 8601 in UTC. */
export const ReportCase = v.object({
  /** The id of the newest report. The next page begins after it. */
  id: v.string(),
  subject: v.object({ kind: ReportKind, id: v.string() }),
  /** Null if it is gone. */
  thing: v.nullable(ReportedSubject),
  /** Its name and link at the time of the last report. */
  reportedAs: v.object({ name: v.string(), link: v.nullable(v.string()), author: v.string() }),
  /** The number of reports. `reports` has the newest of them. */
  count: v.number(),
  reports: v.array(
    v.object({
      reason: ReportReason,
      text: v.string(),
      /** Null if that account is gone. */
      reporter: v.nullable(v.string()),
      at: v.string(),
    }),
  ),
  settled: v.nullable(v.object({ outcome: v.picklist(['hidden', 'dismissed']), at: v.string() })),
})
export type ReportCase = v.InferOutput<typeof ReportCase>

const Subject = v.strictObject({ kind: ReportKind, id: v.string() })

export const listReports = defineRoute({
  method: 'GET',
  path: '/api/operator/reports',
  summary: 'Reports, last first: open or settled ones',
  tag: 'Operators',
  access: 'operator',
  query: v.strictObject({
    state: v.optional(v.picklist(['open', 'settled']), 'open'),
    /** The id of the last case on the previous page. */
    after: v.optional(Text64),
    limit: Limit,
  }),
  answers: {
    200: v.object({ cases: v.array(ReportCase), openCount: v.number(), hasMore: v.boolean() }),
  },
  errors: ['not_found', 'invalid_input'],
})

export const dismissReports = defineRoute({
  method: 'POST',
  path: '/api/operator/reports/:kind/:id/dismiss',
  summary: 'Settle all open reports of a thing and leave it as it is',
  tag: 'Operators',
  access: 'operator',
  params: Subject,
  answers: { 204: null },
  errors: ['not_found'],
})

const reasonMessage = `A reason has 1 to ${hiddenReasonMaxLength} characters.`

export const hideSubject = defineRoute({
  method: 'POST',
  path: '/api/operator/hidden/:kind/:id',
  summary: 'Hide a thing from everybody but its author, who sees why; settles its open reports',
  tag: 'Operators',
  access: 'operator',
  params: Subject,
  body: v.strictObject({
    reason: v.pipe(LongText(hiddenReasonMaxLength, reasonMessage), v.nonEmpty(reasonMessage)),
  }),
  answers: { 204: null },
  errors: ['not_found', 'invalid_input'],
})

export const showSubject = defineRoute({
  method: 'DELETE',
  path: '/api/operator/hidden/:kind/:id',
  summary: 'Show a hidden thing again, as its author wants it shown',
  tag: 'Operators',
  access: 'operator',
  params: Subject,
  answers: { 204: null },
  errors: ['not_found'],
})
