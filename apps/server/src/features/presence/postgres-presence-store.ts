import { sql } from 'kysely'
import type { Database } from '../../storage/storage.ts'
import { encodeDeviceKeys } from './device-keys-blob.ts'
import type { PresenceStore } from './presence-store.ts'
import { sqlPresenceStore, type SqlPresenceStoreOptions } from './sql-presence-store.ts'

/** A group is one statement, and so one trip and one commit, with or without transitions. */
export function postgresPresenceStore(
  db: Database,
  options?: SqlPresenceStoreOptions,
): PresenceStore {
  return sqlPresenceStore(
    db,
    async ({ stayed, cameOnline, atMs }) => {
      const bytes = encodeDeviceKeys(stayed)
      if (cameOnline.length === 0) {
        await sql`insert into heartbeat_journal (at_ms, device_keys) values (${atMs}, ${bytes})`.execute(
          db,
        )
        return
      }
      // The join leaves out devices that were deleted meanwhile: one of them must not fail the others.
      await sql`
        with given as (select ${atMs}::bigint as at_ms, ${bytes}::bytea as stayed),
        came as materialized (
          select key, position
          from unnest(${cameOnline}::integer[]) with ordinality as reported (key, position)
          join devices using (key)
        ),
        journaled as (
          insert into heartbeat_journal (at_ms, device_keys)
          select at_ms, stayed from given where length(stayed) > 0
        ),
        seen as (
          insert into presence (device_key, last_seen_ms, is_online)
          select key, at_ms, 1 from came, given
          on conflict (device_key) do update
          set last_seen_ms = excluded.last_seen_ms, is_online = 1
        )
        insert into presence_events (device_key, status, at_ms)
        select key, 'online', at_ms from came, given order by position`.execute(db)
    },
    options,
  )
}
