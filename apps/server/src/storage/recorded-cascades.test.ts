import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isOnPostgres, openTestStorage } from '../test/open-test-storage.ts'

/** What becomes of memory when rows go with the one that they refer to. */
const cascades: Readonly<Record<string, string>> = {
  // The code that deletes a user or an island records these first.
  'devices with users': 'recorded: devices',
  'islands with users': 'recorded: islands',
  'checks with users': 'recorded: checks',
  'key_values with users': 'recorded: values',
  'sessions with users': 'recorded: users',
  'api_keys with users': 'recorded: users',
  'island_members with users': 'recorded: island-members',
  'island_members with islands': 'recorded: island-members',
  'island_requests with users': 'recorded: island-requests',
  'island_requests with islands': 'recorded: islands, whose viewers leave',
  'island_log with users': 'recorded: island-log',
  'island_log with islands': 'recorded: islands, whose viewers leave',
  'island_routes with islands': 'recorded: islands that named it as their neighbour',
  // The row that is deleted is recorded, and what memory has of it goes along.
  'device_tokens with devices': 'goes with devices in memory',
  'presence with devices': 'goes with devices in memory',
  'device_reports with devices': 'goes with devices in memory',
  'relay_openings with islands': 'goes with islands in memory',
  'relay_domains with islands': 'goes with islands in memory',
  'page_deployments with islands': 'goes with islands in memory',
  // Deployments that nothing leads to are never read again.
  'check_states with checks': 'goes with checks in memory',
  'page_files with page_deployments': 'goes with islands in memory',
  // Read from storage each time.
  'page_previews with islands': 'not in memory',
  'page_previews with page_deployments': 'not in memory',
  'page_previews with sessions': 'not in memory',
  'island_values with islands': 'goes with islands in memory',
  'island_values with users': 'recorded: island-values',
  'rooms with islands': 'goes with islands in memory',
  'room_events with rooms': 'goes with islands in memory',
  'room_events with users': 'recorded: room-messages',
  'room_silences with islands': 'not in memory',
  'room_silences with users': 'not in memory',
  'island_llm_budgets with islands': 'not in memory',
  'island_llm_usage with islands': 'not in memory',
  'island_llm_usage with users': 'not in memory',
  'alert_channels with users': 'not in memory',
  'alert_deliveries with alert_messages': 'not in memory',
  'alert_items with checks': 'not in memory',
  'alert_items with devices': 'not in memory',
  'alert_items with islands': 'not in memory',
  'alert_items with users': 'not in memory',
  'alert_maintenance with users': 'not in memory',
  'alert_messages with users': 'not in memory',
  'alert_rules with users': 'not in memory',
  'alert_subject_rules with checks': 'not in memory',
  'alert_subject_rules with devices': 'not in memory',
  'alert_subject_rules with islands': 'not in memory',
  'alert_subject_rules with users': 'not in memory',
  'alert_turns with users': 'not in memory',
  'avatars with users': 'not in memory',
  'check_alert_queue with checks': 'not in memory',
  'check_days with checks': 'not in memory',
  'check_doubts with checks': 'goes with checks in memory',
  'check_doubts with devices': 'not in memory',
  'check_events with checks': 'in memory for a moment',
  'check_locations with devices': 'in memory for a moment',
  'check_proofs with users': 'in memory for a moment',
  'check_samples with checks': 'not in memory',
  'device_days with devices': 'not in memory',
  'island_alert_queue with islands': 'not in memory',
  'island_blocks with islands': 'not in memory',
  'island_blocks with users': 'not in memory',
  'island_events with islands': 'not in memory',
  'island_invitations with islands': 'not in memory',
  'island_visible_since with islands': 'not in memory',
  'llm_usage with users': 'not in memory',
  'neighbour_devices with neighbours': 'goes with neighbours in memory',
  'neighbour_islands with neighbours': 'goes with neighbours in memory',
  'hidden_of_neighbours with neighbours': 'goes with neighbours in memory',
  'one_time_codes with users': 'not in memory',
  'presence_events with devices': 'not in memory',
  'relay_addresses with islands': 'in memory for a moment',
  'relay_addresses with users': 'in memory for a moment',
  'relay_answers with islands': 'in memory for a moment',
  'relay_answers with users': 'in memory for a moment',
  'relay_grants with islands': 'in memory for a moment',
  'relay_grants with sessions': 'in memory for a moment',
  'relay_tickets with islands': 'not in memory',
  'relay_tickets with sessions': 'not in memory',
  'status_pages with users': 'in memory for a moment',
}
/** A server that is gone has no agents. The others notice that it is gone. */
const cascadesOnPostgres: typeof cascades = {
  'relay_instances with writers': 'noticed',
  'relay_leases with relay_instances': 'noticed',
}

test('S57 no row that memory may copy is deleted by a cascade without a record', async () => {
  const { db } = await openTestStorage()
  const { rows } = await (isOnPostgres() ? onPostgres : onSqlite).execute(db)
  const found = rows.map(({ child, parent }) => `${child} with ${parent}`)
  const known = { ...cascades, ...(isOnPostgres() ? cascadesOnPostgres : {}) }
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(known).toSorted())
})

interface Cascade {
  readonly child: string
  readonly parent: string
}

const onSqlite = sql<Cascade>`
  select tables.name as child, "table" as parent
  from sqlite_master as tables join pragma_foreign_key_list(tables.name)
  where tables.type = 'table' and on_delete = 'CASCADE'`

/** The search index follows its rows by triggers. */
const onPostgres = sql<Cascade>`
  select child.relname as child, parent.relname as parent
  from pg_constraint
  join pg_class as child on child.oid = conrelid
  join pg_class as parent on parent.oid = confrelid
  where contype = 'f' and confdeltype = 'c' and child.relnamespace = 'public'::regnamespace
    and child.relname not like 'search%'`
