import type { Generated } from 'kysely'

/** What operators read and write. */
export interface OperationTables {
  /** Rows stay for 400 days. */
  audit_log: {
    key: Generated<number>
    at_ms: number
    actor: string
    action: string
    subject: string | null
    /** JSON. */
    details: string | null
    /** Stays `begun` if the server ended before the action did. */
    outcome: 'begun' | 'done' | 'refused'
    /** The code of a refusal. */
    code: string | null
  }

  /** Users' reports to the operator. Settled ones stay for 90 days. */
  reports: {
    key: Generated<number>
    id: string
    kind: 'device' | 'island' | 'log-entry'
    /** The public id of what was reported. */
    subject_id: string
    /** Null once that user is gone. */
    reporter_key: number | null
    reason: 'privacy' | 'abuse' | 'illegal' | 'misleading' | 'spam' | 'other'
    text: string
    /** The subject's name, link and author at that time. */
    seen_name: string
    seen_link: string | null
    seen_author: string
    created_ms: number
    /** Null while it is open. */
    outcome: 'hidden' | 'dismissed' | null
    settled_ms: number | null
  }

  announcements: {
    key: Generated<number>
    id: string
    level: 'news' | 'warning'
    title: string
    text: string
    starts_ms: number
    ends_ms: number | null
  }
}
