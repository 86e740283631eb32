import * as v from 'valibot'
import { LogEntry, LogEntryKind, LogPage } from './island-log.ts'
import { defineRoute } from './route.ts'
import { Slug } from './slugs.ts'

/** A line of a log, and whose log that is. */
export const IslandLogEntry = v.object({
  island: v.object({ slug: v.string(), name: v.string() }),
  entry: LogEntry,
})
export type IslandLogEntry = v.InferOutput<typeof IslandLogEntry>

export const listLogs = defineRoute({
  method: 'GET',
  path: '/api/islands/logs',
  summary:
    'What stands in the logs that one may read, of all listed islands and one’s own, the newest first',
  tag: 'Island logs',
  access: 'anyone',
  query: v.strictObject({
    ...LogPage.entries,
    kind: v.optional(LogEntryKind),
    /** Of the island that is called so alone: nothing where one may not read its log, as where there is none. */
    island: v.optional(Slug),
    /** `own`: of islands that one hosts, has joined or follows. */
    whose: v.optional(v.picklist(['all', 'own']), 'all'),
  }),
  answers: {
    200: v.object({
      entries: v.array(IslandLogEntry),
      /** The one that was asked for; null where there is none for the reader. */
      island: v.nullable(v.object({ id: v.string(), slug: v.string(), name: v.string() })),
      next: v.nullable(v.string()),
    }),
  },
  errors: ['invalid_input', 'rate_limited'],
})
