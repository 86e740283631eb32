import { expect, test } from 'vitest'
import { PublicMessages } from '../../../public-messages.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import type { AppliedChanges } from './neighbours-store.ts'
import { publishNeighbours } from './publish-neighbours.ts'
import { ShownNeighbours } from './shown-neighbours.ts'
import { sqlNeighboursStore } from './sql-neighbours-store.ts'

const quietFeed = {
  sequence: '1-0',
  send: () => undefined,
  settled: async () => undefined,
  isSettled: () => true,
  withdraw: () => undefined,
  reloadAll: () => undefined,
}

test('S73 a neighbour that always changes does not keep others from being listed', async () => {
  const store = sqlNeighboursStore(await openTestStorage())
  const made = await store.insert({
    id: 'sky',
    address: 'https://sky.example',
    name: 'Sky',
    publicKey: 'key',
    keyNumber: 1,
    addedMs: 0,
  })
  if (typeof made === 'string') throw new Error(made)
  const messages = new PublicMessages({ feed: quietFeed, afterBatchTime: () => undefined })
  const devices = Array.from({ length: 501 }, (_, key) => {
    const device = { id: `d${key}`, label: 'Buoy', lat: 1, lon: 2, status: 'online' } as const
    return { ...device, key }
  })
  const many: AppliedChanges = {
    devices,
    islands: [],
    removed: [],
    grownBy: { devices: 0, islands: 0 },
  }
  await store.beginSnapshot(made.key, 1)
  const room = { devices: 501, islands: 0 }
  await store.apply(made.key, { devices, islands: [], removed: [] }, { room })
  await store.endSnapshot(made.key, { epoch: 1, number: 1 }, Date.now())
  let makings = 0
  const shown: ShownNeighbours = new ShownNeighbours({
    store: {
      ...store,
      loadDevices: async function* (keys) {
        yield* store.loadDevices(keys)
        makings += 1
        if (makings < 3) await publish(made, many)
      },
    },
    messages,
    clock: Date.now,
  })
  const { publish } = publishNeighbours(messages, shown)
  const { json } = await shown.devices()
  expect(JSON.parse(json.toString()).devices).toHaveLength(501)
  expect(makings).toBe(1)
})
