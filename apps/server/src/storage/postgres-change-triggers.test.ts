import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestStorage } from '../test/open-test-storage.ts'
import { isRecorded } from './postgres-dialect.ts'

const statements: Readonly<Record<string, (table: string) => string>> = {
  INSERT: (table) => `insert into "${table}" ("key") values ($1)`,
  UPDATE: (table) => `update "${table}" set "key" = $1`,
  DELETE: (table) => `delete from "${table}" where "key" = $1`,
}

test('S57 whatever a trigger notes for other servers is written where it can be noted', async () => {
  const { db } = await openTestStorage()
  const { rows } = await sql<{ on_table: string; event: string }>`
    select event_object_table as on_table, event_manipulation as event
    from information_schema.triggers where trigger_name like 'change%'
    order by 1, 2`.execute(db)
  expect(rows.length).toBeGreaterThan(15)
  const unnoted = rows.filter(
    ({ on_table, event }) => !isRecorded.test(statements[event]?.(on_table) ?? ''),
  )
  expect(unnoted).toEqual([])
  // Written for the token of each heartbeat. Other servers need not know.
  expect(isRecorded.test('update "device_tokens" set "last_used_ms" = $1')).toBe(false)
})
