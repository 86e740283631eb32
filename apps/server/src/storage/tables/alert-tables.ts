import type { Generated } from 'kysely'

/** Alert rules, alerts that are due, messages and their deliveries, channels and status pages. */
export interface AlertTables {
  alert_channels: {
    key: Generated<number>
    id: string
    user_key: number
    kind: string
    name: string
    /** JSON, including credentials. */
    settings: string
    /** Grows each time the settings are replaced. */
    revision: number
    secret: string | null
    unsubscribe_code: string | null
    /** Null while an address is not confirmed. */
    confirmed_ms: number | null
    /** Of the code that confirms the address. */
    code_hash: Uint8Array | null
    code_expires_ms: number | null
    ended_ms: number | null
    created_ms: number
    answer_ms: number | null
    answer_is_ok: 0 | 1 | null
    answer_text: string | null
    /** Since when deliveries have failed; null if the last one succeeded. */
    failing_ms: number | null
  }

  /** This server's keys for push services (VAPID), in one row. */
  push_keys: {
    key: 1
    public_key: string
    private_key: string
  }

  alert_rules: {
    user_key: number
    /** JSON. */
    rules: string
  }

  alert_subject_rules: {
    user_key: number
    subject: 'device' | 'island' | 'check'
    subject_key: number
    /** One of the three is the subject's key. */
    device_key: number | null
    island_key: number | null
    check_key: number | null
    /** JSON. */
    rules: string
  }

  alert_maintenance: {
    id: string
    user_key: number
    from_ms: number
    until_ms: number
    /** JSON: the ids of devices, islands and checks. */
    scope: string
    note: string | null
  }

  /** How far alerts have read each source other than flips. */
  alert_cursors: {
    source: string
    position: number
  }

  /** Outages that a user is due an alert about, or was. */
  alert_items: {
    user_key: number
    /** A device that is offline or warns, a closed island, a check that is down, or reports to an operator. */
    subject: 'device' | 'warning' | 'island' | 'check' | 'reports'
    /** 0 for reports. */
    subject_key: number
    /** One of the three is the subject's key. All are null for reports. */
    device_key: number | null
    island_key: number | null
    check_key: number | null
    /** Whether the subject has recovered. */
    is_over: number
    since_ms: number
    ended_ms: number | null
    /** How often the subject went down in that time. */
    times: number
    alerted_ms: number | null
  }

  alert_turns: {
    user_key: number
    /** Null until something changes. */
    due_ms: number | null
    alerted_ms: number | null
  }

  alert_messages: {
    key: Generated<number>
    id: string
    user_key: number
    at_ms: number
    /** JSON, as channels receive it. */
    message: string
  }

  alert_deliveries: {
    message_key: number
    user_key: number
    /** The channel as it was, because it may be gone by now. */
    channel_key: number
    channel_id: string
    channel_kind: string
    channel_name: string
    state: 'waiting' | 'sent' | 'failed'
    tries: number
    tried_ms: number | null
    /** Null if no other try follows. */
    next_ms: number | null
    answer: string | null
  }

  /** One row while sending is paused. */
  alert_pause: {
    key: 1
    since_ms: number
  }

  status_pages: {
    user_key: number
    /** JSON. */
    settings: string
  }
}
