import { appendFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { test } from 'vitest'
import { isOnPostgres, openUnmigrated } from '../test/open-test-storage.ts'
import { readCatalog } from '../test/read-catalog.ts'
import { migrate } from './migrations.ts'

test('dump', async () => {
  const db = await openUnmigrated()
  await migrate(db)
  const kind = isOnPostgres() ? 'pg' : 'sqlite'
  const catalog = await readCatalog(db)
  const more = isOnPostgres()
    ? sql<{
        line: string
      }>`select table_name || ' ' || ordinal_position || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '-') as line from information_schema.columns where table_schema = current_schema() order by 1`
    : sql<{
        line: string
      }>`select tables.name || ' ' || columns.cid || ' ' || columns.name || ' ' || columns.type as line from sqlite_master as tables join pragma_table_xinfo(tables.name) as columns where tables.type = 'table' order by 1`
  const { rows } = await more.execute(db)
  const seeds = await sql<{
    line: string
  }>`select reader || writer || sequence as line from presence_event_cursors union all select source || position from alert_cursors union all select 'w' || key || last from warning_changes`.execute(
    db,
  )
  await appendFile(
    `/tmp/storage-catalog-${process.env['DUMP'] ?? 'x'}-${kind}.txt`,
    [...catalog, ...rows.map((r) => r.line), ...seeds.rows.map((r) => r.line).toSorted()].join(
      '\n',
    ),
  )
  if (!isOnPostgres()) {
    const t = await sql<{
      line: string
    }>`select sql as line from sqlite_master where type = 'table' and sql is not null order by name`.execute(
      db,
    )
    await appendFile(
      `/tmp/storage-tables-${process.env['DUMP'] ?? 'x'}.txt`,
      t.rows.map((r) => r.line).join('\n'),
    )
  }
})
