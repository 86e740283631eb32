/**
 * Moves 100,000 devices from SQLite to PostgreSQL and back with the admin command, and compares the result
 * with the original.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { copiedTables } from '../apps/server/src/storage/copy/copied-tables.ts'
import { seedDataDir } from '../apps/server/src/test/seed-data-dir.ts'
import { startTestPostgres } from '../apps/server/src/test/test-postgres.ts'
import { clusteredDevices } from '../e2e/harness/clustered-devices.ts'

const deviceCount = 100_000
/** For one direction, on two quiet cores. */
const budgetS = 60

const folder = await mkdtemp(join(tmpdir(), 'astropelago-move-'))
const original = join(folder, 'original', 'astropelago.sqlite')
const returned = join(folder, 'returned', 'astropelago.sqlite')
const postgres = await startTestPostgres()
try {
  await seed()
  await move(original, postgres.url)
  await move(postgres.url, returned)
  compare()
} finally {
  await postgres.remove()
  await rm(folder, { recursive: true })
}

/** Devices with a token, a last heartbeat and ten flips each, and their owners' values. */
async function seed(): Promise<void> {
  await seedDataDir(join(folder, 'original'), { devices: devicesWithTokens() })
  const database = new DatabaseSync(original)
  database.exec(`
    pragma foreign_keys = on;
    begin;
    create temp table numbers as
      with recursive counted (value) as (
        select 1 union all select value + 1 from counted where value < 500
      ) select value from counted;
    insert into presence_events (device_key, status, at_ms)
      select key, iif(value % 2, 'online', 'offline'), 1000 * value + key
      from devices, numbers where value <= 10;
    insert into key_values (user_key, collection, name, value, bytes)
      select key, 'notes', 'note ' || value, json_quote(hex(randomblob(50))), 102
      from users, numbers where value <= 20;
    insert into sessions (token_hash, id, user_key, created_ms, last_used_ms)
      select randomblob(32), hex(randomblob(16)), key, key, key from users;
    insert into heartbeat_log (at_ms, device_keys)
      select value, randomblob(400) from numbers;
    delete from devices where key > ${deviceCount - 100};
    commit`)
  database.close()
}

function* devicesWithTokens() {
  for (const device of clusteredDevices(deviceCount + 100)) yield { ...device, token: device.id }
}

async function move(from: string, to: string): Promise<void> {
  const startedMs = performance.now()
  const args = ['apps/server/src/migrate-storage.ts', '--from', from, '--to', to]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const [code]: unknown[] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the move ended with ${String(code)}`)
  const tookS = (performance.now() - startedMs) / 1000
  console.log(`  moved in ${tookS.toFixed(1)} s of ${budgetS}\n`)
  if (tookS > budgetS) process.exitCode = 1
}

/** Compares with plain SQL, without the code that moved the data. */
function compare(): void {
  const database = new DatabaseSync(original)
  database.exec(`attach '${returned}' as returned`)
  const tables = [...copiedTables.map(({ name }) => name), 'sqlite_sequence']
  for (const table of tables) {
    const difference = database
      .prepare(
        `select (select count(*) from main.${table}) as rows,
           (select count(*) from (select * from main.${table} except select * from returned.${table})) as missing,
           (select count(*) from (select * from returned.${table} except select * from main.${table})) as added`,
      )
      .get()
    console.log(`  ${table}: ${JSON.stringify(difference)}`)
    if (difference?.['missing'] !== 0 || difference['added'] !== 0) process.exitCode = 1
  }
  database.close()
}
