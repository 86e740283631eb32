import { devicesOfNeighbours } from '@astropelago/contract/limits'
import { expect, onTestFinished, test } from 'vitest'
import { createOutgoing } from '../../../outgoing/outgoing.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { deviceEntry, islandEntry, playInstallation } from '../conformance/played-installation.ts'
import { openInstallation } from '../installation.ts'
import { aboutReader } from '../read-about.ts'
import { sqlInstallationStore } from '../sql-installation-store.ts'
import { deleteGone, Following } from './following.ts'
import type { NeighboursStore } from './neighbours-store.ts'
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

/** Follows a neighbour with one device. @param changed replaces parts of the store */
async function setUp(changed: (stored: NeighboursStore) => Partial<NeighboursStore>) {
  const address = 'https://ours.example'
  const far = await playInstallation(Date.now)
  onTestFinished(far.close)
  far.state.entries = [deviceEntry()]
  const storage = await openTestStorage()
  const stored = sqlNeighboursStore(storage)
  const made = await stored.insert({
    id: 'far',
    address: far.address,
    name: 'Far Sky',
    publicKey: far.key(),
    keyNumber: 1,
    addedMs: 0,
  })
  if (typeof made === 'string') throw new Error(made)
  const outgoing = createOutgoing({ clock: Date.now, ownHosts: [], allowsPrivate: true })
  const installation = await openInstallation(sqlInstallationStore(storage), {
    address,
    clock: Date.now,
  })
  const published: string[] = []
  const following = new Following({
    outgoing,
    readAbout: aboutReader(outgoing, Date.now),
    installation: installation.read,
    address,
    clock: Date.now,
    store: { ...stored, ...changed(stored) },
    leads: () => true,
    log: { error: () => undefined, warn: () => undefined },
    publish: async () => void published.push('changes'),
    publishAll: async () => void published.push('all'),
  })
  onTestFinished(() => following.stop())
  return { far, stored, key: made.key, following, published }
}

test('[F23] what was deleted of one neighbour leaves room for others', async () => {
  let deleted = false
  const full = new Map([[0, { devices: devicesOfNeighbours, islands: 0 }]])
  const { stored, key, following } = await setUp(({ countAll }) => ({
    countAll: async () => (deleted ? await countAll() : full),
  }))
  const stateOf = async () => (await stored.list())[0]?.state
  await following.tick()
  await expect.poll(stateOf).toBe('held')
  deleted = true
  following.recount()
  await stored.resume(key)
  const counts = async () => {
    await following.tick()
    return await stored.countAll()
  }
  await expect.poll(counts).toEqual(new Map([[key, { devices: 1, islands: 0 }]]))
})

test('S73 a large statement is stored in parts, its number with the last, and shown once', async () => {
  const parts: unknown[] = []
  const { far, stored, key, following, published } = await setUp(({ apply }) => ({
    apply: (of, changes, at) => {
      const { devices, islands, removed } = changes
      parts.push([devices.length, islands.length, removed.length, at.position?.number])
      return apply(of, changes, at)
    },
  }))
  const counts = async () => (await stored.countAll()).get(key)
  await following.tick()
  await expect.poll(() => published).toEqual(['all'])
  parts.length = 0
  const devices = Array.from({ length: 1100 }, (_, at) => deviceEntry({ id: `device-${at}` }))
  far.change(...devices, islandEntry())
  await expect.poll(() => published).toEqual(['all', 'all'])
  expect(await counts()).toEqual({ devices: 1101, islands: 1 })
  const { number } = far.state
  expect(parts).toEqual([
    [500, 0, 0, undefined],
    [500, 0, 0, undefined],
    [100, 0, 0, undefined],
    [0, 1, 0, number],
  ])
  far.change(deviceEntry({ id: 'device-1', label: 'Renamed' }))
  await expect.poll(() => published).toEqual(['all', 'all', 'changes'])
})
