import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seedDataDir, type SeedDevice } from '../../apps/server/src/test/seed-data-dir.ts'
import { runStatement } from '../../apps/server/src/test/test-databases.ts'
import { seededId, seededToken } from '../server/seeded-device.ts'
import { madeName, madeNameSql } from './made-names.ts'

interface SearchSeed {
  readonly devices: number
  readonly islands: number
}

/** Makes a data folder with public devices that were just seen, and listed islands. */
export async function seedSearchFolder(
  dataDir: string,
  { devices, islands }: SearchSeed,
): Promise<void> {
  await seedDataDir(dataDir, { devices: namedDevices(devices) })
  const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
  database.exec('pragma synchronous = off; begin')
  const island = database.prepare(`
    insert into islands (id, user_key, slug, name, kind, tagline, about, access, is_listed, address,
      created_ms, published_ms)
    values (?1, ?2, ?1, ?3, 'social', ?4, '', 'public', 1, 'https://a.example/', 1, 1)`)
  for (let number = 1; number <= islands; number += 1) {
    island.run(`island-${number}`, ownerOf(number), madeName(number), madeName(number + 1))
  }
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
}

/** The same in a PostgreSQL that has these devices with other names. */
export async function seedSearchPostgres(url: string, { islands }: SearchSeed): Promise<void> {
  await runStatement(
    url,
    `do $$
    begin
      -- Without triggers: a million rows are indexed at once below.
      perform set_config('session_replication_role', 'replica', true);
      update devices set label = ${madeNameSql('key')};
      insert into islands (id, user_key, slug, name, kind, tagline, about, access, is_listed, address,
        created_ms, published_ms)
      select 'island-' || n, (n - 1) / 20 + 1, 'island-' || n, ${madeNameSql('n')}, 'social',
        ${madeNameSql('(n + 1)')}, '', 'public', 1, 'https://a.example/', 1, 1
      from generate_series(1, ${islands}) n;
    end $$`,
  )
  await runStatement(url, 'select search_devices_add(array(select key from devices))')
  await runStatement(url, 'select search_islands_add(array(select key from islands))')
  await runStatement(url, 'vacuum analyze')
  await runStatement(url, 'checkpoint')
}

function* namedDevices(count: number): Generator<SeedDevice> {
  for (let number = 1; number <= count; number += 1) {
    yield {
      id: seededId(number),
      label: madeName(number),
      lat: ((number * 7919) % 180_000) / 1000 - 90,
      lon: ((number * 104_729) % 360_000) / 1000 - 180,
      status: 'online',
      link: null,
      token: seededToken(number),
    }
  }
}

const islandsPerUser = 20

function ownerOf(island: number): number {
  return Math.floor((island - 1) / islandsPerUser) + 1
}
