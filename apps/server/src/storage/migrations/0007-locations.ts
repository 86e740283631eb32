import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../database-kind.ts'

/** From where checks look, beside the server, and at which addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { codePointText } = columnTypes(db)
  await runStatements(db, [
    `create table check_locations (
      device_key integer primary key references devices (key) on delete cascade,
      id text not null unique,
      region ${codePointText},
      is_lending integer not null,
      consented_ms bigint
    )`,
    `create table check_proofs (
      user_key integer not null references users (key) on delete cascade,
      place text not null,
      code text not null,
      proven_ms bigint,
      asked_ms bigint,
      constraint check_proofs_pk primary key (user_key, place)
    )`,
    `create table check_doubts (
      check_key integer not null references checks (key) on delete cascade,
      device_key integer not null references devices (key) on delete cascade,
      since_ms bigint not null,
      constraint check_doubts_pk primary key (check_key, device_key)
    )`,
    'create index check_doubts_by_device on check_doubts (device_key)',
    'create index check_samples_by_location on check_samples (location_key, at_ms) where location_key > 0',
  ])
}
