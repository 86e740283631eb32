import * as v from 'valibot'
import { Status } from './devices.ts'
import { IslandId } from './island-id.ts'
import { logTextMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { LongText } from './text-fields.ts'
import { Time } from './time.ts'

/** Entries per page of a log, or of the activity. */
export const logPageLength = 30

export const LogEntryKind = v.picklist(
  ['opened', 'closed', 'joined', 'signal', 'note'],
  'Choose one of the kinds.',
)
export type LogEntryKind = v.InferOutput<typeof LogEntryKind>

/** One line of an island's log. Times are ISO 8601 in UTC. */
export const LogEntry = v.object({
  id: v.string(),
  kind: LogEntryKind,
  at: v.string(),
  /** Who joined or wrote it; null if the reader may not know. */
  author: v.nullable(v.string()),
  /** The path of the author's picture; null if there is none. */
  authorAvatar: v.nullable(v.string()),
  /** For signals and notes: plain text with line breaks. */
  text: v.nullable(v.string()),
  /** The time that a signal is about. */
  eventAt: v.nullable(v.string()),
  /** Whether the reader may delete it, as its author or the island's host. */
  mayDelete: v.boolean(),
  /** Since when and why an operator hides it. Only its author and the host see this. */
  hidden: v.nullable(v.object({ at: v.string(), reason: v.string() })),
})
export type LogEntry = v.InferOutput<typeof LogEntry>

const textMessage = `This has 1 to ${logTextMaxLength} characters, all of them text.`
const Text = v.pipe(LongText(logTextMaxLength, textMessage), v.nonEmpty(textMessage))

export const LogPage = v.strictObject({
  /** The `next` of the previous page. */
  after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
})

export const readLog = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/log',
  summary: 'An island’s log, newest first, for everybody who may enter the island',
  tag: 'Island logs',
  access: 'anyone',
  params: IslandId,
  query: LogPage,
  answers: { 200: v.object({ entries: v.array(LogEntry), next: v.nullable(v.string()) }) },
  errors: ['not_found', 'invalid_input', 'rate_limited'],
})

export const leaveNote = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/notes',
  summary: 'Leave a note in the log of an island that the user may enter',
  tag: 'Island logs',
  access: 'user',
  params: IslandId,
  body: v.strictObject({ text: Text }),
  answers: { 201: LogEntry },
  errors: ['signed_out', 'not_found', 'demo_account', 'invalid_input', 'note_limit'],
})

export const sendSignal = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/signals',
  summary: 'Send a signal to visitors of the user’s own island, optionally about a future time',
  tag: 'Island logs',
  access: 'user',
  params: IslandId,
  body: v.strictObject({ text: Text, eventAt: v.optional(v.nullable(Time), null) }),
  answers: { 201: LogEntry },
  errors: ['signed_out', 'not_found', 'demo_account', 'invalid_input', 'signal_limit'],
})

export const deleteLogEntry = defineRoute({
  method: 'DELETE',
  path: '/api/islands/log/:id',
  summary: 'Delete a note or signal by the user, or one on the user’s own island',
  tag: 'Island logs',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: ['signed_out', 'not_found'],
})

/** A flip of the user's own device, or a line in the log of an island that the user hosts or has joined. */
export const ActivityItem = v.variant('type', [
  v.object({
    type: v.literal('flip'),
    id: v.string(),
    at: v.string(),
    device: v.object({ id: v.string(), label: v.string() }),
    status: Status,
  }),
  v.object({
    type: v.literal('log'),
    id: v.string(),
    at: v.string(),
    island: v.object({ slug: v.string(), name: v.string() }),
    entry: LogEntry,
  }),
])
export type ActivityItem = v.InferOutput<typeof ActivityItem>

export const listActivity = defineRoute({
  method: 'GET',
  path: '/api/me/activity',
  summary:
    'Activity of the user’s devices and of islands that the user hosts or has joined, newest first',
  tag: 'Island logs',
  access: 'user',
  query: LogPage,
  answers: { 200: v.object({ items: v.array(ActivityItem), next: v.nullable(v.string()) }) },
  errors: ['signed_out', 'invalid_input'],
})
