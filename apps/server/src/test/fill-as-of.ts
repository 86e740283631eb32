import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from '../storage/database-kind.ts'
import { migrate, migrations } from '../storage/migrations.ts'

const bytes = (value: number) => new Uint8Array(32).fill(value)

/**
 * Rows for the tables and columns that each migration adds: what a community had when that was the newest
 * version. Its two users are Nova and Vega.
 */
const rowsOf: Readonly<Record<string, readonly RawBuilder<unknown>[]>> = {
  '0001-accounts': [
    sql`insert into users
        (username, username_folded, password_hash, name, avatar, is_demo, created_ms, expires_ms)
      values ('Nova', 'nova', '$argon2id$…', 'Nova ☄️', null, 0, 1000, null),
        ('Vega', 'vega', null, null, '🛰️', 1, 2000, 9007199254740991)`,
    sql`insert into sessions values (${bytes(1)}, 1, 1000, 2000), (${bytes(2)}, 2, 1, 2)`,
  ],
  '0002-devices': [
    sql`insert into devices (id, user_key, label, lat, lon, link, visibility, created_ms)
      values ('one', 1, 'Pi', -90, 180, 'https://a.example/', 'public', 3000),
        ('two', 2, 'it''s "two"', 0.30000000000000004, 5e-324, null, 'private', 4000)`,
    sql`insert into device_tokens
        (id, device_key, token_hash, start, label, created_ms, last_used_ms)
      values ('t1', 1, ${bytes(3)}, 'abc', null, 1, null), ('t2', 2, ${bytes(4)}, 'def', 'Pi', 2, 3)`,
  ],
  '0003-presence': [
    sql`insert into presence values (1, 5000, 1), (2, 6000, 0)`,
    sql`insert into presence_events (device_key, status, at_ms)
      values (1, 'online', 5000), (2, 'online', 5500), (2, 'offline', 6300)`,
    sql`insert into outages values (100, 200), (300, 400)`,
    sql`insert into alive_mark values (1, 7000)`,
  ],
  '0004-spark': [
    sql`insert into key_values values (1, '', 'k', '{"a": [1]}', 10), (2, 'c', 'k', '""', 2)`,
    sql`insert into llm_usage values (1, '2030-01-31', 3, 400)`,
  ],
  '0005-heartbeat-journal': [
    sql`insert into heartbeat_journal (at_ms, device_keys)
      values (7100, ${new Uint8Array([1, 0, 0, 0])})`,
  ],
  '0006-flip-outbox': [sql`insert into flip_cursors values ('mail', 1, 2)`],
  '0007-public-details': [
    sql`insert into devices
        (id, user_key, label, lat, lon, visibility, created_ms, precision, public_since_ms)
      values ('three', 1, 'Far', 1, 2, 'public', 3000, 'km10', 3500)`,
    sql`update users set is_name_public = 1 where username = 'Nova'`,
  ],
  '0008-instances': [],
  '0009-audit-log': [
    sql`insert into audit_log (at_ms, actor, action, subject, details, outcome, code)
      values (7200, 'operator:console', 'user.disabled', 'user:vega', '{"a": 1}', 'done', null)`,
    sql`update users set disabled_ms = 7200 where username = 'Vega'`,
  ],
  '0010-account-care': [
    sql`update users set hue = 210, email = 'nova@sky.example' where username = 'Nova'`,
    sql`insert into sessions
        (token_hash, user_key, created_ms, last_used_ms, id, device, address_family)
      values (${bytes(5)}, 1, 7300, 7300, 's5', 'Firefox on Linux', 6)`,
    sql`insert into one_time_codes (code_hash, user_key, purpose, email, expires_ms)
      values (${bytes(6)}, 1, 'email', 'nova@sky.example', 9000)`,
    sql`insert into invites
        (id, code_hash, note, max_uses, uses, created_by, created_ms, expires_ms)
      values ('i1', ${bytes(7)}, 'for friends', 5, 1, 'operator:console', 7300, 9000)`,
  ],
  '0011-reports': [
    sql`update devices set hidden_ms = 7400, hidden_reason = 'spam' where id = 'three'`,
    sql`insert into reports
        (id, kind, subject_id, reporter_key, reason, text, seen_name, seen_author, created_ms)
      values ('r1', 'device', 'three', 2, 'spam', 'it sells', 'Far', 'Nova', 7350)`,
    sql`insert into announcements (id, level, title, text, starts_ms, ends_ms)
      values ('a1', 'news', 'Hello', 'all', 7400, null)`,
  ],
  '0012-api-keys': [
    sql`insert into api_keys (id, user_key, key_hash, start, name, scopes, created_ms)
      values ('k1', 1, ${bytes(8)}, 'abc', 'fleet', 'devices:write', 7500)`,
  ],
  '0013-islands': [
    sql`insert into islands
        (id, user_key, slug, name, kind, tagline, about, door, is_listed, address, carrier_key,
          created_ms, published_ms)
      values ('n1', 1, 'nova-bar', 'Nova’s', 'social', '', 'a bar', 'public', 1, 'https://a.example/',
          1, 7600, 7650),
        ('n2', null, 'lab-x1y2z3', 'Lab', 'lab', 'it works', '', 'invited', 0, null, null, 7600, null)`,
    sql`insert into island_slugs values ('nova-bar', 'novabar', 1, 1, null),
      ('old-bar', 'o1dbar', 1, 1, 7700)`,
    sql`insert into island_members values (1, 2, 7700)`,
    sql`insert into island_requests (island_key, user_key, at_ms, text) values (2, 2, 7700, 'me too')`,
    sql`insert into island_blocks values (2, 1, 7700)`,
    sql`insert into island_invitations
        (id, island_key, code_hash, note, max_uses, uses, created_ms, expires_ms)
      values ('v1', 1, ${bytes(9)}, 'for friends', 5, 1, 7700, 9000)`,
    sql`insert into island_routes values (1, 2, 0)`,
    sql`insert into island_log (id, island_key, kind, user_key, text, event_ms, at_ms)
      values ('l1', 1, 'opened', null, null, null, 7700), ('l2', 1, 'signal', 1, 'hi', 9000, 7800)`,
  ],
  '0015-search': [],
  '0016-relay': [
    sql`insert into device_tokens (id, device_key, token_hash, start, label, scope, created_ms)
      values ('t3', 1, ${bytes(10)}, 'ghi', null, 'relay', 8000)`,
    sql`insert into islands
        (id, user_key, slug, name, kind, tagline, about, door, is_listed, is_relayed, carrier_key,
          created_ms, published_ms)
      values ('n3', 1, 'nova-lab', 'At home', 'lab', '', '', 'public', 0, 1, 1, 8000, 8000)`,
  ],
  '0017-relay-doors': [
    sql`insert into relay_tickets values (${bytes(11)}, ${bytes(12)}, 3, ${bytes(1)}, 9000)`,
    sql`insert into relay_visits values (${bytes(13)}, 3, ${bytes(2)}, 8100)`,
    sql`insert into relay_answers values (2, 3, 'who', 1, 8100), (1, 3, 'host', null, 8100)`,
  ],
  '0018-relay-operators': [
    sql`update users set relay_trusted_ms = 8100 where username = 'Nova'`,
    sql`update users set relay_stopped_ms = 8100, relay_stopped_reason = 'too much'
      where username = 'Vega'`,
    sql`update islands set relay_stopped_ms = 8200, relay_stopped_reason = 'phishing' where id = 'n3'`,
    sql`update island_slugs set certified_ms = 8100 where slug = 'nova-bar'`,
  ],
  '0019-relay-ports': [
    sql`insert into relay_ports values (25001, 3, null), (25002, null, 8100)`,
    sql`insert into relay_addresses values (3, 2, ${bytes(11)}, 8200)`,
  ],
  '0020-relay-leases': [],
  '0021-relay-openings': [sql`insert into relay_openings values (3, 1, 8300)`],
  '0022-history': [
    sql`insert into device_days values (1, 19000, 80000, 6000, 400, 4, 1, 5000)`,
    sql`insert into unobserved values (900, 950, 1)`,
  ],
  '0023-island-history': [
    sql`insert into island_events values (3, 8300, 'open')`,
    sql`insert into island_changes values (1, 3, 8300, 'open', 0)`,
    sql`insert into island_known_since values (3, 8300, null, null)`,
  ],
  '0025-device-reports': [
    sql`insert into device_reports values (1, 8350, 'fail', 8340, 'disk full', 1)`,
    sql`update warning_changes set last = 1`,
  ],
  '0027-alert-channels': [
    sql`insert into alert_channels (id, user_key, kind, name, settings, revision, created_ms)
      values ('c1', 1, 'webhook', 'Work', '{"kind":"webhook","url":"https://example.org/"}', 0, 8400)`,
    sql`insert into push_keys values (1, 'public', 'private')`,
  ],
  '0028-alerts': [
    sql`insert into alert_rules values (1, '{}')`,
    sql`insert into alert_thing_rules values (1, 'device', 1, 1, null, '{}')`,
    sql`insert into alert_maintenance values ('w1', 1, 8500, 9500, '{}', 'moving')`,
    sql`update alert_cursors set position = 2`,
    sql`insert into alert_items values (1, 'device', 1, 1, null, 0, 8500, null, 1, 8502)`,
    sql`insert into alert_items values (1, 'island', 3, null, 3, 1, 8500, 8501, 1, null)`,
    sql`insert into alert_turns values (1, null, 8502)`,
    sql`insert into alert_messages (key, id, user_key, at_ms, message) values (1, 'm1', 1, 8502, '{}')`,
    sql`insert into alert_deliveries values (1, 1, 'c1', 'webhook', 'Work', 'sent', 1, 8503, null, 'ok')`,
    sql`insert into alert_pause values (1, 8504)`,
  ],
  '0029-status-pages': [sql`insert into status_pages values (1, '{}')`],
  '0031-avatars': [
    sql`insert into avatars values (1, ${'0a'.repeat(16)}, ${bytes(12)}, ${bytes(13)})`,
  ],
  '0032-hosts-words': [
    sql`update islands set rules_text = 'be kind', rules_changed_ms = 8400, paused_ms = 8400,
        paused_until_ms = 8500, pause_text = 'later' where id = 'n1'`,
  ],
  '0035-island-pictures': [sql`update islands set picture = 4294967295 where id = 'n1'`],
}

/** Rows for PostgreSQL only. */
const rowsOnPostgres: typeof rowsOf = {
  '0008-instances': [
    sql`insert into writers (number, folded, alive_ms, is_running) values (2, 1, 7000, false)`,
    sql`insert into journal (writer, number, at_ms, topic, device_keys)
      values (1, 1, 7000, 'heartbeats', ${new Uint8Array([2, 0, 0, 0])})`,
    sql`insert into feed_messages values (1, 'device', 1, '{}')`,
  ],
  '0020-relay-leases': [
    sql`insert into relay_instances values (1, 'http://10.0.0.1:3000', ${bytes(11)})`,
    sql`insert into relay_leases values (1, 1, 'agent', null, 8000)`,
  ],
}

/** Migrates an empty database step by step to an earlier version, with rows in each of its tables. */
export async function fillAsOf<Tables>(db: Kysely<Tables>, level: string): Promise<void> {
  const steps = Object.entries(migrations)
  for (const [at, [name]] of steps.entries()) {
    await migrate(db, Object.fromEntries(steps.slice(0, at + 1)))
    for (const rows of rowsOf[name] ?? []) await rows.execute(db)
    if (isPostgres(db)) {
      for (const rows of rowsOnPostgres[name] ?? []) await rows.execute(db)
    }
    if (name === level) return
  }
}
