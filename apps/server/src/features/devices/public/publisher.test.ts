import { describe, expect, test } from 'vitest'
import type { PublicChange as Change } from '../../../public-messages.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { pagesOf, testDevice } from '../testing/test-device.ts'
import { PublicDevices } from './public-devices.ts'
import { createPublisher, type Publisher } from './publisher.ts'

/** A publisher with device 1, which is public, and device 2, which is private. */
async function setUp(first = testDevice(1)) {
  const changes: (readonly [key: number, change: Change])[] = []
  const withdrawn: (number | string)[] = []
  const devices = await PublicDevices.load(pagesOf([first]), { status: () => 'unknown' })
  const publisher = createPublisher({
    devices,
    messages: {
      clear: () => undefined,
      note: (key, change) => changes.push([key, change]),
      withdraw: (key) => withdrawn.push(key),
    },
    list: { withdraw: (id) => withdrawn.push(id) },
  })
  return { publisher, devices, changes, withdrawn }
}

describe('a change that everybody can see is published', () => {
  test.each<[string, (publisher: Publisher) => void, number, Change]>([
    ['a new device', (all) => all.set(testDevice(3)), 3, 'changed'],
    ['a changed device', (all) => all.set(testDevice(1, { label: 'New' })), 1, 'changed'],
    [
      'a device that turned private',
      (all) => all.set(testDevice(1, { visibility: 'private' })),
      1,
      { removedId: 'id-1' },
    ],
    ['a device that turned public', (all) => all.set(testDevice(2)), 2, 'changed'],
    ['the end of a device', (all) => all.delete(1), 1, { removedId: 'id-1' }],
  ])('%s', async (_, act, key, change) => {
    const { publisher, changes, withdrawn } = await setUp()
    act(publisher)
    expect(changes).toEqual([[key, change]])
    expect(withdrawn).toEqual(typeof change === 'object' ? ['id-1'] : [])
  })

  test('a new status, once', async () => {
    const { publisher, changes } = await setUp()
    publisher.setStatus([2, 1], 'online')
    publisher.setStatus([1], 'online')
    expect(changes).toEqual([[1, 'changed']])
  })
})

describe('[P8] a place that becomes coarser', () => {
  const exact = { lat: 52.5212, lon: 13.4264 }

  test.each<[string, Partial<DeviceRecord>, Partial<DeviceRecord>]>([
    ['to 1 km', exact, { ...exact, precision: 'km1' }],
    ['to 10 km', exact, { ...exact, precision: 'km10' }],
    ['from 1 to 10 km', { ...exact, precision: 'km1' }, { ...exact, precision: 'km10' }],
    ['elsewhere and to 10 km', exact, { lat: 1, lon: 2, precision: 'km10' }],
  ])('%s is withdrawn before the new one is published', async (_, before, after) => {
    const { publisher, devices, changes, withdrawn } = await setUp(testDevice(1, before))
    publisher.set(testDevice(1, after))
    expect(withdrawn).toEqual([1, 'id-1'])
    expect(changes).toEqual([[1, 'changed']])
    expect(String(devices.json(1))).not.toMatch(/52\.5212|13\.4264/)
  })

  test('a new label or an exact place withdraws nothing', async () => {
    const { publisher, withdrawn } = await setUp(testDevice(1, { ...exact, precision: 'km10' }))
    publisher.set(testDevice(1, { ...exact, precision: 'km10', label: 'New' }))
    publisher.set(testDevice(1, exact))
    publisher.set(testDevice(1, { lat: 3, lon: 4 }))
    expect(withdrawn).toEqual([])
  })
})

test.each<[string, (publisher: Publisher) => void]>([
  ['a change that nobody sees', (all) => all.set(testDevice(1))],
  ['a new private device', (all) => all.set(testDevice(3, { visibility: 'private' }))],
  ['a change of a private device', (all) => all.set(testDevice(2, { visibility: 'private' }))],
  ['the end of a private device', (all) => all.delete(2)],
  ['a new status of a private device', (all) => all.setStatus([2], 'online')],
  ['no new status', (all) => all.setStatus([1], 'unknown')],
  ['the end of a missing device', (all) => all.delete(404)],
])('S23 nothing is published about %s', async (_, act) => {
  const { publisher, changes } = await setUp()
  act(publisher)
  expect(changes).toEqual([])
})

test('S23 nothing is published about a move that only the owner sees', async () => {
  const coarse = { precision: 'km10' } as const
  const here = testDevice(1, { ...coarse, lat: 52.51, lon: 13.42 })
  const { publisher, devices, changes, withdrawn } = await setUp(here)
  const before = String(devices.json(1))
  publisher.set(testDevice(1, { ...coarse, lat: 52.59, lon: 13.55 }))
  expect({ changes, withdrawn }).toEqual({ changes: [], withdrawn: [] })
  expect(String(devices.json(1))).toBe(before)
})

describe('[F4] a device that its owner shares', () => {
  test('is published when that changes, and withdrawn before it is shared no longer', async () => {
    const { publisher, devices, changes, withdrawn } = await setUp()
    publisher.set(testDevice(1, { isShared: 1 }))
    publisher.set(testDevice(1, { isShared: 1 }))
    expect([changes, withdrawn, devices.shared.keys()]).toEqual([[[1, 'changed']], [], [1]])
    publisher.set(testDevice(1, { label: 'New' }))
    expect(withdrawn).toEqual([1, 'id-1'])
    expect(changes).toHaveLength(2)
    expect([devices.shared.has(1), devices.shared.had(1), devices.shared.had(2)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('is shared no longer once it is not public', async () => {
    const { publisher, devices } = await setUp(testDevice(1, { isShared: 1 }))
    expect(devices.shared.count).toBe(1)
    publisher.set(testDevice(1, { isShared: 1, visibility: 'private' }))
    expect([devices.shared.count, devices.shared.had(1)]).toEqual([0, true])
  })
})
