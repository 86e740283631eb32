import type { DeviceRecord } from '../devices-store.ts'

/** A public device as a store would return it. */
export function testDevice(key: number, details: Partial<DeviceRecord> = {}): DeviceRecord {
  const same = { lat: 1, lon: 2, link: null, visibility: 'public' as const, createdMs: 3 }
  return { ...same, key, id: `id-${key}`, label: `Device ${key}`, ...details }
}

/** As the store loads devices: a page at a time. */
export async function* pagesOf(
  devices: readonly DeviceRecord[],
): AsyncGenerator<readonly DeviceRecord[]> {
  for (const device of devices) yield [device]
}
