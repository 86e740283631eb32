import { describe, expect, test } from 'vitest'
import { pagesOf, testDevice } from '../testing/test-device.ts'
import { PublicDevices } from './public-devices.ts'
import type { PublicMessages } from './public-messages.ts'
import { createPublisher, type Publisher } from './publisher.ts'

type Change = Parameters<PublicMessages['note']>[1]

/** A publisher of device 1, which is public; device 2 is private. */
async function setUp() {
  const changes: (readonly [key: number, change: Change])[] = []
  const removedIds: string[] = []
  const devices = await PublicDevices.load(pagesOf([testDevice(1)]), { status: () => 'unknown' })
  const publisher = createPublisher({
    devices,
    messages: { note: (key, change) => changes.push([key, change]) },
    list: { noteRemoved: (id) => removedIds.push(id) },
  })
  return { publisher, devices, changes, removedIds }
}

describe('what the public could see is told', () => {
  test.each<[string, (publisher: Publisher) => void, number, Change]>([
    ['a new device', (all) => all.noteDevice(testDevice(3)), 3, 'added'],
    ['a changed device', (all) => all.noteDevice(testDevice(1, { label: 'New' })), 1, 'changed'],
    [
      'a device that turned private',
      (all) => all.noteDevice(testDevice(1, { visibility: 'private' })),
      1,
      { removedId: 'id-1' },
    ],
    ['a device that turned public', (all) => all.noteDevice(testDevice(2)), 2, 'added'],
    ['the end of a device', (all) => all.noteEnd(1), 1, { removedId: 'id-1' }],
  ])('%s', async (_, act, key, change) => {
    const { publisher, changes, removedIds } = await setUp()
    act(publisher)
    expect(changes).toEqual([[key, change]])
    expect(removedIds).toEqual(typeof change === 'object' ? ['id-1'] : [])
  })

  test('a new status, once', async () => {
    const { publisher, changes } = await setUp()
    publisher.noteFlips([2, 1], 'online')
    publisher.noteFlips([1], 'online')
    expect(changes).toEqual([[1, 'changed']])
  })
})

test.each<[string, (publisher: Publisher) => void]>([
  ['a new private device', (all) => all.noteDevice(testDevice(3, { visibility: 'private' }))],
  [
    'a change of a private device',
    (all) => all.noteDevice(testDevice(2, { visibility: 'private' })),
  ],
  ['the end of a private device', (all) => all.noteEnd(2)],
  ['a new status of a private device', (all) => all.noteFlips([2], 'online')],
  ['no new status', (all) => all.noteFlips([1], 'unknown')],
  ['the end of a missing device', (all) => all.noteEnd(404)],
])('S23 nothing is told of %s', async (_, act) => {
  const { publisher, changes } = await setUp()
  act(publisher)
  expect(changes).toEqual([])
})
