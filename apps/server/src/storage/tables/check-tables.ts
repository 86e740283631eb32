import type { Generated } from 'kysely'

/** Checks and what they found. */
export interface CheckTables {
  checks: {
    key: Generated<number>
    id: string
    user_key: number
    name: string
    /** JSON: a `CheckTarget`. */
    target: string
    is_public: number
    /** Since when it has been public. */
    public_ms: number | null
    is_paused: number
    /** The owner's island whose link it watches. */
    island_key: number | null
    /** The owner's device that looks instead of the server. It outlives the device, so that nobody else looks. */
    device_id: string | null
    /** Of the secret address that scripts report to; null for other kinds. */
    push_hash: Uint8Array | null
    /** What it was imported from, so that importing again changes it instead of adding another one. */
    source_id: string | null
    created_ms: number
    /** When and why an operator hid it from all but its owner. */
    hidden_ms: number | null
    hidden_reason: string | null
  }

  /** A check that nobody has looked at has none. */
  check_states: {
    check_key: number
    status: 'up' | 'down' | 'unobserved'
    since_ms: number
    looked_ms: number | null
    /** When the run that a script reported began; null when it has ended. */
    started_ms: number | null
    /** When it is down for want of a report; null for other kinds. */
    due_ms: number | null
    took_ms: number | null
    /** Failures in a row. */
    failures: number
    note: string | null
  }

  check_events: {
    check_key: number
    at_ms: number
    kind: 'up' | 'down' | 'unobserved'
    note: string | null
  }

  /** Single looks of the last 24 hours. */
  check_samples: {
    check_key: number
    /** 0 for the server itself. */
    location_key: number
    at_ms: number
    /** Null for a failure. */
    took_ms: number | null
  }

  check_days: {
    check_key: number
    location_key: number
    /** Its beginning in UTC. */
    day_ms: number
    p50_ms: number
    p95_ms: number
  }

  /** Devices whose agents may look at addresses for others. */
  check_locations: {
    device_key: number
    id: string
    /** What its owner calls the region for others. */
    region: string | null
    is_lending: number
    consented_ms: number | null
  }

  /** Addresses that locations may look at for a user. */
  check_proofs: {
    user_key: number
    /** Host and port. */
    place: string
    code: string
    proven_ms: number | null
    asked_ms: number | null
  }

  /** Since when locations have disagreed with all others about a check. */
  check_doubts: {
    check_key: number
    device_key: number
    since_ms: number
  }

  /** Changes that alerts have not read yet. */
  check_alert_queue: {
    sequence: Generated<number>
    check_key: number
    kind: 'up' | 'down' | 'unobserved'
    at_ms: number
  }
}
