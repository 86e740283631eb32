import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../../column-types.ts'

/** What the platform runtime stores. */
export async function createSpark(db: Kysely<unknown>): Promise<void> {
  const { codePointText, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    `create table key_values (
      user_key integer not null references users (key) on delete cascade,
      collection ${codePointText} not null,
      name ${codePointText} not null,
      value text not null,
      bytes integer not null,
      constraint key_values_pk primary key (user_key, collection, name)
    ) ${roomForUpdates(85)}`,
    // Each write sums up how much a user has stored. The index alone answers that, without the values.
    'create index key_values_usage on key_values (user_key, bytes)',
    `create table llm_usage (
      user_key integer not null references users (key) on delete cascade,
      day ${codePointText} not null,
      calls integer not null,
      tokens integer not null,
      constraint llm_usage_pk primary key (user_key, day)
    ) ${roomForUpdates(85)}`,
  ])
}
