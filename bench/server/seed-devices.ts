import type { DeviceSchedule } from '@astropelago/contract/device-schedules'
import { type SeedDevice, seedDataDir } from '../../apps/server/src/test/seed-data-dir.ts'
import { seededId, seededToken } from './seeded-device.ts'

/** Makes a database of public devices, numbered from 1, with one token each. */
export async function seedDevices(
  dataDir: string,
  count: number,
  presence: 'just seen' | 'never seen',
  scheduleOf: (number: number) => DeviceSchedule | undefined = () => undefined,
): Promise<void> {
  const status = presence === 'just seen' ? 'online' : 'unknown'
  await seedDataDir(dataDir, { devices: numberedDevices(count, status, scheduleOf) })
}

function* numberedDevices(
  count: number,
  status: SeedDevice['status'],
  scheduleOf: (number: number) => DeviceSchedule | undefined,
): Generator<SeedDevice> {
  for (let number = 1; number <= count; number += 1) {
    const schedule = scheduleOf(number)
    yield {
      ...(schedule && { schedule: JSON.stringify(schedule) }),
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
