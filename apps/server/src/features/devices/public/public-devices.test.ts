import type { Status } from '@astropelago/contract/devices'
import { describe, expect, test } from 'vitest'
import type { DeviceRecord } from '../devices-store.ts'
import { testDevice } from '../testing/test-device.ts'
import { PublicDevices, type PublicChange } from './public-devices.ts'

async function setUp(
  loaded: readonly DeviceRecord[] = [testDevice(1), testDevice(2, { visibility: 'private' })],
) {
  const statuses = new Map<number, Status>()
  const changes: (readonly [key: number, change: PublicChange])[] = []
  const devices = await PublicDevices.load(
    // As the store does: a page at a time, public ones alone.
    pagesOf(loaded.filter(({ visibility }) => visibility === 'public')),
    {
      presence: { status: (key) => statuses.get(key) ?? 'unknown' },
      onChange: (key, change) => changes.push([key, change]),
    },
  )
  return { devices, statuses, changes }
}

async function* pagesOf(devices: readonly DeviceRecord[]) {
  for (const device of devices) yield [device]
}

test('S24 a public device’s JSON holds the listed fields, as JSON has them', async () => {
  const device = testDevice(7, { label: '"Pi" \\ 👩‍🚀', lat: -0.1, link: 'https://a.example/?b="c"' })
  const { devices } = await setUp([device])
  const { id, label, lat, lon, link } = device
  expect(JSON.parse(String(devices.json(7)))).toEqual({
    id,
    label,
    lat,
    lon,
    link,
    status: 'unknown',
  })
})

test('S23 a private device has no JSON, loaded or not', async () => {
  const { devices } = await setUp()
  devices.noteDevice(testDevice(3, { visibility: 'private' }))
  expect([1, 2, 3, 404].map((key) => devices.json(key) !== undefined)).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(devices.count).toBe(1)
})

test.each<Status>(['unknown', 'online', 'offline'])(
  'a device turns %s in its place',
  async (to) => {
    const { devices, statuses } = await setUp()
    const before = devices.json(1)?.length
    for (const status of ['online', to] as const) {
      statuses.set(1, status)
      devices.noteStatusChanges([1])
    }
    expect(JSON.parse(String(devices.json(1)))).toMatchObject({ id: 'id-1', status: to })
    expect(devices.json(1)).toHaveLength(before ?? 0)
  },
)

describe('what the public could see is told', () => {
  test.each<[string, (devices: PublicDevices) => void, number, PublicChange]>([
    ['a new device', (all) => all.noteDevice(testDevice(3)), 3, { kind: 'added' }],
    [
      'a changed device',
      (all) => all.noteDevice(testDevice(1, { label: 'New' })),
      1,
      { kind: 'changed' },
    ],
    [
      'a device that turned private',
      (all) => all.noteDevice(testDevice(1, { visibility: 'private' })),
      1,
      { kind: 'removed', id: 'id-1' },
    ],
    ['a device that turned public', (all) => all.noteDevice(testDevice(2)), 2, { kind: 'added' }],
    ['the end of a device', (all) => all.noteDeleted(1), 1, { kind: 'removed', id: 'id-1' }],
  ])('%s', async (_, act, key, change) => {
    const { devices, changes } = await setUp()
    act(devices)
    expect(changes).toEqual([[key, change]])
  })

  test('a new status, once', async () => {
    const { devices, statuses, changes } = await setUp()
    statuses.set(1, 'online')
    devices.noteStatusChanges([2, 1])
    devices.noteStatusChanges([1])
    expect(changes).toEqual([[1, { kind: 'changed' }]])
  })
})

test.each<[string, (devices: PublicDevices) => void]>([
  ['a new private device', (all) => all.noteDevice(testDevice(3, { visibility: 'private' }))],
  [
    'a change of a private device',
    (all) => all.noteDevice(testDevice(2, { visibility: 'private' })),
  ],
  ['the end of a private device', (all) => all.noteDeleted(2)],
  ['a new status of a private device', (all) => all.noteStatusChanges([2])],
  ['no new status', (all) => all.noteStatusChanges([1])],
  ['the end of a missing device', (all) => all.noteDeleted(404)],
])('S23 nothing is told of %s', async (_, act) => {
  const { devices, statuses, changes } = await setUp()
  statuses.set(2, 'online')
  act(devices)
  expect(changes).toEqual([])
})
