import { type SeedDevice, seedDataDir } from '../../apps/server/src/test/seed-data-dir.ts'
import { seededId, seededToken } from './seeded-device.ts'

/** Makes a database of public devices, numbered from 1, with one token each. */
export async function seedDevices(
  dataDir: string,
  count: number,
  presence: 'just seen' | 'never seen',
): Promise<void> {
  const status = presence === 'just seen' ? 'online' : 'unknown'
  await seedDataDir(dataDir, { devices: numberedDevices(count, status) })
}

function* numberedDevices(count: number, status: SeedDevice['status']): Generator<SeedDevice> {
  for (let number = 1; number <= count; number += 1) {
    yield {
      id: seededId(number),
      label: `Node ${number}`,
      lat: ((number * 7919) % 180_000) / 1000 - 90,
      lon: ((number * 104_729) % 360_000) / 1000 - 180,
      status,
      link: null,
      token: seededToken(number),
    }
  }
}
