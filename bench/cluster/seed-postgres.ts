import { runStatement } from '../../apps/server/src/test/test-databases.ts'

const devicesPerUser = 100

export interface PostgresSeed {
  /** Devices that were just seen. */
  readonly online: number
  /** Devices that never reported, numbered after the online ones. */
  readonly neverSeen: number
}

/**
 * Fills an empty database with public devices, numbered from 1, with the tokens and ids of seeded-device.ts.
 * Inside the database, a million take seconds.
 */
export async function seedPostgres(url: string, { online, neverSeen }: PostgresSeed) {
  const devices = online + neverSeen
  await runStatement(
    url,
    `do $$
    declare
      now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
    begin
      -- Without triggers, those that check references among them.
      perform set_config('session_replication_role', 'replica', true);
      insert into users (username, username_folded, is_demo, created_ms)
      select 'owner-' || n, 'owner-' || n, 0, now_ms
      from generate_series(1, ${Math.ceil(devices / devicesPerUser)}) n;

      insert into devices (id, user_key, label, lat, lon, visibility, created_ms, public_since_ms)
      select
        regexp_replace(
          encode(sha256(convert_to('device ' || n, 'UTF8')), 'hex'),
          '^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*', '\\1-\\2-4\\3-a\\4-\\5'),
        (n - 1) / ${devicesPerUser} + 1, 'Node ' || n,
        ((n::bigint * 7919) % 180000) / 1000.0 - 90, ((n::bigint * 104729) % 360000) / 1000.0 - 180,
        'public', now_ms, now_ms
      from generate_series(1, ${devices}) n;

      insert into device_tokens (id, device_key, token_hash, start, created_ms)
      select gen_random_uuid(), n, sha256(convert_to(token, 'UTF8')), left(token, 10), now_ms
      from generate_series(1, ${devices}) n, lateral (
        select 'apd_' || rtrim(translate(
          encode(sha256(convert_to('token ' || n, 'UTF8')), 'base64'), '+/', '-_'), '=') as token
      ) made;

      insert into presence (device_key, last_seen_ms, is_online)
      select n, now_ms, 1 from generate_series(1, ${online}) n;
      -- Without it the server's start would count as the end of an outage.
      insert into alive_mark (key, at_ms) values (1, now_ms);
    end $$`,
  )
  await runStatement(url, 'vacuum analyze')
}
