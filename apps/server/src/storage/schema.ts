import type { Generated, Selectable } from 'kysely'

/** The tables as queries see them. Times are integer milliseconds since 1970, keys never leave the server. */
export interface Schema {
  users: UsersTable
  avatars: AvatarsTable
  sessions: SessionsTable
  one_time_codes: OneTimeCodesTable
  invites: InvitesTable
  devices: DevicesTable
  device_tokens: DeviceTokensTable
  presence: PresenceTable
  heartbeat_journal: HeartbeatJournalTable
  presence_events: PresenceEventsTable
  flip_cursors: FlipCursorsTable
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
  alert_thing_rules: AlertThingRulesTable
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
  island_changes: IslandChangesTable
  island_known_since: IslandKnownSinceTable
  relay_ports: RelayPortsTable
  relay_addresses: RelayAddressesTable
  relay_tickets: RelayTicketsTable
  relay_visits: RelayVisitsTable
  relay_answers: RelayAnswersTable
  relay_openings: RelayOpeningsTable
  /** The rest is PostgreSQL's alone. */
  writers: WritersTable
  journal: JournalTable
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
  /** The username in lower case: what makes it unique without regard to case. */
  username_folded: string
  /** An argon2id PHC string; null for demo users, who have no password. */
  password_hash: string | null
  name: string | null
  /** The name of the picture in `avatars`. */
  avatar: string | null
  /** Of the avatar that is drawn, in degrees; null: the one that the username gives. */
  hue: Generated<number | null>
  /** A confirmed e-mail address, as it was typed. */
  email: Generated<string | null>
  /** Whether everybody may know whose the user's public devices are. */
  is_name_public: Generated<number>
  is_demo: number
  created_ms: number
  /** When a demo user is deleted with all it made; null for everybody else. */
  expires_ms: number | null
  /** When an operator turned the account off; null while it is on. */
  disabled_ms: Generated<number | null>
  /** Since when an operator lets the relay carry nobody to the user's islands, and why. */
  relay_stopped_ms: Generated<number | null>
  relay_stopped_reason: Generated<string | null>
  /** Since when an operator trusts the user as a host. */
  relay_trusted_ms: Generated<number | null>
}

interface AvatarsTable {
  user_key: number
  /** What its address tells of it: a hash of salt and image. */
  name: string
  /** So that nobody who has a picture can tell by its address whether somebody here has it too. */
  salt: Uint8Array
  /** WebP. */
  image: Uint8Array
}

interface SessionsTable {
  /** SHA-256 of the token in the cookie. */
  token_hash: Uint8Array
  /** By which its user names it. */
  id: string
  user_key: number
  /** Such as "Firefox on Linux": what is kept of the user agent. */
  device: string | null
  /** What is kept of the address that it was started from. */
  address_family: 4 | 6 | null
  created_ms: number
  last_used_ms: number
}

/** What lets somebody set a password or confirms an address, once. */
interface OneTimeCodesTable {
  key: Generated<number>
  /** SHA-256 of the code. */
  code_hash: Uint8Array
  user_key: number
  purpose: 'password' | 'email'
  /** The address to be confirmed; null for a password. */
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
  /** How exactly others learn the place. */
  precision: Generated<'exact' | 'km1' | 'km10'>
  /** Null while it is private: nobody is told what was before. */
  public_since_ms: number | null
  created_ms: number
  /** Since when an operator hides it from everybody but its owner, and why; null where none does. */
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

/** Groups of heartbeats that are not yet in the rows of their devices; on PostgreSQL while data is moved. */
interface HeartbeatJournalTable {
  key: Generated<number>
  at_ms: number
  /** 32-bit integers, little-endian. */
  device_keys: Uint8Array
}

/** Flips, for whoever has to know of each; kept for 90 days. */
interface PresenceEventsTable {
  /** Grows with each flip, in the order of the commits; no number is given twice. */
  sequence: Generated<number>
  /** Always 1: among several servers one at a time records flips. */
  writer: Generated<number>
  device_key: number
  status: 'online' | 'offline'
  at_ms: number
}

/** How far each reader of flips has come with each writer's. */
interface FlipCursorsTable {
  reader: string
  writer: number
  /** The last flip that it is done with. */
  sequence: number
}

interface OutagesTable {
  from_ms: number
  to_ms: number
}

/** When no heartbeat could be heard. */
interface UnobservedTable {
  from_ms: number
  to_ms: number
  /** The one server of several that could not; 0 where none could. */
  writer: number
}

/** What a device last said of itself. */
interface DeviceReportsTable {
  device_key: number
  at_ms: number
  status: 'ok' | 'fail'
  /** Since when its status is that. */
  since_ms: number
  text: string | null
  /** Of the warning that began or ended last; null for a device that never warned. */
  change: number | null
}

/** Counts warnings as they begin and end: one row. */
interface WarningChangesTable {
  key: 1
  last: number
}

/** A day that is over on which a device flipped. */
interface DeviceDaysTable {
  device_key: number
  /** In UTC, since 1970. */
  day: number
  online_s: number
  offline_s: number
  unobserved_s: number
  flips: number
  /** Whether the last flip was to online. */
  is_online: number
  /** When that was; null where it is not known. */
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
  /** The size of the value in UTF-8. */
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
  /** Begun stays where nobody lived to see the end. */
  outcome: 'begun' | 'done' | 'refused'
  /** The code of a refusal. */
  code: string | null
}

/** What users reported to the operator; once it is settled it is kept for 90 days. */
interface ReportsTable {
  key: Generated<number>
  id: string
  kind: 'device' | 'island' | 'log-entry'
  /** The id by which people know the thing. */
  subject_id: string
  /** Null once that user is gone. */
  reporter_key: number | null
  reason: 'privacy' | 'abuse' | 'illegal' | 'misleading' | 'spam' | 'other'
  text: string
  /** What the thing was called when it was reported, where it led, and who had made it. */
  seen_name: string
  seen_link: string | null
  seen_author: string
  created_ms: number
  /** Null while it is open. */
  outcome: 'hidden' | 'dismissed' | null
  settled_ms: number | null
}

/** What the operator tells everybody. */
interface AnnouncementsTable {
  key: Generated<number>
  id: string
  level: 'news' | 'warning'
  title: string
  text: string
  starts_ms: number
  /** Null where it has no end. */
  ends_ms: number | null
}

/** Where users are told of things. */
interface AlertChannelsTable {
  key: Generated<number>
  id: string
  user_key: number
  kind: string
  name: string
  /** JSON, with what opens it there. */
  settings: string
  /** Grows as the settings are replaced. */
  revision: number
  /** By which a webhook's calls are signed. */
  secret: string | null
  /** In each mail to an address. */
  unsubscribe_code: string | null
  /** Null while an address waits for its code. */
  confirmed_ms: number | null
  /** SHA-256 of that code. */
  code_hash: Uint8Array | null
  code_expires_ms: number | null
  ended_ms: number | null
  created_ms: number
  /** What came back the last time. */
  answer_ms: number | null
  answer_is_ok: 0 | 1 | null
  answer_note: string | null
  /** Since when nothing has arrived; null where the last message did. */
  failing_ms: number | null
}

/** The keys by which push services know this server (VAPID): one row. */
interface PushKeysTable {
  key: 1
  public_key: string
  private_key: string
}

/** What users want to be told, of those who changed it. */
interface AlertRulesTable {
  user_key: number
  /** JSON. */
  rules: string
}

/** Where they differ for a device or an island. */
interface AlertThingRulesTable {
  user_key: number
  subject: 'device' | 'island'
  subject_key: number
  /** One of them is the subject's key. */
  device_key: number | null
  island_key: number | null
  /** JSON. */
  rules: string
}

/** Times in which nothing new is told. */
interface AlertMaintenanceTable {
  id: string
  user_key: number
  from_ms: number
  until_ms: number
  /** JSON: of which devices and islands. */
  scope: string
  note: string | null
}

/** Up to where what is to be told was read, beside flips. */
interface AlertCursorsTable {
  source: string
  position: number
}

/** What went away, of which there is something to tell a user, or was. */
interface AlertItemsTable {
  user_key: number
  /** A device that is offline or warns, or an island that is closed; what an operator is to be told of reports. */
  subject: 'device' | 'warning' | 'island' | 'reports'
  /** Of reports 0. */
  subject_key: number
  /** One of them is the subject's key; of reports none is. */
  device_key: number | null
  island_key: number | null
  /** Whether it is back. */
  is_over: number
  since_ms: number
  ended_ms: number | null
  /** How often it went away in that time. */
  times: number
  /** When it was told last that it is away. */
  told_ms: number | null
}

/** When it is to be looked at whether a user is to be told something. */
interface AlertTurnsTable {
  user_key: number
  /** Null: after another change. */
  look_ms: number | null
  /** When the last message was made. */
  told_ms: number | null
}

/** What users were told. */
interface AlertMessagesTable {
  key: Generated<number>
  id: string
  user_key: number
  at_ms: number
  /** JSON, as channels are given it. */
  message: string
}

/** One row while nothing is sent. */
interface AlertPauseTable {
  key: 1
  since_ms: number
}

/** Messages on their way to channels, and what came of them. */
interface AlertDeliveriesTable {
  message_key: number
  /** The channel may be gone by now: what it was is kept here. */
  channel_key: number
  channel_id: string
  channel_kind: string
  channel_name: string
  state: 'waiting' | 'sent' | 'failed'
  tries: number
  tried_ms: number | null
  /** Null where no other try comes. */
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
  /** Null for one that goes on until it is revoked. */
  expires_ms: number | null
}

/** The page that a user lets everybody see; none for one that never chose. */
interface StatusPagesTable {
  user_key: number
  /** JSON. */
  settings: string
}

interface IslandsTable {
  key: Generated<number>
  id: string
  /** Its host; null where it belongs to the installation. */
  user_key: number | null
  /** It ends in six random characters unless everybody may know of the island. */
  slug: string
  name: string
  kind: 'social' | 'media' | 'lab'
  tagline: string
  about: string
  rules_text: Generated<string>
  /** When they last changed since it was published. */
  rules_changed_ms: Generated<number | null>
  /** When its last pause began; null where it never had one. */
  paused_ms: Generated<number | null>
  /** When that ends or has ended; null until its host says so. */
  paused_until_ms: Generated<number | null>
  pause_text: Generated<string>
  door: 'public' | 'members' | 'invited'
  is_listed: number
  /** A link of its own. */
  address: string | null
  /** Whether visitors come through the relay; then it has no link. */
  is_relayed: Generated<number>
  /** The host's device that carries it. */
  carrier_key: number | null
  created_ms: number
  /** Null while it is a draft. */
  published_ms: number | null
  /** Since when an operator hides it from everybody but its host, and why; null where none does. */
  hidden_ms: Generated<number | null>
  hidden_reason: Generated<string | null>
  /** Since when an operator lets the relay carry nobody to it, and why. */
  relay_stopped_ms: Generated<number | null>
  relay_stopped_reason: Generated<string | null>
  /** What its picture is drawn from, with its kind: 32 bits. */
  picture: Generated<number>
}

/** Every plain slug that was ever taken, and for a time old ones that were not plain. */
interface IslandSlugsTable {
  slug: string
  /** What look-alikes of it share; null where it is not plain, so that none is compared with it. */
  skeleton: string | null
  /** Null once the island is closed for good, or its host gone. */
  island_key: number | null
  /** Whose it is and stays; null: the installation's, or nobody's any more. */
  user_key: number | null
  /** When another took its place; null while it is the island's. */
  replaced_ms: number | null
  /** When a proxy was first told that it may get a certificate for it. */
  certified_ms: Generated<number | null>
}

interface IslandMembersTable {
  island_key: number
  user_key: number
  joined_ms: number
}

/** Who waits for the host's answer. */
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

/** From an island to another one that it names as its neighbour. */
interface IslandRoutesTable {
  island_key: number
  neighbour_key: number
  /** Among its neighbours, from 0. */
  place: number
}

interface IslandLogTable {
  key: Generated<number>
  id: string
  island_key: number
  kind: 'opened' | 'closed' | 'joined' | 'signal' | 'note'
  /** Who joined or wrote it; null where nobody did, as for `opened`. */
  user_key: number | null
  /** Of signals and notes. */
  text: string | null
  /** The time that a signal is about. */
  event_ms: number | null
  at_ms: number
  /** Since when an operator hides it from all but its author and the host, and why. */
  hidden_ms: Generated<number | null>
  hidden_reason: Generated<string | null>
}

/** Ports for games and other programs that islands have, or had. */
interface RelayPortsTable {
  port: number
  /** The one that has it, or had it last; null once that is gone. */
  island_key: number | null
  /** When it was given back; null while the island has it. */
  freed_ms: number | null
}

/** Whether an island that the relay carries is open; without a row it never was. */
interface RelayOpeningsTable {
  island_key: number
  is_open: number
  since_ms: number
}

/** From when on an island was open, or closed, or had nothing to be seen by. */
interface IslandEventsTable {
  island_key: number
  at_ms: number
  kind: 'open' | 'closed' | 'unobserved'
}

/** An event of an island that is to be told. */
interface IslandChangesTable {
  sequence: Generated<number>
  island_key: number
  at_ms: number
  kind: 'open' | 'closed' | 'unobserved'
  /** Whoever has this key, or one before it, has been told. */
  told_user_key: number
}

/** Since when these may know of an island; null where they may not. */
interface IslandKnownSinceTable {
  island_key: number
  members_ms: number | null
  /** Whoever is signed in. */
  users_ms: number | null
  everybody_ms: number | null
}

/** The networks from which a user looked at an island that has a port: it lets them in for a while. */
interface RelayAddressesTable {
  island_key: number
  user_key: number
  address_hash: Uint8Array
  seen_ms: number
}

/** What lets one browser into an island that the relay carries, once and for a minute. */
interface RelayTicketsTable {
  /** SHA-256 of the ticket. */
  ticket_hash: Uint8Array
  /** SHA-256 of what the island's host name gave the browser to hold. */
  state_hash: Uint8Array
  island_key: number
  /** The session by which it was made, whose end is its own. */
  session_hash: Uint8Array
  expires_ms: number
}

/** What a ticket becomes: a browser that is let in for as long as its session lasts. */
interface RelayVisitsTable {
  /** SHA-256 of the token in the island host's cookie. */
  visit_hash: Uint8Array
  island_key: number
  session_hash: Uint8Array
  started_ms: number
}

/** Whether an island that the relay carries is told a user's name. */
interface RelayAnswersTable {
  user_key: number
  island_key: number
  /** By which its service knows the user again, and no other island's does. */
  visitor_id: string
  /** Null once it was taken back. */
  tells_name: number | null
  answered_ms: number
}

/** The servers on this database, each by the number of its journal. */
interface WritersTable {
  writer: Generated<number>
  /** The last one in its journal, where they grow by one. */
  number: Generated<number>
  /** Up to this one its heartbeats are in the rows of their devices. */
  folded: Generated<number>
  alive_ms: number
  /** Up to then devices were judged: a heartbeat that is committed after that is no older. */
  judged_ms: Generated<number>
  /** The last time that it could not reach the database. */
  silent_from_ms: number | null
  silent_to_ms: number | null
  /** False for one that ended as it should. */
  is_running: Generated<boolean>
}

export type JournalTopic =
  | 'heartbeats'
  | 'offline'
  | 'devices'
  | 'tokens'
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

/** What each server changed, in the order of its commits. */
interface JournalTable {
  writer: number
  number: number
  at_ms: number
  topic: JournalTopic
  /** Of heartbeats: 32-bit integers, little-endian. */
  device_keys: Uint8Array | null
  /** Of heartbeats whoever came online by them; else devices, the devices of tokens, the users of values, islands, or writers. */
  keys: number[] | null
  /** Devices that are public no more, by key, with the ids by which they were known; names of key-values; leases; or openings of islands. */
  details: unknown
}

/** Which server judges devices and gives messages their order. */
interface LeadershipTable {
  key: 1
  writer: number | null
  /** Grows with each server that leads. */
  term: number
  expires_ms: number
  /** How far in the journal of each writer all flips are on record, and all messages told. */
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
  /** Of the device, or of the island where the type says so. */
  device_key: number
  /** JSON. */
  payload: string
}

/** How the servers on this database hand visitors on to one another. */
interface RelayInstancesTable {
  writer: number
  /** Where the others reach it; null where its operator names no address. */
  url: string | null
  /** By which they sign what they ask of it; another one with each start. */
  hop_key: Uint8Array
}

/** Which server each agent is connected to. */
interface RelayLeasesTable {
  writer: number
  device_key: number
  /** Made by the agent at its first start. */
  agent_id: string
  /** The one island that it carries; null where it carries all of its device. */
  island_key: number | null
  /** By the database's clock: of two connections of one agent the newer one counts. */
  since_ms: number
}
