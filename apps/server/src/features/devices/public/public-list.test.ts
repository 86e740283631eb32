import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { pagesOf, testDevice } from '../testing/test-device.ts'
import type { PreparedList } from './prepared-list.ts'
import { PublicDevices } from './public-devices.ts'
import { PublicList } from './public-list.ts'
import { createPublisher, type Publisher } from './publisher.ts'

/** The list of devices in memory, with a sequence that counts their changes. */
async function setUp(loaded: readonly DeviceRecord[] = [testDevice(1)], makingTakesMs = 0) {
  const clock = movableClock()
  const sequence = { number: 0 }
  const devices = await PublicDevices.load(pagesOf(loaded), { status: () => 'unknown' })
  const list = new PublicList({
    devices,
    presence: {
      lastSeenMs: (key) => {
        // Each making of the list asks once for every device.
        if (key === loaded[0]?.key) clock.move(makingTakesMs)
        return null
      },
    },
    changes: {
      sealed: async () => `e-${sequence.number}`,
      isCurrent: (one) => one === `e-${sequence.number}`,
    },
    clock: clock.now,
  })
  const publisher = createPublisher({
    devices,
    messages: {
      clear: () => undefined,
      note: () => (sequence.number += 1),
      withdraw: () => undefined,
    },
    list,
  })
  return { publisher, list, clock }
}

function idsIn({ json }: Pick<PreparedList, 'json'>): string[] {
  const devices: { id: string }[] = JSON.parse(json.toString())
  return devices.map(({ id }) => id)
}

test('the ETag is the sequence from which a client can update the list', async () => {
  const { list, publisher, clock } = await setUp()
  expect((await list.prepared()).etag).toBe('"e-0"')
  publisher.set(testDevice(2))
  clock.move(1000)
  const { etag, sequence } = await list.prepared()
  expect([etag, sequence]).toEqual(['"e-1"', 'e-1'])
})

test('it is made once for simultaneous requests, and cached until a change', async () => {
  const { list, publisher, clock } = await setUp()
  const all = await Promise.all([list.prepared(), list.prepared(), list.prepared()])
  expect(new Set(all).size).toBe(1)
  clock.move(1_000_000)
  expect(await list.prepared()).toBe(all[0])
  publisher.set(testDevice(2))
  expect(idsIn(await list.prepared())).toEqual(['id-1', 'id-2'])
})

describe('the interval', () => {
  test('within a second of a change the last list is served, under its own ETag', async () => {
    const { list, publisher, clock } = await setUp()
    const first = await list.prepared()
    publisher.set(testDevice(2))
    clock.move(999)
    expect(await list.prepared()).toBe(first)
    clock.move(1)
    expect(idsIn(await list.prepared())).toEqual(['id-1', 'id-2'])
  })

  test('is ten times as long as making the list took', async () => {
    const { list, publisher, clock } = await setUp([testDevice(1)], 300)
    const first = await list.prepared()
    publisher.set(testDevice(2))
    clock.move(3000 - 300 - 1)
    expect(await list.prepared()).toBe(first)
    clock.move(1)
    expect(await list.prepared()).not.toBe(first)
  })
})

describe('S23 a device that is no longer public', () => {
  test.each<[string, (publisher: Publisher) => void]>([
    ['deleted', (publisher) => publisher.delete(1)],
    ['private', (publisher) => publisher.set(testDevice(1, { visibility: 'private' }))],
  ])('(%s) is gone from the list at once, in every encoding', async (_, act) => {
    const { list, publisher } = await setUp([testDevice(1), testDevice(2)])
    const before = await list.prepared()
    await list.encoded(before, 'gzip')
    act(publisher)
    const after = await list.prepared()
    expect(after.etag).toBe(before.etag)
    expect(idsIn(after)).toEqual(['id-2'])
    for (const [encoding, decode] of [
      ['gzip', gunzipSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      expect(idsIn({ json: decode(await list.encoded(after, encoding)) })).toEqual(['id-2'])
    }
    // A client that is receiving the older bytes still gets all of them.
    expect(idsIn(before)).toEqual(['id-1', 'id-2'])
  })

  test('is not in a list that is being made, even if its record was copied already', async () => {
    const loaded = Array.from({ length: 5000 }, (_, i) => testDevice(i + 1))
    const { list, publisher } = await setUp(loaded)
    const made = list.prepared()
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => void setImmediate(resolve))
      publisher.delete(turn + 1)
      publisher.delete(5000 - turn)
    }
    expect(idsIn(await made)).toEqual(loaded.slice(3, -3).map(({ id }) => id))
  })

  test('and then public again appears in the next list', async () => {
    const { list, publisher, clock } = await setUp()
    await list.prepared()
    publisher.set(testDevice(1, { visibility: 'private' }))
    publisher.set(testDevice(1))
    clock.move(1000)
    expect(idsIn(await list.prepared())).toEqual(['id-1'])
  })
})

test('[P8] a device whose place is made coarser leaves the list at once and returns with the coarse place', async () => {
  const exact = { lat: 52.5212, lon: 13.4264 }
  const { list, publisher, clock } = await setUp([testDevice(1, exact), testDevice(2)])
  const before = await list.prepared()
  publisher.set(testDevice(1, { ...exact, precision: 'km10' }))
  const after = await list.prepared()
  expect(after.etag).toBe(before.etag)
  expect(idsIn(after)).toEqual(['id-2'])
  clock.move(1000)
  const next = await list.prepared()
  expect(next.etag).not.toBe(before.etag)
  expect(JSON.parse(String(next.json))).toMatchObject([
    { id: 'id-1', lat: 52.55, lon: 13.49 },
    { id: 'id-2' },
  ])
})

test('every encoding holds the same bytes and is made once', async () => {
  const { list } = await setUp()
  const prepared = await list.prepared()
  const gzip = await list.encoded(prepared, 'gzip')
  expect(await list.encoded(prepared, 'gzip')).toBe(gzip)
  expect(gunzipSync(gzip)).toEqual(prepared.json)
  expect(zstdDecompressSync(await list.encoded(prepared, 'zstd'))).toEqual(prepared.json)
})

test('the total counts all public devices as of now', async () => {
  const { list, publisher } = await setUp()
  publisher.set(testDevice(3))
  publisher.set(testDevice(4))
  publisher.delete(1)
  publisher.set(testDevice(5, { visibility: 'private' }))
  expect(list.total).toBe(2)
})
