import type { Generated } from 'kysely'

/** What servers on one PostgreSQL share. SQLite has none of these tables. */
export interface InstanceTables {
  writers: {
    writer: Generated<number>
    /** The number of its last change. Numbers grow by one. */
    number: Generated<number>
    /** Up to this number, its heartbeats are in the rows of their devices. */
    folded: Generated<number>
    alive_ms: number
    /** Devices are judged up to this time. A heartbeat that is committed later is no older. */
    judged_ms: Generated<number>
    /** The last span in which it could not reach the database. */
    silent_from_ms: number | null
    silent_to_ms: number | null
    is_running: Generated<boolean>
  }

  changes: {
    writer: number
    number: number
    at_ms: number
    topic:
      | 'heartbeats'
      | 'offline'
      | 'devices'
      | 'tokens'
      | 'users'
      | 'values'
      | 'islands'
      | 'island-log'
      | 'island-members'
      | 'island-requests'
      | 'island-values'
      | 'checks'
      /** Checks whose owners ask for a look now. */
      | 'check-looks'
      /** Islands whose checks may have found something else. */
      | 'island-checks'
      /** Of users who are gone. */
      | 'room-messages'
      | 'reports'
      | 'relay-answers'
      | 'relay-instances'
      | 'relay-leases'
      | 'relay-openings'
      | 'device-reports'
      | 'neighbours'
    /** For heartbeats: 32-bit integers, little-endian. */
    device_keys: Uint8Array | null
    /** For heartbeats, the devices that came online by them; otherwise keys of the topic's rows. */
    keys: number[] | null
    /** Ids of devices that are no longer public, names of key-values, leases, openings, or an answer’s user. */
    details: unknown
  }

  /** The server that judges devices and puts messages in order. */
  leadership: {
    key: 1
    writer: number | null
    /** Grows with each new leader. */
    term: number
    expires_ms: number
    /** How far, for each writer, all flips are on record and all messages are sent. */
    cursors: Readonly<Record<string, number>>
    feed_epoch: string
    feed_number: number
  }

  feed_messages: {
    number: number
    type:
      | 'device'
      | 'device-removed'
      | 'withdrawn'
      | `${'island' | 'neighbour' | 'neighbour-device' | 'neighbour-island'}${'' | '-removed' | '-withdrawn'}`
      | 'reload'
    /** The key of the device, or of what the type says. */
    device_key: number
    /** JSON. */
    payload: string
  }

  /** How servers on this database pass visitors on to one another. */
  relay_instances: {
    writer: number
    /** Where the others reach it; null if its operator gave no address. */
    url: string | null
    /** Signs the others' requests to it. New with each start. */
    hop_key: Uint8Array
  }

  /** Which server each agent is connected to. */
  relay_leases: {
    writer: number
    device_key: number
    /** Made by the agent at its first start. */
    agent_id: string
    /** The one island that it carries; null if it carries all islands of its device. */
    island_key: number | null
    /** By the database's clock. Of two connections of one agent, the newer one counts. */
    since_ms: number
  }
}
