import type { AuditEvent } from '../../audit-log.ts'

export type AuditOutcome = 'begun' | 'done' | 'refused'

export interface AuditRecord extends Pick<AuditEvent, 'actor' | 'action'> {
  readonly key: number
  readonly atMs: number
  readonly subject: string | null
  readonly details: NonNullable<AuditEvent['details']> | null
  readonly outcome: AuditOutcome
  readonly code: string | null
}

/** Who did what. Entries never change, except for their outcome. */
export interface AuditStore {
  /** Deletes a user's oldest entry if it is one too many. Returns the new entry's key. */
  readonly insert: (entry: Omit<AuditRecord, 'key'>) => Promise<number>
  readonly setOutcome: (key: number, outcome: AuditOutcome, code: string | null) => Promise<void>
  /** The latest first. */
  readonly list: (query: {
    readonly actor?: string | undefined
    /** The beginning of the action's name. */
    readonly action?: string | undefined
    readonly subject?: string | undefined
    readonly beforeKey?: number | undefined
    readonly limit: number
  }) => Promise<readonly AuditRecord[]>
  /** Deletes older entries, a few at a time. The signal ends it early. */
  readonly prune: (untilMs: number, signal?: AbortSignal) => Promise<void>
}
