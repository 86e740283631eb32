import { randomUUID } from 'node:crypto'
import type { DirectoryDevice, DirectoryIsland } from '@astropelago/contract/neighbour-directory'
import { neighboursMax } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import {
  TooManySubjects,
  type DirectoryChanges,
  type NeighbourRecord,
  type NeighboursStore,
} from './neighbours-store.ts'

const device = (id: string, label = 'Beacon'): DirectoryDevice => ({
  id,
  label,
  lat: 1.5,
  lon: -2.25,
  status: 'online',
})

const island = (id: string, more: Partial<DirectoryIsland> = {}): DirectoryIsland => ({
  id,
  slug: id,
  name: 'Faraway',
  kind: 'media',
  picture: 7,
  tagline: 'Music',
  access: 'public',
  isOpen: true,
  deviceId: null,
  ...more,
})

const nothing: DirectoryChanges = { devices: [], islands: [], removed: [] }
const room = { devices: 100, islands: 100 }
const position = { epoch: 5, number: 7 }

async function add(store: NeighboursStore, address = 'https://sky.example') {
  const made = await store.insert({
    id: randomUUID(),
    address,
    name: 'Sky',
    publicKey: 'key',
    keyNumber: 1,
    addedMs: 3,
  })
  if (typeof made === 'string') throw new Error(made)
  return made
}
const reread = async (store: NeighboursStore, { key }: NeighbourRecord) =>
  (await store.list()).find((one) => one.key === key)
const devicesOf = async (store: NeighboursStore, ...neighbours: readonly NeighbourRecord[]) => {
  const pages = await Array.fromAsync(store.loadDevices(neighbours.map(({ key }) => key)))
  return pages.flat()
}

export function neighboursStoreContract(open: () => Promise<NeighboursStore>): void {
  describe('neighbours', () => {
    test('are followed once each, and not too many', async () => {
      const store = await open()
      const first = await add(store)
      expect(first).toMatchObject({ state: 'following', colour: 0, epoch: null, contactMs: null })
      expect(await store.insert({ ...first, id: 'other' })).toBe('known')
      for (let at = 1; at < neighboursMax; at += 1) await add(store, `https://${at}.example`)
      const outcome = await store.insert({ ...first, id: 'other', address: 'https://x.example' })
      expect(outcome).toBe('neighbour_limit')
      await store.delete(first.key)
      expect(await reread(store, first)).toBeUndefined()
      await add(store)
    })

    test('change, and begin from the start when they are resumed', async () => {
      const store = await open()
      const sky = await add(store)
      await store.beginSnapshot(sky.key, 5)
      await store.endSnapshot(sky.key, position, 9)
      expect(await reread(store, sky)).toMatchObject({ ...position, contactMs: 9 })
      await store.recordContact(sky.key, 11, { epoch: 5, number: 8 })
      expect(await reread(store, sky)).toMatchObject({ number: 8, contactMs: 11 })
      const held = { state: 'held', note: 'Odd.', unknownKey: 'next', name: 'Sky 2' } as const
      await store.update(sky.key, held)
      expect(await reread(store, sky)).toMatchObject({ ...held, number: 8 })
      await store.resume(sky.key)
      const resumed = {
        state: 'following',
        note: null,
        unknownKey: null,
        epoch: null,
        number: null,
      }
      expect(await reread(store, sky)).toMatchObject(resumed)
    })
  })

  describe('what they share', () => {
    test('is written where it differs, and says what differs', async () => {
      const store = await open()
      const sky = await add(store)
      const changes = { ...nothing, devices: [device('a'), device('b')], islands: [island('i')] }
      const first = await store.apply(sky.key, changes, { position, room })
      expect(first).toMatchObject({ ...changes, grownBy: { devices: 2, islands: 1 } })
      expect(await reread(store, sky)).toMatchObject(position)
      const next = await store.apply(
        sky.key,
        {
          devices: [device('a'), device('b', 'Buoy'), device('c')],
          islands: [island('i', { isOpen: false })],
          removed: [
            { kind: 'device', id: 'a' },
            { kind: 'island', id: 'nobody' },
          ],
        },
        { room },
      )
      expect(next).toMatchObject({
        devices: [{ id: 'b', label: 'Buoy' }, { id: 'c' }],
        islands: [{ id: 'i', isOpen: false }],
        removed: [{ kind: 'device', id: 'a' }],
        grownBy: { devices: 0, islands: 0 },
      })
      expect(await devicesOf(store, sky)).toMatchObject([device('b', 'Buoy'), device('c')])
      expect(await store.countAll()).toEqual(new Map([[sky.key, { devices: 2, islands: 1 }]]))
    })

    test('has no more than there is room for, or nothing is kept', async () => {
      const store = await open()
      const sky = await add(store)
      const two = { ...nothing, devices: [device('a'), device('b')] }
      const tooFew = { devices: 1, islands: 0 }
      await expect(store.apply(sky.key, two, { position, room: tooFew })).rejects.toThrow(
        TooManySubjects,
      )
      expect(await devicesOf(store, sky)).toEqual([])
      expect(await reread(store, sky)).toMatchObject({ number: null })
      await store.apply(sky.key, two, { position, room: { devices: 2, islands: 0 } })
      await store.apply(sky.key, two, { position, room: { devices: 0, islands: 0 } })
    })

    test('is what the last snapshot has', async () => {
      const store = await open()
      const [sky, other] = [await add(store), await add(store, 'https://other.example')]
      await store.apply(other.key, { ...nothing, devices: [device('a')] }, { position, room })
      const before = { ...nothing, devices: [device('a'), device('b')], islands: [island('i')] }
      await store.apply(sky.key, before, { position, room })
      await store.beginSnapshot(sky.key, 6)
      expect(await reread(store, sky)).toMatchObject({ epoch: 6, number: null })
      const page = { ...nothing, devices: [device('b'), device('c')] }
      expect(await store.apply(sky.key, page, { room })).toMatchObject({ devices: [device('c')] })
      expect(await devicesOf(store, sky)).toHaveLength(3)
      const end = await store.endSnapshot(sky.key, { epoch: 6, number: 1 }, 9)
      expect(end).toMatchObject({
        removed: [
          { kind: 'device', id: 'a' },
          { kind: 'island', id: 'i' },
        ],
        grownBy: { devices: -1, islands: -1 },
      })
      expect(await devicesOf(store, sky)).toMatchObject([device('b'), device('c')])
      expect(await devicesOf(store, sky, other)).toHaveLength(3)
      await store.deleteSubjects(sky.key)
      expect(await devicesOf(store, sky, other)).toMatchObject([device('a')])
      expect(await reread(store, sky)).toMatchObject({ epoch: 6, number: null })
    })

    test('comes to nothing once it is forgotten', async () => {
      const store = await open()
      const sky = await add(store)
      await store.delete(sky.key)
      const late = await store.apply(sky.key, { ...nothing, devices: [device('a')] }, { room })
      expect(late).toMatchObject({ devices: [], grownBy: { devices: 0 } })
    })

    test('is hidden one by one, whether it is there or not', async () => {
      const store = await open()
      const sky = await add(store)
      const changes = { ...nothing, devices: [device('a'), device('b')], islands: [island('a')] }
      await store.apply(sky.key, changes, { position, room })
      const subject = { kind: 'device', id: 'a' } as const
      expect(await store.setHidden(sky.key, { ...subject, id: 'none' }, true)).toBe(false)
      expect(await store.setHidden(sky.key, subject, false)).toBe(false)
      expect(await store.setHidden(sky.key, subject, true)).toBe(true)
      expect(await store.setHidden(sky.key, subject, true)).toBe(true)
      expect(await store.listHidden()).toEqual(new Map([[sky.key, [subject]]]))
      expect(await devicesOf(store, sky)).toMatchObject([device('b')])
      const asked = { neighbourKeys: [sky.key], limit: 10 }
      expect(await store.listIslands(asked)).toMatchObject({ total: 1 })
      await store.setHidden(sky.key, { kind: 'island', id: 'a' }, true)
      expect(await store.listIslands(asked)).toEqual({ islands: [], total: 0 })
      expect(await store.setHidden(sky.key, subject, false)).toBe(true)
      expect(await devicesOf(store, sky)).toHaveLength(2)
    })

    test('has islands in pages, open ones first', async () => {
      const store = await open()
      const sky = await add(store)
      const islands = [
        island('a'),
        island('b', { isOpen: false }),
        island('c', { kind: 'lab', access: 'members' }),
        island('d', { isOpen: false }),
      ]
      await store.apply(sky.key, { ...nothing, islands }, { position, room })
      const ids = async (more: object) => {
        const page = await store.listIslands({ neighbourKeys: [sky.key], limit: 2, ...more })
        return [page.total, ...page.islands.map(({ id }) => id)]
      }
      expect(await ids({})).toEqual([4, 'c', 'a'])
      const last = await store.listIslands({ neighbourKeys: [sky.key], limit: 3 })
      const after = { isOpen: false, key: last.islands[2]?.key ?? 0 }
      expect(last.islands.map(({ id }) => id)).toEqual(['c', 'a', 'd'])
      expect(await ids({ after })).toEqual([4, 'b'])
      expect(await ids({ isOpen: true })).toEqual([2, 'c', 'a'])
      expect(await ids({ kind: 'lab' })).toEqual([1, 'c'])
      expect(await ids({ access: 'public' })).toEqual([3, 'a', 'd'])
      expect(await ids({ neighbourKeys: [] })).toEqual([0])
    })
  })
}
