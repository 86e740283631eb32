/** How visitors enter relayed islands, and whether those are open. */
export interface RelayTables {
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
    /** The session that made it. The ticket ends with it. */
    session_hash: Uint8Array
    expires_ms: number
  }

  /** What a ticket becomes. Lets a browser in for as long as its session lasts. */
  relay_grants: {
    /** Of the token in the island host's cookie. */
    grant_hash: Uint8Array
    island_key: number
    session_hash: Uint8Array
    started_ms: number
  }

  /** Whether a relayed island learns a user's name. */
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
}
