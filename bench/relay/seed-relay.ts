import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seedDevices } from '../server/seed-devices.ts'

/** Makes a data folder with devices that each carry an island, and with their agents' tokens. */
export async function seedRelay(dataDir: string, count: number): Promise<void> {
  await seedDevices(dataDir, count, 'just seen')
  const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
  database.exec(`
    update device_tokens set scope = 'relay';
    insert into islands (id, user_key, slug, name, kind, tagline, about, access, is_listed, is_relayed,
      carrier_key, created_ms, published_ms)
    select 'island-' || key, user_key, 'island-' || key, 'Island', 'social', '', '', 'public', 0, 1, key, 1, 1
    from devices;
    insert into island_slugs (slug, island_key, user_key) select slug, key, user_key from islands
    where true on conflict do nothing;
    pragma wal_checkpoint(truncate)`)
  database.close()
}

/** For the device with this number. */
export const islandHost = (number: number, port: number) => `island-${number}.localhost:${port}`
