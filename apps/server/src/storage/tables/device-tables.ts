import type { Generated } from 'kysely'

/** Devices, their tokens, and what the server knows of their liveness. */
export interface DeviceTables {
  devices: {
    key: Generated<number>
    id: string
    user_key: number
    label: string
    lat: number
    lon: number
    link: string | null
    visibility: 'public' | 'private'
    /** Whether other installations may show it while it is public. */
    is_shared: Generated<number>
    precision: Generated<'exact' | 'km1' | 'km10'>
    /** Others learn nothing from before this. Null while it is private. */
    public_since_ms: number | null
    created_ms: number
    /** Since when an operator hides it from everybody but its owner. */
    hidden_ms: Generated<number | null>
    hidden_reason: Generated<string | null>
    /** How often it reports, as JSON. Null if it follows the window of the server. */
    schedule: Generated<string | null>
  }

  device_tokens: {
    key: Generated<number>
    id: string
    device_key: number
    token_hash: Uint8Array
    start: string
    label: string | null
    scope: Generated<'report' | 'relay'>
    created_ms: number
    last_used_ms: number | null
  }

  presence: {
    device_key: number
    last_seen_ms: number
    is_online: number
  }

  /** Heartbeats not yet in the rows of their devices. On PostgreSQL only while data is moved. */
  heartbeat_log: {
    key: Generated<number>
    at_ms: number
    /** 32-bit integers, little-endian. */
    device_keys: Uint8Array
  }

  /** Flips, for readers that need each of them. Rows stay for 90 days. */
  presence_events: {
    /** Grows with each flip, in commit order. No number is used twice. */
    sequence: Generated<number>
    /** Always 1: of several servers, only one at a time records flips. */
    writer: Generated<number>
    device_key: number
    status: 'online' | 'offline'
    at_ms: number
  }

  presence_event_cursors: {
    reader: string
    writer: number
    sequence: number
  }

  outages: {
    from_ms: number
    to_ms: number
  }

  unobserved: {
    from_ms: number
    to_ms: number
    /** The one server of several that could not receive any; 0 if none could. */
    writer: number
  }

  device_reports: {
    device_key: number
    at_ms: number
    status: 'ok' | 'fail'
    /** Since when it has had this status. */
    since_ms: number
    text: string | null
    exit_code: number | null
    /** When the run began that lasts. */
    started_ms: number | null
    /** How long the last run took. */
    duration_ms: number | null
    /** The number of its last warning change; null if it never warned. */
    change: number | null
  }

  warning_changes: {
    key: 1
    last: number
  }

  /** Past days on which a device flipped. */
  device_days: {
    device_key: number
    /** Days since 1970, in UTC. */
    day: number
    online_s: number
    offline_s: number
    unobserved_s: number
    flips: number
    /** Whether the last flip was to online. */
    is_online: number
    /** When that was; null if unknown. */
    since_ms: number | null
  }

  alive_mark: {
    key: 1
    at_ms: number
  }
}
