import { gunzipSync } from 'node:zlib'
import type { Status } from '@astropelago/contract/devices'
import { describe, expect, test } from 'vitest'
import type { DeviceRecord } from './devices-store.ts'
import { PublicList } from './public-list.ts'

function device(key: number, details: Partial<DeviceRecord> = {}): DeviceRecord {
  const same = { lat: 1, lon: 2, link: null, visibility: 'public' as const, createdMs: 3 }
  return { ...same, key, id: `id-${key}`, label: `Device ${key}`, ...details }
}

/** A list over devices held here, with a store that the test can hold up or break. */
async function setUp(devices: DeviceRecord[] = [device(1), device(2, { visibility: 'private' })]) {
  const statuses = new Map<number, Status>()
  const reads: PromiseWithResolvers<void>[] = []
  const seen = { reads: 0 }
  const publicDevices = () => devices.filter(({ visibility }) => visibility === 'public')
  const list = await PublicList.load(
    {
      listPublic: async () => {
        seen.reads += 1
        await reads.shift()?.promise
        return publicDevices()
      },
      listPublicKeys: async () => publicDevices().map(({ key }) => key),
    },
    {
      status: (key) => statuses.get(key) ?? 'unknown',
      lastSeenMs: () => null,
      forget: () => undefined,
    },
  )
  return { devices, statuses, reads, seen, list }
}

describe('the sequence', () => {
  test('stands still while nothing changes', async () => {
    const { list } = await setUp()
    const etag = list.etag()
    await list.prepared()
    expect(list.etag()).toBe(etag)
  })

  test('is quoted, and another one with each start', async () => {
    const [first, second] = [await setUp(), await setUp()]
    expect(first.list.etag()).toMatch(/^"[\w-]+-0"$/)
    expect(first.list.etag()).not.toBe(second.list.etag())
  })

  test.each<[string, (list: PublicList) => void]>([
    ['a new public device', (list) => list.noteDevice(device(3))],
    ['a change of a public device', (list) => list.noteDevice(device(1, { label: 'New' }))],
    [
      'a device that turned private',
      (list) => list.noteDevice(device(1, { visibility: 'private' })),
    ],
    ['a device that turned public', (list) => list.noteDevice(device(2))],
    ['the end of a public device', (list) => list.noteDeleted(1)],
    ['a new status of a public device', (list) => list.noteStatusChanges([2, 1])],
  ])('moves on with %s', async (_, change) => {
    const { list } = await setUp()
    const etag = list.etag()
    change(list)
    expect(list.etag()).not.toBe(etag)
  })

  test.each<[string, (list: PublicList) => void]>([
    ['a new private device', (list) => list.noteDevice(device(3, { visibility: 'private' }))],
    [
      'a change of a private device',
      (list) => list.noteDevice(device(2, { visibility: 'private' })),
    ],
    ['the end of a private device', (list) => list.noteDeleted(2)],
    ['a new status of a private device', (list) => list.noteStatusChanges([2])],
    ['no new status at all', (list) => list.noteStatusChanges([])],
    ['the end of a missing device', (list) => list.noteDeleted(404)],
  ])('S23 stands still with %s', async (_, change) => {
    const { list } = await setUp()
    const etag = list.etag()
    change(list)
    expect(list.etag()).toBe(etag)
  })
})

describe('the prepared list', () => {
  test('S24 holds the listed fields of public devices, plain and compressed', async () => {
    const { list, statuses } = await setUp()
    statuses.set(1, 'online')
    const { json, gzip, total } = await list.prepared()
    expect(JSON.parse(json.toString())).toEqual([
      { id: 'id-1', label: 'Device 1', lat: 1, lon: 2, status: 'online', link: null },
    ])
    expect(gunzipSync(gzip)).toEqual(json)
    expect(total).toBe(1)
  })

  test('counts all public devices, changes included', async () => {
    const { list } = await setUp()
    list.noteDevice(device(3))
    list.noteDevice(device(4))
    list.noteDeleted(1)
    list.noteDevice(device(5, { visibility: 'private' }))
    expect((await list.prepared()).total).toBe(2)
  })

  test('is prepared once for all who ask at the same time, and kept until a change', async () => {
    const { list, seen } = await setUp()
    const all = await Promise.all([list.prepared(), list.prepared(), list.prepared()])
    expect(all[1]).toBe(all[0])
    expect(await list.prepared()).toBe(all[0])
    expect(seen.reads).toBe(1)
    list.noteDevice(device(1))
    expect(await list.prepared()).not.toBe(all[0])
    expect(seen.reads).toBe(2)
  })

  test('a change while it is prepared gives those who ask later a newer one', async () => {
    const { list, devices, reads } = await setUp()
    const read = Promise.withResolvers<void>()
    reads.push(read)
    const older = list.prepared()
    devices.push(device(3))
    list.noteDevice(device(3))
    const newer = await list.prepared()
    read.resolve()
    expect((await older).etag).not.toBe(newer.etag)
    expect(newer.etag).toBe(list.etag())
    expect(JSON.parse(newer.json.toString())).toHaveLength(2)
  })

  test('a failure is told to all who waited, and the next who asks tries again', async () => {
    const { list, reads } = await setUp()
    const read = Promise.withResolvers<void>()
    reads.push(read)
    const waiting = Promise.allSettled([list.prepared(), list.prepared()])
    read.reject(new Error('disk failed'))
    expect(await waiting).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect((await list.prepared()).total).toBe(1)
  })
})
