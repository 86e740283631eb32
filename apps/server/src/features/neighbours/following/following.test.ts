import { expect, test } from 'vitest'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { deleteGone } from './following.ts'
import { sqlNeighboursStore } from './sql-neighbours-store.ts'

test('[F25] what came is deleted after 30 days without contact', async () => {
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
  const devices = [{ id: 'a', label: 'Buoy', lat: 1, lon: 2, status: 'online' } as const]
  await store.beginSnapshot(made.key, 1)
  const room = { devices: 1, islands: 0 }
  await store.apply(made.key, { devices, islands: [], removed: [] }, { room })
  await store.endSnapshot(made.key, { epoch: 1, number: 1 }, 1000)
  const contactEndMs = 1000 + 30 * 86_400_000
  await deleteGone(store, contactEndMs)
  expect(await store.countAll()).toEqual(new Map([[made.key, { devices: 1, islands: 0 }]]))
  await deleteGone(store, contactEndMs + 1)
  expect(await store.countAll()).toEqual(new Map())
  expect(await store.list()).toMatchObject([{ address: 'https://sky.example', number: null }])
})
