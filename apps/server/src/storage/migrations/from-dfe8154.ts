import { sql, type Kysely } from 'kysely'
import { isPostgres, runStatements } from '../database-kind.ts'
import { silentAfterMs } from '../postgres-instance.ts'
import { rowList } from '../sql-lists.ts'
import { DatabaseUnusable } from '../storage-error.ts'
import { createAvatars } from './schema/accounts.ts'
import { createDeliveries } from './schema/alerts.ts'
import { indexAllLogs } from './schema/islands.ts'
import { replaceSearchTriggers } from './schema/search-index.ts'

/** The migrations of a database that dfe8154 has upgraded. */
export const levelsOfDfe8154 = `
  0001-accounts 0002-devices 0003-presence 0004-spark 0005-heartbeat-journal 0006-flip-outbox
  0007-public-details 0008-instances 0009-audit-log 0010-account-care 0011-reports
  0012-api-keys 0013-islands 0014-island-journal 0015-search 0016-relay 0017-relay-doors
  0018-relay-operators 0019-relay-ports 0020-relay-leases 0021-relay-openings 0022-history
  0023-island-history 0025-device-reports 0027-alert-channels 0028-alerts 0029-status-pages
`
  .trim()
  .split(/\s+/)

const renamedTables = {
  alert_thing_rules: 'alert_subject_rules',
  flip_cursors: 'presence_event_cursors',
  heartbeat_journal: 'heartbeat_log',
  island_changes: 'island_alert_queue',
  island_known_since: 'island_visible_since',
  relay_visits: 'relay_grants',
} as const
const renamedColumns: readonly (readonly [table: string, from: string, to: string])[] = [
  ['alert_channels', 'answer_note', 'answer_text'],
  ['alert_items', 'told_ms', 'alerted_ms'],
  ['alert_turns', 'look_ms', 'due_ms'],
  ['alert_turns', 'told_ms', 'alerted_ms'],
  ['island_alert_queue', 'told_user_key', 'last_user_key'],
  ['islands', 'door', 'access'],
  ['relay_answers', 'tells_name', 'shares_name'],
  ['relay_grants', 'visit_hash', 'grant_hash'],
]
/** On SQLite, an index can't be renamed. */
const renamedIndexes: readonly (readonly [from: string, to: string])[] = [
  ['alert_thing_rules_by_device', 'alert_subject_rules_by_device'],
  ['alert_thing_rules_by_island', 'alert_subject_rules_by_island'],
  ['alert_turns_by_look', 'alert_turns_by_due'],
  ['island_changes_by_island', 'island_alert_queue_by_island'],
  ['relay_visits_by_island', 'relay_grants_by_island'],
  ['relay_visits_by_session', 'relay_grants_by_session'],
]

/**
 * Turns a database of dfe8154 into what `0001-schema` makes, with all its rows. Call it in a transaction.
 * @throws DatabaseUnusable if a server of dfe8154 still runs on it
 */
export async function fromDfe8154(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await refuseRunningServers(db)
    await dropFunctions(db)
  }
  const tables = Object.entries({
    ...renamedTables,
    ...(isPostgres(db) ? { journal: 'changes' } : {}),
  })
  for (const [from, to] of tables) await renameTable(db, from, to)
  for (const [table, from, to] of renamedColumns) {
    await db.schema.alterTable(table).renameColumn(from, to).execute()
  }
  if (isPostgres(db)) {
    await runStatements(db, [
      'alter table islands rename constraint islands_door_check to islands_access_check',
      'alter index alert_turns_by_look rename to alert_turns_by_due',
      'alter sequence presence_events_key_seq rename to presence_events_sequence_seq',
    ])
  } else await renameIndexes(db)

  await addDeliveryUsers(db)
  await createAvatars(db)
  await runStatements(db, [
    `alter table islands add column rules_text text not null default ''`,
    `alter table islands add column pause_text text not null default ''`,
    'alter table islands add column rules_changed_ms bigint',
    'alter table islands add column paused_ms bigint',
    'alter table islands add column paused_until_ms bigint',
  ])
  await addPictures(db)
  await indexAllLogs(db)
  await replaceSearchTriggers(db)

  await sql`delete from kysely_migration`.execute(db)
  await sql`
    insert into kysely_migration (name, timestamp)
    values ('0001-schema', ${new Date().toISOString()})`.execute(db)
}

/** Its servers would go on with statements that fail. */
async function refuseRunningServers(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from writers where is_running
      and alive_ms > extract(epoch from clock_timestamp()) * 1000 - ${sql.lit(silentAfterMs)}`.execute(
    db,
  )
  if (rows.length === 0) return
  throw new DatabaseUnusable(
    'Servers of an earlier version still run on this database. Stop all of them first, then start this ' +
      'one; nothing was changed',
  )
}

/** Also drops the triggers that call them: they informed servers of one another's changes. */
async function dropFunctions(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc
    where pronamespace = current_schema()::regnamespace
      and (proname like 'note\\_%' or proname = 'append_to_journal')`.execute(db)
  for (const { name } of rows) await sql`drop function ${sql.id(name)} cascade`.execute(db)
}

/** On PostgreSQL, constraints, indexes and sequences that are named after the table get new names too. */
async function renameTable(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  await db.schema.alterTable(from).renameTo(to).execute()
  if (!isPostgres(db)) return
  const constraints = await sql<{ name: string }>`
    select conname as name from pg_constraint where conrelid = ${to}::regclass`.execute(db)
  for (const { name } of constraints.rows) {
    if (!name.startsWith(from)) continue
    await sql`
      alter table ${sql.table(to)} rename constraint ${sql.id(name)}
      to ${sql.id(name.replace(from, to))}`.execute(db)
  }
  const others = await sql<{ name: string; kind: 'index' | 'sequence' }>`
    select relname as name, case relkind when 'i' then 'index' else 'sequence' end as kind
    from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('i', 'S') and relname like ${`${from.replaceAll('_', '\\_')}\\_%`}`.execute(
    db,
  )
  for (const { name, kind } of others.rows) {
    await sql`
      alter ${sql.raw(kind)} ${sql.id(name)} rename to ${sql.id(name.replace(from, to))}`.execute(
      db,
    )
  }
}

async function renameIndexes(db: Kysely<unknown>): Promise<void> {
  for (const [from, to] of renamedIndexes) {
    const { rows } = await sql<{ statement: string }>`
      select sql as statement from sqlite_master where type = 'index' and name = ${from}`.execute(
      db,
    )
    await db.schema.dropIndex(from).execute()
    for (const { statement } of rows) await sql.raw(statement.replace(from, to)).execute(db)
  }
}

async function addDeliveryUsers(db: Kysely<unknown>): Promise<void> {
  const columns = `message_key, user_key, channel_key, channel_id, channel_kind, channel_name, state,
    tries, tried_ms, next_ms, answer`
  await runStatements(db, [
    `create table moved_deliveries as select ${columns}
     from alert_deliveries join alert_messages on alert_messages.key = message_key`,
    'drop table alert_deliveries',
  ])
  await createDeliveries(db)
  await runStatements(db, [
    `insert into alert_deliveries (${columns}) select ${columns} from moved_deliveries`,
    'drop table moved_deliveries',
  ])
}

const picturesAtOnce = 1000

/** Each island gets a picture of its own: the one that was drawn from its slug. */
async function addPictures(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, ['alter table islands add column picture bigint not null default 0'])
  for (let after = 0; ;) {
    const { rows } = await sql<{ key: number; slug: string }>`
      select key, slug from islands where key > ${after}
      order by key limit ${sql.lit(picturesAtOnce)}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const drawn = rowList(db, {
      key: ['integer', rows.map(({ key }) => key)],
      picture: ['bigint', rows.map(({ slug }) => hashOf(slug))],
    })
    await sql`
      update islands set picture = given.picture from (${drawn}) as given
      where given.key = islands.key`.execute(db)
    after = last.key
  }
}

/** Pictures were drawn from this: the slug's FNV-1a hash. */
function hashOf(slug: string): number {
  let hash = 0x811c9dc5
  for (const letter of slug) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
