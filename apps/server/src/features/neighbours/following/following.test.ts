import { devicesOfNeighbours } from '@astropelago/contract/limits'
import { expect, onTestFinished, test } from 'vitest'
import { createOutgoing } from '../../../outgoing/outgoing.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { deviceEntry, playInstallation } from '../conformance/played-installation.ts'
import { openInstallation } from '../installation.ts'
import { aboutReader } from '../read-about.ts'
import { sqlInstallationStore } from '../sql-installation-store.ts'
import { deleteGone, Following } from './following.ts'
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

test('[F23] what was deleted of one neighbour leaves room for others', async () => {
  const address = 'https://ours.example'
  const far = await playInstallation(Date.now)
  onTestFinished(far.close)
  far.state.entries = [deviceEntry()]
  const storage = await openTestStorage()
  const stored = sqlNeighboursStore(storage)
  let deleted = false
  const countAll = async () =>
    deleted ? await stored.countAll() : new Map([[0, { devices: devicesOfNeighbours, islands: 0 }]])
  const store = { ...stored, countAll }
  const made = await store.insert({
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
  const following = new Following({
    outgoing,
    readAbout: aboutReader(outgoing, Date.now),
    installation: installation.read,
    address,
    clock: Date.now,
    store,
    leads: () => true,
    log: { error: () => undefined, warn: () => undefined },
    publish: async () => undefined,
    publishAll: async () => undefined,
  })
  onTestFinished(() => following.stop())
  const stateOf = async () => (await store.list())[0]?.state
  await following.tick()
  await expect.poll(stateOf).toBe('held')
  deleted = true
  following.recount()
  await store.resume(made.key)
  const counts = async () => {
    await following.tick()
    return await stored.countAll()
  }
  await expect.poll(counts).toEqual(new Map([[made.key, { devices: 1, islands: 0 }]]))
})
