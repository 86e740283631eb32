import { describe, expect, test } from 'vitest'
import { newestPosition } from '../../../page-position.ts'
import type { FlipStore, FlipPage } from './flip-store.ts'

export interface FlipStoreHarness {
  readonly store: FlipStore
  /** Runs a reader's work in one transaction, on an store within that transaction. */
  readonly inTransaction: (work: (store: FlipStore) => Promise<void>) => Promise<void>
  readonly insertDevice: () => Promise<{
    readonly key: number
    readonly id: string
    readonly ownerKey: number
  }>
  readonly deleteDevice: (deviceKey: number) => Promise<void>
  readonly comeOnline: (deviceKeys: readonly number[], atMs: number) => Promise<void>
  readonly goOffline: (deviceKey: number, lastSeenMs: number, atMs: number) => Promise<void>
}

/** What every store of flips must do, on any database. */
export function flipStoreContract(open: () => Promise<FlipStoreHarness>): void {
  describe('[P9] a reader of flips', () => {
    test('gets every flip with its details in commit order', async () => {
      const { store, insertDevice, comeOnline, goOffline } = await open()
      const [one, other] = [await insertDevice(), await insertDevice()]
      await comeOnline([other.key], 10)
      await comeOnline([one.key], 20)
      await goOffline(other.key, 10, 15)
      const page = await read(store)
      expect(page).toEqual({
        writer: page.writer,
        sequences: page.sequences,
        deviceKeys: [other.key, one.key, other.key],
        deviceIds: [other.id, one.id, other.id],
        ownerKeys: [other.ownerKey, one.ownerKey, other.ownerKey],
        statuses: ['online', 'online', 'offline'],
        atMs: [10, 20, 15],
      })
      expect(page.sequences).toEqual([...new Set(page.sequences)].toSorted((a, b) => a - b))
    })

    test('continues at its cursor, a page at a time', async () => {
      const { store, insertDevice, comeOnline } = await open()
      const keys = [await insertDevice(), await insertDevice(), await insertDevice()].map(keyOf)
      await comeOnline(keys, 10)
      const first = await read(store, 'reader', 2)
      expect(first.deviceKeys).toEqual(keys.slice(0, 2))
      // Without moving on, the same flips come again.
      expect(await read(store, 'reader', 2)).toEqual(first)
      await store.moveOn('reader', first)
      expect((await read(store, 'reader', 2)).deviceKeys).toEqual(keys.slice(2))
    })

    test('all of a user’s flips can be read, a device at a time', async () => {
      const { store, insertDevice, comeOnline, goOffline } = await open()
      const [own, other] = [await insertDevice(), await insertDevice()]
      await comeOnline([own.key, other.key], 10)
      await goOffline(own.key, 10, 15)
      expect(await store.countOf(own.ownerKey)).toBe(2)
      expect(await Array.fromAsync(store.readOf(own.ownerKey))).toEqual([
        {
          deviceId: own.id,
          flips: [
            { status: 'online', atMs: 10 },
            { status: 'offline', atMs: 15 },
          ],
        },
      ])
    })

    test('a user’s newest flips can be read across devices, a page at a time', async () => {
      const { store, insertDevice, comeOnline, goOffline } = await open()
      const [own, other] = [await insertDevice(), await insertDevice()]
      await comeOnline([own.key, other.key], 10)
      await goOffline(own.key, 10, 15)
      await comeOnline([own.key], 20)
      const newest = async (limit: number, after = newestPosition) => {
        const flips = await store.readNewestOf(own.ownerKey, { after, limit })
        return flips.map(({ deviceId, status, atMs }) => [deviceId, status, atMs])
      }
      const [last, offline, first] = [
        [own.id, 'online', 20],
        [own.id, 'offline', 15],
        [own.id, 'online', 10],
      ]
      expect(await newest(9)).toEqual([last, offline, first])
      expect(await newest(2)).toEqual([last, offline])
      expect(await newest(2, { atMs: 15, id: own.id })).toEqual([first])
      // Only before that time, or up to it.
      expect(await newest(1, { atMs: 15, id: '' })).toEqual([first])
      expect(await newest(1, { atMs: 16, id: '' })).toEqual([offline])
    })

    test('has a cursor of its own', async () => {
      const { store, insertDevice, comeOnline } = await open()
      const keys = [keyOf(await insertDevice())]
      await comeOnline(keys, 10)
      await store.moveOn('one', await read(store, 'one'))
      expect(await store.read('one', 9)).toBeUndefined()
      expect((await read(store, 'other')).deviceKeys).toEqual(keys)
    })

    test('moves its cursor in the transaction of its work, or not at all', async () => {
      const { store, inTransaction, insertDevice, comeOnline } = await open()
      await comeOnline([keyOf(await insertDevice())], 10)
      const failing = inTransaction(async (own) => {
        await own.moveOn('reader', await read(own))
        expect(await own.read('reader', 9)).toBeUndefined()
        throw new Error('its own write failed')
      })
      await expect(failing).rejects.toThrow('its own write failed')
      const page = await read(store)
      await inTransaction((own) => own.moveOn('reader', page))
      expect(await store.read('reader', 9)).toBeUndefined()
    })

    test('gets no flips of a deleted device', async () => {
      const { store, insertDevice, deleteDevice, comeOnline } = await open()
      const keys = [await insertDevice(), await insertDevice()].map(keyOf)
      await comeOnline(keys, 10)
      await deleteDevice(keys[0] ?? 0)
      expect((await read(store)).deviceKeys).toEqual(keys.slice(1))
    })
  })

  describe('[P9] pruning', () => {
    test('deletes old flips in steps, even if other readers have not read them', async () => {
      const { store, insertDevice, comeOnline } = await open()
      const devices = [await insertDevice(), await insertDevice(), await insertDevice()]
      for (const [i, { key }] of devices.entries()) await comeOnline([key], 10 * (i + 1))
      await store.moveOn('done', await read(store, 'done'))
      expect(await store.prune(30, 'done')).toBe(2)
      expect((await read(store, 'stuck')).atMs).toEqual([30])
    })

    test('[H5] keeps flips its reader is not done with, however old', async () => {
      const { store, insertDevice, comeOnline } = await open()
      const devices = [await insertDevice(), await insertDevice(), await insertDevice()]
      await comeOnline(devices.map(keyOf), 10)
      expect(await store.prune(30, 'days')).toBe(0)
      await store.moveOn('days', await read(store, 'days', 2))
      expect(await store.prune(30, 'days')).toBe(2)
      expect((await read(store, 'days')).sequences).toHaveLength(1)
    })

    test('continues past a stuck reader, which still gets later flips', async () => {
      const { store, insertDevice, comeOnline, goOffline } = await open()
      const { key } = await insertDevice()
      await comeOnline([key], 10)
      const [before] = (await read(store, 'stuck')).sequences
      await store.moveOn('done', await read(store, 'done'))
      await store.prune(11, 'done')
      expect(await store.read('stuck', 9)).toBeUndefined()
      await goOffline(key, 10, 20)
      const page = await read(store, 'stuck')
      expect(page.atMs).toEqual([20])
      // Numbers are never reused, or a reader that was further on would miss a flip.
      expect(page.sequences[0]).toBeGreaterThan(before ?? 0)
    })

    test('leaves the rest to the next call when aborted', async () => {
      const { store, insertDevice, comeOnline } = await open()
      const devices = [await insertDevice(), await insertDevice(), await insertDevice()]
      await comeOnline(devices.map(keyOf), 10)
      await store.moveOn('done', await read(store, 'done'))
      await store.prune(11, 'done', AbortSignal.abort())
      expect((await read(store)).sequences).toHaveLength(1)
      await store.prune(11, 'done')
      expect(await store.read('reader', 9)).toBeUndefined()
    })
  })
}

const keyOf = ({ key }: { readonly key: number }) => key

async function read(store: FlipStore, reader = 'reader', limit = 9): Promise<FlipPage> {
  const page = await store.read(reader, limit)
  if (page === undefined) throw new Error('There are no flips')
  return page
}
