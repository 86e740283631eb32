import type { Generated } from 'kysely'

/** Users, what they sign in with and store, and what operators read and write. */
export interface AccountTables {
  users: {
    key: Generated<number>
    username: string
    username_folded: string
    /** An argon2id PHC string; null for demo users, who have no password. */
    password_hash: string | null
    name: string | null
    avatar: string | null
    /** The hue of the drawn avatar in degrees; null for the one that the username gives. */
    hue: Generated<number | null>
    /** Confirmed, as it was typed. */
    email: Generated<string | null>
    /** Whether everybody may know who owns the user's public devices. */
    is_name_public: Generated<number>
    is_demo: number
    created_ms: number
    /** When a demo user is deleted; null for other users. */
    expires_ms: number | null
    disabled_ms: Generated<number | null>
    /** Since when an operator keeps the relay from carrying visitors to the user's islands. */
    relay_stopped_ms: Generated<number | null>
    relay_stopped_reason: Generated<string | null>
    /** Since when an operator has trusted the user as a host. */
    relay_trusted_ms: Generated<number | null>
  }

  avatars: {
    user_key: number
    /** A hash of salt and image, and all that its address contains. */
    name: string
    /** Keeps others who have the picture from finding out by its address that a user here has it. */
    salt: Uint8Array
    /** WebP. */
    image: Uint8Array
  }

  sessions: {
    token_hash: Uint8Array
    id: string
    user_key: number
    /** Such as "Firefox on Linux": all that is stored of the user agent. */
    device: string | null
    /** All that is stored of the address that the session was started from. */
    address_family: 4 | 6 | null
    created_ms: number
    last_used_ms: number
  }

  one_time_codes: {
    key: Generated<number>
    code_hash: Uint8Array
    user_key: number
    purpose: 'password' | 'email'
    /** The address to confirm; null for a password. */
    email: string | null
    expires_ms: number
  }

  invites: {
    key: Generated<number>
    id: string
    code_hash: Uint8Array
    note: string | null
    max_uses: number
    uses: Generated<number>
    /** The operator's name. */
    created_by: string
    created_ms: number
    expires_ms: number
  }

  api_keys: {
    key: Generated<number>
    id: string
    user_key: number
    key_hash: Uint8Array
    start: string
    name: string
    scopes: string
    created_ms: number
    last_used_ms: number | null
    expires_ms: number | null
  }

  key_values: {
    user_key: number
    /** Empty for the user's ordinary keys. */
    collection: string
    name: string
    /** JSON. */
    value: string
    /** The size of the value in UTF-8. */
    bytes: number
  }

  llm_usage: {
    user_key: number
    /** A day in UTC: 2030-01-31. */
    day: string
    calls: number
    tokens: number
  }

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
    code: string | null
  }

  /** Users' reports to the operator. Settled ones stay for 90 days. */
  reports: {
    key: Generated<number>
    id: string
    kind: 'device' | 'island' | 'check' | 'log-entry' | 'room-message'
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
