import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from '../storage/database-kind.ts'
import { migrate, migrations } from '../storage/migrations.ts'

const bytes = (value: number) => new Uint8Array(32).fill(value)

/**
 * Rows for the tables and columns that each migration adds, in words that hold from there on: what a
 * community had when that was the newest version. Two users, of whom one is Nova.
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
}

/** What is PostgreSQL's alone. */
const rowsOnPostgres: typeof rowsOf = {
  '0008-instances': [
    sql`insert into writers (number, folded, alive_ms, is_running) values (2, 1, 7000, false)`,
    sql`insert into journal (writer, number, at_ms, topic, device_keys)
      values (1, 1, 7000, 'heartbeats', ${new Uint8Array([2, 0, 0, 0])})`,
    sql`insert into feed_messages values (1, 'device', 1, '{}')`,
  ],
}

/** Brings an empty database to an earlier version, with rows in each of its tables. */
export async function fillAsOf<Tables>(db: Kysely<Tables>, level: string): Promise<void> {
  const names = Object.keys(migrations)
  const applied = names.slice(0, names.indexOf(level) + 1)
  await migrate(db, Object.fromEntries(Object.entries(migrations).slice(0, applied.length)))
  for (const name of applied) {
    for (const rows of rowsOf[name] ?? []) await rows.execute(db)
    if (!isPostgres(db)) continue
    for (const rows of rowsOnPostgres[name] ?? []) await rows.execute(db)
  }
}
