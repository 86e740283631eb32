import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seedDevices } from '../server/seed-devices.ts'

/** A data folder with so many devices, each of which carries an island of its own, and their agents' tokens. */
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

/** Of the device with that number. */
export const islandHost = (number: number, port: number) => `island-${number}.localhost:${port}`
