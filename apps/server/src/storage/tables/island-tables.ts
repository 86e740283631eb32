import type { Generated } from 'kysely'

/** Islands, their people, logs and pages, when they were open, and how visitors enter through the relay. */
export interface IslandTables {
  islands: {
    key: Generated<number>
    id: string
    /** The host; null if the island belongs to the installation. */
    user_key: number | null
    /** Ends in six random characters unless everybody may know of the island. */
    slug: string
    name: string
    kind: 'social' | 'media' | 'lab'
    tagline: string
    about: string
    rules_text: Generated<string>
    /** When they last changed after publication. */
    rules_changed_ms: Generated<number | null>
    /** When its last pause began; null if there never was one. */
    paused_ms: Generated<number | null>
    paused_until_ms: Generated<number | null>
    pause_text: Generated<string>
    access: 'public' | 'members' | 'invited'
    is_listed: number
    /** Whether other installations may show it while it is listed. */
    is_shared: Generated<number>
    /** The host's own link to it. */
    address: string | null
    /** Whether visitors come through the relay. It has no link then. */
    is_relayed: Generated<number>
    /** Whether visitors come to its live deployment. It has no link then, and is not relayed. */
    is_hosted: Generated<number>
    /** The host's device that connects it to the relay. */
    carrier_key: number | null
    created_ms: number
    /** Null while it is a draft. */
    published_ms: number | null
    /** Since when an operator hides it from everybody but its host. */
    hidden_ms: Generated<number | null>
    hidden_reason: Generated<string | null>
    /** Since when an operator keeps the relay from carrying visitors to it. */
    relay_stopped_ms: Generated<number | null>
    relay_stopped_reason: Generated<string | null>
    /** What its picture is drawn from, together with its kind: 32 bits. */
    picture: Generated<number>
  }

  /** Every plain slug that was ever taken and, for some time, old ones that were not plain. */
  island_slugs: {
    slug: string
    /** What look-alike slugs share; null if the slug is not plain, because such slugs are not compared. */
    skeleton: string | null
    /** Null once the island is closed for good or its host is gone. */
    island_key: number | null
    /** Whose it stays; null for the installation, or if it is nobody's any more. */
    user_key: number | null
    /** When another slug replaced it; null while it is the island's. */
    replaced_ms: number | null
    /** When a proxy first learned that it may get a certificate for it. */
    certified_ms: Generated<number | null>
  }

  island_members: {
    island_key: number
    user_key: number
    joined_ms: number
  }

  island_requests: {
    island_key: number
    user_key: number
    text: string
    at_ms: number
  }

  island_blocks: {
    island_key: number
    user_key: number
    at_ms: number
  }

  island_invitations: {
    key: Generated<number>
    id: string
    island_key: number
    code_hash: Uint8Array
    note: string | null
    max_uses: number
    uses: Generated<number>
    created_ms: number
    expires_ms: number
  }

  /** Links from an island to those that it names as its neighbours. */
  island_routes: {
    island_key: number
    neighbour_key: number
    /** The position among its neighbours, from 0. */
    place: number
  }

  island_log: {
    key: Generated<number>
    id: string
    island_key: number
    kind: 'opened' | 'closed' | 'joined' | 'signal' | 'note'
    /** The user who joined or wrote it; null for other kinds. */
    user_key: number | null
    /** Only for signals and notes. */
    text: string | null
    event_ms: number | null
    at_ms: number
    /** Since when an operator hides it from everybody but its author and the host. */
    hidden_ms: Generated<number | null>
    hidden_reason: Generated<string | null>
  }

  /** When an island became open, closed or unobserved. */
  island_events: {
    island_key: number
    at_ms: number
    kind: 'open' | 'closed' | 'unobserved'
  }

  /** Events of islands that alerts are due for. */
  island_alert_queue: {
    sequence: Generated<number>
    island_key: number
    at_ms: number
    kind: 'open' | 'closed' | 'unobserved'
    /** Users up to this key have been handled. */
    last_user_key: number
  }

  /** Since when each group may know of an island; null if it may not. */
  island_visible_since: {
    island_key: number
    members_ms: number | null
    /** Signed-in users. */
    users_ms: number | null
    everybody_ms: number | null
  }

  /** Ports that islands have or had, for games and other programs. */
  relay_ports: {
    port: number
    /** The island that has it or had it last, which gets it again; null once that one is gone. */
    island_key: number | null
    /** When it was given back; null while the island has it, or until a server notices its end. */
    freed_ms: number | null
  }

  /** The networks from which a user viewed an island that has a port. The port lets them in for a while. */
  relay_addresses: {
    island_key: number
    user_key: number
    address_hash: Uint8Array
    seen_ms: number
  }

  /** Each lets one browser into a relayed island, once and within a minute. */
  relay_tickets: {
    ticket_hash: Uint8Array
    /** Of the secret that the island's host name gave the browser. */
    state_hash: Uint8Array
    island_key: number
    /** Works there only; null for tickets from before own domains. */
    host_name: string | null
    /** The session that made it. The ticket ends with it. */
    session_hash: Uint8Array
    expires_ms: number
  }

  /** What a ticket becomes. Lets a browser in for as long as its session lasts. */
  relay_grants: {
    /** Of the token in the island host's cookie. */
    grant_hash: Uint8Array
    island_key: number
    /** Works there only; null if it is from before own domains, which means the name below RELAY_DOMAIN. */
    host_name: string | null
    session_hash: Uint8Array
    started_ms: number
  }

  /** An island's claim to a domain. Many can claim one, but only one can have a proof that holds. */
  relay_domains: {
    island_key: number
    /** In lower case, and in punycode if it has other letters. */
    domain: string
    /** What its TXT record must say. */
    code: string
    /** Whether the host agreed that the name appears in public logs of certificates. */
    is_in_logs: number
    claimed_ms: number
    /** Since when it is proven; null if it is not. */
    proven_ms: Generated<number | null>
    checked_ms: Generated<number | null>
    /** When a check first found that the record is not there, if none has found it since. */
    missing_ms: Generated<number | null>
    /** Since when no check got an answer; null if the last one did. */
    unanswered_ms: Generated<number | null>
    lost_ms: Generated<number | null>
    lost_reason: Generated<'missing' | 'unanswered' | 'taken' | null>
    /** When the host got the message about the loss. */
    alerted_ms: Generated<number | null>
  }

  /** Domains for which a proxy was allowed to get certificates. */
  relay_domain_certificates: {
    domain: string
    /** The host who had it then; null if that account is gone. */
    user_key: number | null
    certified_ms: number
  }

  relay_answers: {
    user_key: number
    island_key: number
    /** Lets the island's service recognize the user. Each island gets a different one. */
    visitor_id: string
    /** Null once the user has taken the answer back. */
    shares_name: number | null
    answered_ms: number
  }

  /** Relayed islands without a row were never open. */
  relay_openings: {
    island_key: number
    is_open: number
    since_ms: number
  }

  /** Uploads of an island's files. Their rows go with the island, their files' contents in steps. */
  page_deployments: {
    key: Generated<number>
    id: string
    island_key: number
    /** Only a draft's files change. A pending one is still being written. */
    state: 'pending' | 'draft' | 'published'
    is_live: number
    source: 'upload' | 'editor' | 'template'
    created_ms: number
    /** The draft's last change, or since when a deployment has been live. */
    changed_ms: number
    file_count: number
    /** Of the files as they are, and with what is stored compressed besides. */
    bytes: number
    stored_bytes: number
    /** Why an operator looks at it; null if nothing in it is suspicious. */
    suspicion: 'password' | 'name' | null
    passed_ms: Generated<number | null>
  }

  page_files: {
    deployment_key: number
    path: string
    content_hash: Uint8Array
    bytes: number
    /** Null if it is not stored compressed. */
    gzip_bytes: number | null
    /** JSON: addresses in it that the policy of hosted pages blocks; null if there are none. */
    blocked: string | null
    suspicion: 'password' | 'name' | null
  }

  /** The contents of files, once for each island. Without references, so that deletions never cascade here. */
  page_chunks: {
    island_key: number
    content_hash: Uint8Array
    is_gzip: number
    /** From 0. */
    position: number
    data: Uint8Array
  }

  /** Tickets that open the preview of an island's draft, and what browsers hold after that. */
  page_previews: {
    token_hash: Uint8Array
    is_ticket: number
    island_key: number
    /** What an operator reviews; null for a draft, to its host. */
    deployment_key: number | null
    session_hash: Uint8Array
    expires_ms: number
  }

  /** What pages of islands store by `spark`. */
  island_values: {
    island_key: number
    store: 'kv' | 'shared' | 'host'
    /** The visitor whose own value it is; 0 in the other stores. */
    owner_key: number
    name: string
    /** The author. */
    user_key: number
    /** As the island knows the author. */
    author_id: string
    author_name: string
    /** JSON. */
    value: string
    bytes: number
    changed_ms: number
  }

  rooms: {
    key: Generated<number>
    id: string
    island_key: number
    name: string
    /** Of its last event. Events are numbered from 1, without gaps. */
    last_n: number
    /** Whether only moderators write. */
    is_read_only: number
    changed_ms: number
  }

  room_events: {
    room_key: number
    n: number
    at_ms: number
    kind: 'message' | 'delete' | 'erase' | 'mute' | 'block' | 'unmute' | 'read-only'
    /** Who wrote a message and said who they are; null for others, and once the message is deleted. */
    user_key: number | null
    author_id: string | null
    author_name: string | null
    /** A hash of the message’s own id and its sender, by which one that is sent again is recognized. */
    client_id: string | null
    /** JSON: what a message says, null once it is deleted; otherwise what the moderator did. */
    value: string | null
  }

  /** Visitors who may not write in an island's rooms or, if they are blocked, not read either. */
  room_silences: {
    island_key: number
    user_key: number
    visitor_id: string
    name: string
    kind: 'mute' | 'block'
    /** Null until it is taken back. */
    until_ms: number | null
  }

  /** How many tokens of the language model an island's visitors may use in a day. Without a row, none. */
  island_llm_budgets: {
    island_key: number
    daily_tokens: number
  }

  island_llm_usage: {
    island_key: number
    user_key: number
    /** In UTC: 2030-01-31. */
    day: string
    tokens: number
  }
}
