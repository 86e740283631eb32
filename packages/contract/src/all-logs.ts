import * as v from 'valibot'
import { LogEntry, LogEntryKind, LogPage } from './island-log.ts'
import { defineRoute } from './route.ts'
import { Slug } from './slugs.ts'

/** A log entry and its island. */
export const IslandLogEntry = v.object({
  island: v.object({ slug: v.string(), name: v.string() }),
  entry: LogEntry,
})
export type IslandLogEntry = v.InferOutput<typeof IslandLogEntry>

export const listLogs = defineRoute({
  method: 'GET',
  path: '/api/islands/logs',
  summary:
    'Entries in all logs that the reader may see, of listed islands and the reader’s own, newest first',
  tag: 'Island logs',
  access: 'anyone',
  query: v.strictObject({
    ...LogPage.entries,
    kind: v.optional(LogEntryKind),
    /**
     * Only entries of the island with this slug. If the reader may not read its log, there are none, as for
     * an island that does not exist.
     */
    island: v.optional(Slug),
    /** `own`: islands that the reader hosts, has joined or follows. */
    whose: v.optional(v.picklist(['all', 'own']), 'all'),
  }),
  answers: {
    200: v.object({
      entries: v.array(IslandLogEntry),
      /** The requested island; null if the reader may not read its log. */
      island: v.nullable(v.object({ id: v.string(), slug: v.string(), name: v.string() })),
      next: v.nullable(v.string()),
    }),
  },
  errors: ['invalid_input', 'rate_limited'],
})
