import type { Generated, Selectable } from 'kysely'

/**
 * The tables as queries see them. Times are integer milliseconds since 1970. Keys never leave the server.
 */
export interface Schema {
  users: UsersTable
  avatars: AvatarsTable
  sessions: SessionsTable
  one_time_codes: OneTimeCodesTable
  invites: InvitesTable
  devices: DevicesTable
  device_tokens: DeviceTokensTable
  presence: PresenceTable
  heartbeat_log: HeartbeatLogTable
  presence_events: PresenceEventsTable
  presence_event_cursors: PresenceEventCursorsTable
  outages: OutagesTable
  unobserved: UnobservedTable
  device_reports: DeviceReportsTable
  warning_changes: WarningChangesTable
  device_days: DeviceDaysTable
  alive_mark: AliveMarkTable
  key_values: KeyValuesTable
  llm_usage: LlmUsageTable
  audit_log: AuditLogTable
  reports: ReportsTable
  announcements: AnnouncementsTable
  api_keys: ApiKeysTable
  alert_channels: AlertChannelsTable
  push_keys: PushKeysTable
  alert_rules: AlertRulesTable
  alert_subject_rules: AlertSubjectRulesTable
  alert_maintenance: AlertMaintenanceTable
  alert_cursors: AlertCursorsTable
  alert_items: AlertItemsTable
  alert_turns: AlertTurnsTable
  alert_messages: AlertMessagesTable
  alert_deliveries: AlertDeliveriesTable
  alert_pause: AlertPauseTable
  status_pages: StatusPagesTable
  islands: IslandsTable
  island_slugs: IslandSlugsTable
  island_members: IslandMembersTable
  island_requests: IslandRequestsTable
  island_blocks: IslandBlocksTable
  island_invitations: IslandInvitationsTable
  island_routes: IslandRoutesTable
  island_log: IslandLogTable
  island_events: IslandEventsTable
  island_alert_queue: IslandAlertQueueTable
  island_visible_since: IslandVisibleSinceTable
  relay_ports: RelayPortsTable
  relay_addresses: RelayAddressesTable
  relay_tickets: RelayTicketsTable
  relay_grants: RelayGrantsTable
  relay_answers: RelayAnswersTable
  relay_openings: RelayOpeningsTable
  /** PostgreSQL only, from here on. */
  writers: WritersTable
  changes: ChangesTable
  leadership: LeadershipTable
  feed_messages: FeedMessagesTable
  relay_instances: RelayInstancesTable
  relay_leases: RelayLeasesTable
}

/** A row as it is read. */
export type RowOf<Table extends keyof Schema> = Selectable<Schema[Table]>

interface UsersTable {
  key: Generated<number>
  username: string
  /** The username in lower case, which makes it unique regardless of case. */
  username_folded: string
  /** An argon2id PHC string; null for demo users, who have no password. */
  password_hash: string | null
  name: string | null
  /** The picture's name in `avatars`. */
  avatar: string | null
  /** The hue of the drawn avatar in degrees; null for the one that the username gives. */
  hue: Generated<number | null>
  /** A confirmed e-mail address, as it was typed. */
  email: Generated<string | null>
  /** Whether everybody may know who owns the user's public devices. */
  is_name_public: Generated<number>
  is_demo: number
  created_ms: number
  /** When a demo user is deleted with everything that belongs to it; null for other users. */
  expires_ms: number | null
  /** When an operator disabled the account; null while it is enabled. */
  disabled_ms: Generated<number | null>
  /** Since when, and why, an operator keeps the relay from carrying visitors to the user's islands. */
  relay_stopped_ms: Generated<number | null>
  relay_stopped_reason: Generated<string | null>
  /** Since when an operator has trusted the user as a host. */
  relay_trusted_ms: Generated<number | null>
}

interface AvatarsTable {
  user_key: number
  /** Its address contains only this: a hash of salt and image. */
  name: string
  /** Keeps others who have the picture from telling by its address whether a user here has it. */
  salt: Uint8Array
  /** WebP. */
  image: Uint8Array
}

interface SessionsTable {
  /** SHA-256 of the token in the cookie. */
  token_hash: Uint8Array
  /** The id that its user sees. */
  id: string
  user_key: number
  /** Such as "Firefox on Linux": all that is stored of the user agent. */
  device: string | null
  /** All that is stored of the address that the session was started from. */
  address_family: 4 | 6 | null
  created_ms: number
  last_used_ms: number
}

/** One-time codes, which set a password or confirm an address. */
interface OneTimeCodesTable {
  key: Generated<number>
  /** SHA-256 of the code. */
  code_hash: Uint8Array
  user_key: number
  purpose: 'password' | 'email'
  /** The address to confirm; null for a password. */
  email: string | null
  expires_ms: number
}

interface InvitesTable {
  key: Generated<number>
  id: string
  /** SHA-256 of the code. */
  code_hash: Uint8Array
  note: string | null
  max_uses: number
  uses: Generated<number>
  /** The operator's name. */
  created_by: string
  created_ms: number
  expires_ms: number
}

interface DevicesTable {
  key: Generated<number>
  id: string
  user_key: number
  label: string
  lat: number
  lon: number
  link: string | null
  visibility: 'public' | 'private'
  /** How exactly others see the place. */
  precision: Generated<'exact' | 'km1' | 'km10'>
  /** Others learn nothing from before this. Null while it is private. */
  public_since_ms: number | null
  created_ms: number
  /** Since when, and why, an operator hides it from everybody but its owner; null if none does. */
  hidden_ms: Generated<number | null>
  hidden_reason: Generated<string | null>
}

interface DeviceTokensTable {
  key: Generated<number>
  id: string
  device_key: number
  /** SHA-256 of the token. */
  token_hash: Uint8Array
  start: string
  label: string | null
  /** Whether it reports heartbeats or connects an agent. */
  scope: Generated<'report' | 'relay'>
  created_ms: number
  last_used_ms: number | null
}

interface PresenceTable {
  device_key: number
  last_seen_ms: number
  is_online: number
}

/**
 * Groups of heartbeats that are not yet in the rows of their devices. On PostgreSQL only while data is
 * moved.
 */
interface HeartbeatLogTable {
  key: Generated<number>
  at_ms: number
  /** 32-bit integers, little-endian. */
  device_keys: Uint8Array
}

/** Flips, for readers that need each of them; kept for 90 days. */
interface PresenceEventsTable {
  /** Grows with each flip, in commit order. No number is used twice. */
  sequence: Generated<number>
  /** Always 1: of several servers, only one at a time records flips. */
  writer: Generated<number>
  device_key: number
  status: 'online' | 'offline'
  at_ms: number
}

/** How far each reader has come with each writer's flips. */
interface PresenceEventCursorsTable {
  reader: string
  writer: number
  /** The last flip that it has handled. */
  sequence: number
}

interface OutagesTable {
  from_ms: number
  to_ms: number
}

/** Times in which no heartbeat could be received. */
interface UnobservedTable {
  from_ms: number
  to_ms: number
  /** The one server of several that could not receive any; 0 if none could. */
  writer: number
}

/** A device's last report about itself. */
interface DeviceReportsTable {
  device_key: number
  at_ms: number
  status: 'ok' | 'fail'
  /** Since when it has had this status. */
  since_ms: number
  text: string | null
  /** The number of its last warning change; null if it never warned. */
  change: number | null
}

/** Counts the beginnings and ends of warnings, in one row. */
interface WarningChangesTable {
  key: 1
  last: number
}

/** A past day on which a device flipped. */
interface DeviceDaysTable {
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

interface AliveMarkTable {
  key: 1
  at_ms: number
}

interface KeyValuesTable {
  user_key: number
  /** Empty for the user's ordinary keys. */
  collection: string
  name: string
  /** JSON. */
  value: string
  /** The size of the value in UTF-8 bytes. */
  bytes: number
}

interface LlmUsageTable {
  user_key: number
  /** A day in UTC: 2030-01-31. */
  day: string
  calls: number
  tokens: number
}

/** Who did what; kept for 400 days. */
interface AuditLogTable {
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

/** Users' reports to the operator. Settled ones are kept for 90 days. */
interface ReportsTable {
  key: Generated<number>
  id: string
  kind: 'device' | 'island' | 'log-entry'
  /** The public id of what was reported. */
  subject_id: string
  /** Null once that user is gone. */
  reporter_key: number | null
  reason: 'privacy' | 'abuse' | 'illegal' | 'misleading' | 'spam' | 'other'
  text: string
  /** The name, link and author of what was reported, as they were then. */
  seen_name: string
  seen_link: string | null
  seen_author: string
  created_ms: number
  /** Null while it is open. */
  outcome: 'hidden' | 'dismissed' | null
  settled_ms: number | null
}

/** The operator's announcements to everybody. */
interface AnnouncementsTable {
  key: Generated<number>
  id: string
  level: 'news' | 'warning'
  title: string
  text: string
  starts_ms: number
  /** Null for no end. */
  ends_ms: number | null
}

/** Where users receive alerts. */
interface AlertChannelsTable {
  key: Generated<number>
  id: string
  user_key: number
  kind: string
  name: string
  /** JSON, including credentials. */
  settings: string
  /** Grows each time the settings are replaced. */
  revision: number
  /** Signs a webhook's calls. */
  secret: string | null
  /** Sent in each mail to an address. */
  unsubscribe_code: string | null
  /** Null while an address is not confirmed. */
  confirmed_ms: number | null
  /** SHA-256 of the code that confirms the address. */
  code_hash: Uint8Array | null
  code_expires_ms: number | null
  ended_ms: number | null
  created_ms: number
  /** The last answer: when it came, whether it was good, and what it said. */
  answer_ms: number | null
  answer_is_ok: 0 | 1 | null
  answer_text: string | null
  /** Since when deliveries have failed; null if the last one succeeded. */
  failing_ms: number | null
}

/** This server's keys for push services (VAPID), in one row. */
interface PushKeysTable {
  key: 1
  public_key: string
  private_key: string
}

/** The alert rules of users who changed them. */
interface AlertRulesTable {
  user_key: number
  /** JSON. */
  rules: string
}

/** Their rules for single devices and islands. */
interface AlertSubjectRulesTable {
  user_key: number
  subject: 'device' | 'island'
  subject_key: number
  /** One of the two is the subject's key. */
  device_key: number | null
  island_key: number | null
  /** JSON. */
  rules: string
}

/** Maintenance windows, in which no new alerts are made. */
interface AlertMaintenanceTable {
  id: string
  user_key: number
  from_ms: number
  until_ms: number
  /** JSON: the ids of devices and islands. */
  scope: string
  note: string | null
}

/** How far alerts have read each source other than flips. */
interface AlertCursorsTable {
  source: string
  position: number
}

/** Outages that a user is due an alert about, or was. */
interface AlertItemsTable {
  user_key: number
  /** A device that is offline or warns, an island that is closed, or reports to an operator. */
  subject: 'device' | 'warning' | 'island' | 'reports'
  /** 0 for reports. */
  subject_key: number
  /** One of the two is the subject's key. Both are null for reports. */
  device_key: number | null
  island_key: number | null
  /** Whether the subject has recovered. */
  is_over: number
  since_ms: number
  ended_ms: number | null
  /** How often the subject went down in that time. */
  times: number
  /** When the user was last alerted that it is down. */
  alerted_ms: number | null
}

/** When to check next whether a user is due an alert. */
interface AlertTurnsTable {
  user_key: number
  /** Null until something changes. */
  due_ms: number | null
  /** When the last message was made. */
  alerted_ms: number | null
}

/** Alerts, as they were written. */
interface AlertMessagesTable {
  key: Generated<number>
  id: string
  user_key: number
  at_ms: number
  /** JSON, as channels receive it. */
  message: string
}

/** One row while sending is paused. */
interface AlertPauseTable {
  key: 1
  since_ms: number
}

/** Messages on their way to channels, and their outcomes. */
interface AlertDeliveriesTable {
  message_key: number
  /** The message's user. */
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

interface ApiKeysTable {
  key: Generated<number>
  id: string
  user_key: number
  /** SHA-256 of the key. */
  key_hash: Uint8Array
  start: string
  name: string
  /** Separated by spaces. */
  scopes: string
  created_ms: number
  last_used_ms: number | null
  /** Null if it does not expire. */
  expires_ms: number | null
}

/** A user's public status page. Users who never chose settings have no row. */
interface StatusPagesTable {
  user_key: number
  /** JSON. */
  settings: string
}

interface IslandsTable {
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
  /** When that pause ends or ended; null if its host has not said. */
  paused_until_ms: Generated<number | null>
  pause_text: Generated<string>
  access: 'public' | 'members' | 'invited'
  is_listed: number
  /** The host's own link to it. */
  address: string | null
  /** Whether visitors come through the relay. It has no link then. */
  is_relayed: Generated<number>
  /** The host's device that connects it to the relay. */
  carrier_key: number | null
  created_ms: number
  /** Null while it is a draft. */
  published_ms: number | null
  /** Since when, and why, an operator hides it from everybody but its host; null if none does. */
  hidden_ms: Generated<number | null>
  hidden_reason: Generated<string | null>
  /** Since when, and why, an operator keeps the relay from carrying visitors to it. */
  relay_stopped_ms: Generated<number | null>
  relay_stopped_reason: Generated<string | null>
  /** What its picture is drawn from, together with its kind: 32 bits. */
  picture: Generated<number>
}

/** Every plain slug that was ever taken and, for some time, old ones that were not plain. */
interface IslandSlugsTable {
  slug: string
  /** What look-alike slugs share; null if the slug is not plain, because such slugs are not compared. */
  skeleton: string | null
  /** Null once the island is closed for good or its host is gone. */
  island_key: number | null
  /** Whose it stays; null for the installation, or if it is nobody's any more. */
  user_key: number | null
  /** When another slug replaced it; null while it is the island's. */
  replaced_ms: number | null
  /** When a proxy was first told that it may get a certificate for it. */
  certified_ms: Generated<number | null>
}

interface IslandMembersTable {
  island_key: number
  user_key: number
  joined_ms: number
}

/** Users who wait for the host's answer. */
interface IslandRequestsTable {
  island_key: number
  user_key: number
  text: string
  at_ms: number
}

interface IslandBlocksTable {
  island_key: number
  user_key: number
  at_ms: number
}

interface IslandInvitationsTable {
  key: Generated<number>
  id: string
  island_key: number
  /** SHA-256 of the code. */
  code_hash: Uint8Array
  note: string | null
  max_uses: number
  uses: Generated<number>
  created_ms: number
  expires_ms: number
}

/** A link from an island to one that it names as its neighbour. */
interface IslandRoutesTable {
  island_key: number
  neighbour_key: number
  /** The position among its neighbours, from 0. */
  place: number
}

interface IslandLogTable {
  key: Generated<number>
  id: string
  island_key: number
  kind: 'opened' | 'closed' | 'joined' | 'signal' | 'note'
  /** Who joined or wrote it; null if nobody did, as for `opened`. */
  user_key: number | null
  /** Only for signals and notes. */
  text: string | null
  /** The time that a signal is about. */
  event_ms: number | null
  at_ms: number
  /** Since when, and why, an operator hides it from everybody but its author and the host. */
  hidden_ms: Generated<number | null>
  hidden_reason: Generated<string | null>
}

/** Ports that islands have or had, for games and other programs. */
interface RelayPortsTable {
  port: number
  /** The island that has it or had it last; null once that island is gone. */
  island_key: number | null
  /** When it was given back; null while the island has it. */
  freed_ms: number | null
}

/** Whether a relayed island is open. Without a row, it never was. */
interface RelayOpeningsTable {
  island_key: number
  is_open: number
  since_ms: number
}

/** When an island became open, closed or unobserved. */
interface IslandEventsTable {
  island_key: number
  at_ms: number
  kind: 'open' | 'closed' | 'unobserved'
}

/** An island's event that alerts are due for. */
interface IslandAlertQueueTable {
  sequence: Generated<number>
  island_key: number
  at_ms: number
  kind: 'open' | 'closed' | 'unobserved'
  /** Users up to this key have been handled. */
  last_user_key: number
}

/** Since when each group may know of an island; null if it may not. */
interface IslandVisibleSinceTable {
  island_key: number
  members_ms: number | null
  /** Signed-in users. */
  users_ms: number | null
  everybody_ms: number | null
}

/** The networks from which a user viewed an island that has a port. The port lets them in for a while. */
interface RelayAddressesTable {
  island_key: number
  user_key: number
  address_hash: Uint8Array
  seen_ms: number
}

/** Lets one browser into a relayed island, once and within a minute. */
interface RelayTicketsTable {
  /** SHA-256 of the ticket. */
  ticket_hash: Uint8Array
  /** SHA-256 of the secret that the island's host name gave the browser. */
  state_hash: Uint8Array
  island_key: number
  /** The session that made it. The ticket ends with it. */
  session_hash: Uint8Array
  expires_ms: number
}

/** What a ticket becomes. Lets a browser in for as long as its session lasts. */
interface RelayGrantsTable {
  /** SHA-256 of the token in the island host's cookie. */
  grant_hash: Uint8Array
  island_key: number
  session_hash: Uint8Array
  started_ms: number
}

/** Whether a relayed island learns a user's name. */
interface RelayAnswersTable {
  user_key: number
  island_key: number
  /** Lets the island's service recognize the user. Each island gets a different one. */
  visitor_id: string
  /** Null once the user has taken the answer back. */
  shares_name: number | null
  answered_ms: number
}

/** The servers on this database, each with the number of its last change. */
interface WritersTable {
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
  /** False if it ended normally. */
  is_running: Generated<boolean>
}

export type ChangeTopic =
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
  | 'reports'
  | 'relay-instances'
  | 'relay-leases'
  | 'relay-openings'
  | 'device-reports'

/** Each server's changes, in commit order. */
interface ChangesTable {
  writer: number
  number: number
  at_ms: number
  topic: ChangeTopic
  /** For heartbeats: 32-bit integers, little-endian. */
  device_keys: Uint8Array | null
  /**
   * For heartbeats, the devices that came online by them. Otherwise devices, devices of tokens, users,
   * reports, islands or writers.
   */
  keys: number[] | null
  /**
   * Devices that are no longer public, by key, with their ids; names of key-values; leases; or openings of
   * islands.
   */
  details: unknown
}

/** The server that judges devices and puts messages in order. */
interface LeadershipTable {
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

/** The last messages of the live feed. */
interface FeedMessagesTable {
  number: number
  type:
    | 'device'
    | 'device-removed'
    | 'withdrawn'
    | 'island'
    | 'island-removed'
    | 'island-withdrawn'
    | 'reload'
  /** The key of the device, or of the island if the type says so. */
  device_key: number
  /** JSON. */
  payload: string
}

/** How servers on this database pass visitors on to one another. */
interface RelayInstancesTable {
  writer: number
  /** Where the others reach it; null if its operator gave no address. */
  url: string | null
  /** Signs the others' requests to it. New with each start. */
  hop_key: Uint8Array
}

/** Which server each agent is connected to. */
interface RelayLeasesTable {
  writer: number
  device_key: number
  /** Made by the agent at its first start. */
  agent_id: string
  /** The one island that it carries; null if it carries all islands of its device. */
  island_key: number | null
  /** By the database's clock. Of two connections of one agent, the newer one counts. */
  since_ms: number
}
