import type { Generated } from 'kysely'

/** This installation among others: what they learn of it, and what it learned of them. */
export interface NeighbourTables {
  /** One row, made at the first start. */
  installation: {
    key: 1
    /** Ed25519, PKCS #8. */
    private_key: Uint8Array
    key_number: number
    /** JSON: the `KeyChange`s, oldest first. */
    key_changes: string
    /** Of its directory: grows with each start of the live feed’s numbers. */
    epoch: number
    /** The live feed’s epoch that `epoch` stands for. */
    feed_epoch: string | null
  }

  followers: {
    address: string
    public_key: string
    /** Whether the address itself says that it has this key. */
    is_verified: number
    first_ms: number
    last_ms: number
    /** When the address was last asked. */
    asked_ms: number | null
  }

  neighbours: {
    key: Generated<number>
    id: string
    address: string
    name: string
    colour: number
    state: 'following' | 'held' | 'blocked'
    /** For operators: why it is held, or why nothing comes. */
    note: string | null
    public_key: string
    key_number: number
    /** A key that it has and that `public_key` did not sign. */
    unknown_key: string | null
    /** How far it is followed; null before the first snapshot is complete. */
    epoch: number | null
    number: number | null
    /** Counts the snapshots that were begun. */
    snapshot: number
    contact_ms: number | null
    added_ms: number
  }

  neighbour_devices: {
    key: Generated<number>
    neighbour_key: number
    id: string
    label: string
    lat: number
    lon: number
    status: 'unknown' | 'online' | 'offline'
    /** The snapshot that it came with, or after. Rows of earlier ones go when a snapshot is complete. */
    snapshot: number
  }

  neighbour_islands: {
    key: Generated<number>
    neighbour_key: number
    id: string
    slug: string
    name: string
    kind: 'social' | 'media' | 'lab'
    picture: number
    tagline: string
    access: 'public' | 'members' | 'invited'
    is_open: number
    device_id: string | null
    snapshot: number
  }

  /** What operators hide, also if it comes again. */
  hidden_of_neighbours: {
    neighbour_key: number
    kind: 'device' | 'island'
    id: string
  }
}
