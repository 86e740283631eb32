import type { AuditEvent } from '../../audit-log.ts'

export type AuditOutcome = 'begun' | 'done' | 'refused'

export interface AuditRecord extends Required<Omit<AuditEvent, 'subject' | 'details'>> {
  readonly key: number
  readonly atMs: number
  readonly subject: string | null
  readonly details: AuditEvent['details'] | null
  readonly outcome: AuditOutcome
  /** The code of a refusal. */
  readonly code: string | null
}

export interface AuditQuery {
  readonly actor?: string | undefined
  /** How the action begins. */
  readonly action?: string | undefined
  readonly subject?: string | undefined
  /** Older ones than this. */
  readonly beforeKey?: number | undefined
  readonly limit: number
}

/** Who did what. Nothing of it is changed but how it ended. */
export interface AuditStore {
  /** Of what a user did the oldest goes where it is one too many. @returns the key of the entry */
  readonly insert: (entry: Omit<AuditRecord, 'key'>) => Promise<number>
  readonly setOutcome: (key: number, outcome: AuditOutcome, code: string | null) => Promise<void>
  /** The latest first. */
  readonly list: (query: AuditQuery) => Promise<readonly AuditRecord[]>
  /** Deletes what is older, a little at a time; the signal ends it early. */
  readonly prune: (untilMs: number, signal?: AbortSignal) => Promise<void>
}
