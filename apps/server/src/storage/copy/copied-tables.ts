import type { Schema } from '../schema.ts'

export interface CopiedTable {
  readonly name: keyof Schema
  readonly label: string
  readonly key: readonly [string, ...string[]]
  /** The size of a row, in SQL, for tables with large rows. */
  readonly size?: string
}

/** All data of a community. Each table comes after those that it refers to. */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'users', label: 'users', key: ['key'] },
  { name: 'avatars', label: 'pictures of users', key: ['user_key'], size: 'length(image)' },
  { name: 'sessions', label: 'sign-ins', key: ['token_hash'] },
  { name: 'one_time_codes', label: 'one-time codes', key: ['key'] },
  { name: 'invites', label: 'invites', key: ['key'] },
  { name: 'devices', label: 'devices', key: ['key'] },
  { name: 'device_tokens', label: 'device tokens', key: ['key'] },
  { name: 'presence', label: 'last heartbeats', key: ['device_key'] },
  {
    name: 'heartbeat_log',
    label: 'heartbeats since then, in groups',
    key: ['key'],
    size: 'length(device_keys)',
  },
  { name: 'presence_events', label: 'status changes', key: ['sequence'] },
  { name: 'presence_event_cursors', label: 'readers of status changes', key: ['reader', 'writer'] },
  { name: 'device_days', label: 'days of devices', key: ['device_key', 'day'] },
  { name: 'outages', label: 'outages', key: ['from_ms'] },
  { name: 'device_reports', label: 'reports of devices', key: ['device_key'] },
  { name: 'warning_changes', label: 'count of warnings', key: ['key'] },
  { name: 'unobserved', label: 'times without a server', key: ['from_ms', 'writer'] },
  { name: 'alive_mark', label: 'last sign of the server', key: ['key'] },
  {
    name: 'key_values',
    label: 'stored values',
    key: ['user_key', 'collection', 'name'],
    size: 'bytes',
  },
  { name: 'llm_usage', label: 'language model use, by day', key: ['user_key', 'day'] },
  { name: 'api_keys', label: 'API keys', key: ['key'] },
  { name: 'alert_channels', label: 'alert channels', key: ['key'] },
  { name: 'alert_rules', label: 'alert rules', key: ['user_key'] },
  { name: 'alert_maintenance', label: 'maintenance windows', key: ['id'], size: 'length(scope)' },
  { name: 'alert_cursors', label: 'cursors of alerts', key: ['source'] },
  { name: 'alert_turns', label: 'times of alerts', key: ['user_key'] },
  { name: 'alert_messages', label: 'alerts', key: ['key'], size: 'length(message)' },
  { name: 'alert_deliveries', label: 'deliveries of alerts', key: ['message_key', 'channel_key'] },
  { name: 'alert_pause', label: 'alert pause', key: ['key'] },
  { name: 'push_keys', label: 'push keys', key: ['key'] },
  { name: 'status_pages', label: 'status pages', key: ['user_key'] },
  { name: 'islands', label: 'islands', key: ['key'] },
  { name: 'island_slugs', label: 'addresses of islands', key: ['slug'] },
  { name: 'island_members', label: 'members of islands', key: ['island_key', 'user_key'] },
  { name: 'island_requests', label: 'requests to join', key: ['island_key', 'user_key'] },
  { name: 'island_blocks', label: 'users blocked from islands', key: ['island_key', 'user_key'] },
  { name: 'island_invitations', label: 'invitations to islands', key: ['key'] },
  { name: 'island_routes', label: 'routes between islands', key: ['island_key', 'neighbour_key'] },
  { name: 'island_log', label: 'log entries of islands', key: ['key'] },
  { name: 'island_events', label: 'openings of islands', key: ['island_key', 'at_ms'] },
  { name: 'island_alert_queue', label: 'openings to alert of', key: ['sequence'] },
  {
    name: 'island_visible_since',
    label: 'since when islands are visible',
    key: ['island_key'],
  },
  { name: 'checks', label: 'checks', key: ['key'], size: 'length(target)' },
  { name: 'check_states', label: 'states of checks', key: ['check_key'] },
  { name: 'check_events', label: 'changes of checks', key: ['check_key', 'at_ms'] },
  {
    name: 'check_samples',
    label: 'looks of the last day',
    key: ['check_key', 'location_key', 'at_ms'],
  },
  { name: 'check_days', label: 'days of checks', key: ['check_key', 'location_key', 'day_ms'] },
  { name: 'check_locations', label: 'locations of checks', key: ['device_key'] },
  { name: 'check_proofs', label: 'proven addresses', key: ['user_key', 'place'] },
  { name: 'check_doubts', label: 'locations that disagree', key: ['check_key', 'device_key'] },
  { name: 'check_alert_queue', label: 'changes of checks to alert of', key: ['sequence'] },
  {
    name: 'alert_items',
    label: 'subjects of alerts',
    key: ['user_key', 'subject', 'subject_key', 'is_over'],
  },
  {
    name: 'alert_subject_rules',
    label: 'alert rules of subjects',
    key: ['user_key', 'subject', 'subject_key'],
  },
  { name: 'relay_ports', label: 'ports of islands', key: ['port'] },
  { name: 'relay_tickets', label: 'tickets to islands', key: ['ticket_hash'] },
  { name: 'relay_grants', label: 'grants to islands', key: ['grant_hash'] },
  {
    name: 'relay_answers',
    label: 'names shared with islands',
    key: ['user_key', 'island_key'],
  },
  { name: 'relay_openings', label: 'openings of relayed islands', key: ['island_key'] },
  { name: 'relay_domains', label: 'domains of islands', key: ['island_key'] },
  { name: 'relay_domain_certificates', label: 'certificates of domains', key: ['domain'] },
  { name: 'page_deployments', label: 'deployments of pages', key: ['key'] },
  { name: 'page_files', label: 'files of pages', key: ['deployment_key', 'path'] },
  {
    name: 'page_chunks',
    label: 'contents of pages',
    key: ['island_key', 'content_hash', 'is_gzip', 'position'],
    size: 'length(data)',
  },
  { name: 'page_previews', label: 'previews of pages', key: ['token_hash'] },
  {
    name: 'island_values',
    label: 'values of islands',
    key: ['island_key', 'store', 'owner_key', 'name'],
  },
  { name: 'rooms', label: 'rooms', key: ['key'] },
  { name: 'room_events', label: 'messages in rooms', key: ['room_key', 'n'] },
  { name: 'room_silences', label: 'muted visitors', key: ['island_key', 'user_key'] },
  { name: 'island_llm_budgets', label: 'budgets of islands', key: ['island_key'] },
  {
    name: 'island_llm_usage',
    label: 'language model use of islands',
    key: ['island_key', 'day', 'user_key'],
  },
  { name: 'audit_log', label: 'audit log', key: ['key'] },
  { name: 'reports', label: 'reports', key: ['key'] },
  { name: 'announcements', label: 'announcements', key: ['key'] },
  { name: 'installation', label: 'key among installations', key: ['key'] },
  { name: 'followers', label: 'followers', key: ['address'] },
  { name: 'neighbours', label: 'neighbours', key: ['key'] },
  { name: 'neighbour_devices', label: 'devices of neighbours', key: ['key'] },
  { name: 'neighbour_islands', label: 'islands of neighbours', key: ['key'] },
  {
    name: 'hidden_of_neighbours',
    label: 'what of neighbours is hidden',
    key: ['neighbour_key', 'kind', 'id'],
  },
]

/** Tables that belong to one database or to a running server, which fills them by itself. */
export const transientTables: readonly string[] = [
  'feed_messages',
  'changes',
  'kysely_migration',
  'kysely_migration_lock',
  'leadership',
  // Forgotten within hours. Users who view the island again are let in again.
  'relay_addresses',
  'relay_instances',
  'relay_leases',
  // Each database builds its own index, in its own way, when rows are added.
  ...['devices', 'islands', 'neighbour_devices', 'neighbour_islands'].flatMap((index) =>
    ['', '_config', '_data', '_docsize', '_idx', '_words'].map((part) => `search_${index}${part}`),
  ),
  'sqlite_sequence',
  'unfinished_copy',
  'writers',
]
