import { describe, expect, test } from 'vitest'
import { dayMs } from '../../history/time-spans.ts'
import type { Flip, HistoryStore, StoredDay } from './history-store.ts'

export interface HistoryStoreHarness {
  readonly store: HistoryStore
  readonly insertUser: () => Promise<number>
  readonly insertDevice: (
    userKey?: number,
  ) => Promise<{ readonly key: number; readonly id: string }>
  readonly deleteDevice: (deviceKey: number) => Promise<void>
  /** Records flips at these times as presence does, beginning with one to online. */
  readonly flip: (deviceKey: number, ...atMs: readonly number[]) => Promise<void>
  readonly noteOutage: (
    outage: { readonly fromMs: number; readonly toMs: number },
    writer?: number,
  ) => Promise<void>
}

const day = (startMs: number, status: StoredDay['status'] = 'online'): StoredDay => ({
  startMs,
  onlineS: 80_000,
  offlineS: 6000,
  unobservedS: 400,
  flips: 3,
  status,
  sinceMs: startMs + 9,
})
const flips = (...atMs: readonly number[]): Flip[] =>
  atMs.map((ms, i) => ({ atMs: ms, status: i % 2 === 0 ? 'online' : 'offline' }))

/** What every store of histories must do, on any database. */
export function historyStoreContract(open: () => Promise<HistoryStoreHarness>): void {
  describe('the record of a device', () => {
    test('has the flips since the last stored day, and one row for each day before', async () => {
      const { store, insertDevice, flip } = await open()
      const [own, other] = [await insertDevice(), await insertDevice()]
      await flip(own.key, 5, dayMs + 5, 2 * dayMs + 5, 3 * dayMs)
      await flip(other.key, 6)
      const asked = { sinceMs: dayMs, detailedMs: [] }
      expect(await store.read(own.key, asked)).toEqual({
        days: [],
        flips: flips(5, dayMs + 5, 2 * dayMs + 5, 3 * dayMs),
      })
      await store.writeDays([
        { deviceKey: own.key, ...day(0) },
        { deviceKey: own.key, ...day(dayMs, 'offline') },
        { deviceKey: own.key, ...day(2 * dayMs) },
      ])
      expect(await store.read(own.key, asked)).toEqual({
        days: [day(0), day(dayMs, 'offline'), day(2 * dayMs)],
        flips: [{ atMs: 3 * dayMs, status: 'offline' }],
      })
      expect(await store.read(own.key, { ...asked, sinceMs: 2 * dayMs + 7 })).toMatchObject({
        days: [day(dayMs, 'offline'), day(2 * dayMs)],
      })
      expect(await store.read(other.key, asked)).toEqual({ days: [], flips: flips(6) })
    })

    test('has every flip of the days asked for in detail and of the first day, once', async () => {
      const { store, insertDevice, flip } = await open()
      const { key } = await insertDevice()
      const [first, second, third, last] = [5, dayMs + 5, 2 * dayMs, 4 * dayMs - 1]
      await flip(key, first, second, third, third + 7, last)
      await store.writeDays([0, 1, 2].map((n) => Object.assign({ deviceKey: key }, day(n * dayMs))))
      const detailedMs = [third, third + 7, 3 * dayMs, 0 - dayMs, Number.MAX_SAFE_INTEGER]
      const read = async (sinceMs: number) =>
        (await store.read(key, { sinceMs, detailedMs })).flips.map(({ atMs }) => atMs)
      expect(await read(0)).toEqual([first, third, third + 7, last])
      detailedMs.push(first)
      expect(await read(dayMs - 1)).toEqual([first, third, third + 7, last])
      expect(await read(dayMs)).toEqual([third, third + 7, last])
    })

    test('can be read for all devices of a user', async () => {
      const { store, insertUser, insertDevice, flip } = await open()
      const userKey = await insertUser()
      const [own, silent] = [await insertDevice(userKey), await insertDevice(userKey)]
      const other = await insertDevice()
      await flip(own.key, 5, 6)
      await flip(other.key, 7)
      expect(await store.readOwn(userKey, { sinceMs: 0, detailedMs: [] })).toEqual([
        { deviceKey: own.key, id: own.id, stored: { days: [], flips: flips(5, 6) } },
        { deviceKey: silent.key, id: silent.id, stored: { days: [], flips: [] } },
      ])
    })

    test('is deleted with the device, and nothing is written for a deleted one', async () => {
      const { store, insertUser, insertDevice, deleteDevice } = await open()
      const userKey = await insertUser()
      const { key } = await insertDevice(userKey)
      await store.writeDays([{ deviceKey: key, ...day(0) }])
      expect(await store.countOf(userKey)).toBe(1)
      await deleteDevice(key)
      await store.writeDays([{ deviceKey: key, ...day(0) }])
      expect(await store.countOf(userKey)).toBe(0)
    })

    test('can be exported one device at a time', async () => {
      const { store, insertUser, insertDevice } = await open()
      const userKey = await insertUser()
      const own = await insertDevice(userKey)
      const other = await insertDevice()
      await store.writeDays([
        { deviceKey: own.key, ...day(dayMs) },
        { deviceKey: own.key, ...day(0), sinceMs: null },
        { deviceKey: other.key, ...day(0) },
      ])
      expect(await Array.fromAsync(store.readOf(userKey))).toEqual([
        { deviceId: own.id, days: [{ ...day(0), sinceMs: null }, day(dayMs)] },
      ])
    })
  })

  test('the newest flips of a device come page by page, at one time ordered by status', async () => {
    const { store, insertDevice, flip } = await open()
    const { key } = await insertDevice()
    await flip(key, 10, 20, 20, 30)
    const newest = async (beforeMs: number, beforeStatus = '', sinceMs = 0) => {
      const page = { sinceMs, beforeMs, beforeStatus, limit: 3 }
      return (await store.newestFlips(key, page)).map(({ atMs, status }) => [atMs, status])
    }
    expect(await newest(Number.MAX_SAFE_INTEGER)).toEqual([
      [30, 'offline'],
      [20, 'online'],
      [20, 'offline'],
    ])
    expect(await newest(20, 'unobserved')).toEqual([
      [20, 'online'],
      [20, 'offline'],
      [10, 'online'],
    ])
    expect(await newest(20, 'online')).toEqual([
      [20, 'offline'],
      [10, 'online'],
    ])
    expect(await newest(20, 'offline', 11)).toEqual([])
  })

  describe('[H3] times without a server', () => {
    test('are those in which no server could receive heartbeats, in order and apart', async () => {
      const { store, noteOutage } = await open()
      await noteOutage({ fromMs: 100, toMs: 120 })
      await noteOutage({ fromMs: 110, toMs: 115 })
      await noteOutage({ fromMs: 118, toMs: 130 })
      await noteOutage({ fromMs: 10, toMs: 20 })
      await noteOutage({ fromMs: 200, toMs: 300 }, 7)
      const [first, second] = [
        { fromMs: 10, toMs: 20 },
        { fromMs: 100, toMs: 130 },
      ]
      expect(await store.unobserved(0)).toEqual([first, second])
      expect(await store.unobserved(19)).toEqual([first, second])
      expect(await store.unobserved(20)).toEqual([second])
    })
  })

  describe('days to be made', () => {
    test('have the flips of that day and the status at its beginning', async () => {
      const { store, insertDevice, flip } = await open()
      const [own, other, silent] = [
        await insertDevice(),
        await insertDevice(),
        await insertDevice(),
      ]
      await flip(own.key, 5, dayMs, dayMs + 5, 2 * dayMs)
      await flip(other.key, dayMs + 7)
      await store.writeDays([{ deviceKey: own.key, ...day(0, 'offline') }])
      const open1 = await store.readOpenDays([
        { deviceKey: own.key, startMs: dayMs },
        { deviceKey: own.key, startMs: 0 },
        { deviceKey: silent.key, startMs: dayMs },
        { deviceKey: other.key, startMs: dayMs },
      ])
      expect(open1).toEqual([
        {
          deviceKey: own.key,
          startMs: dayMs,
          before: 'offline',
          flips: flips(5, dayMs, dayMs + 5).slice(1),
        },
        { deviceKey: own.key, startMs: 0, before: null, flips: flips(5) },
        { deviceKey: other.key, startMs: dayMs, before: null, flips: flips(dayMs + 7) },
      ])
    })

    test('replace what was stored for that day before', async () => {
      const { store, insertDevice } = await open()
      const { key } = await insertDevice()
      await store.writeDays([{ deviceKey: key, ...day(0) }])
      await store.writeDays([{ deviceKey: key, ...day(0, 'offline'), flips: 4 }])
      expect((await store.read(key, { sinceMs: 0, detailedMs: [] })).days).toEqual([
        { ...day(0, 'offline'), flips: 4 },
      ])
    })
  })

  test('old days are deleted in steps, except the last one, which holds the status then', async () => {
    const { store, insertUser, insertDevice, noteOutage } = await open()
    const userKey = await insertUser()
    const [busy, steady] = [await insertDevice(userKey), await insertDevice(userKey)]
    await store.writeDays([
      ...[0, 1, 2, 3, 4, 5].map((n) => Object.assign({ deviceKey: busy.key }, day(n * dayMs))),
      { deviceKey: steady.key, ...day(0) },
    ])
    await noteOutage({ fromMs: 0, toMs: 10 })
    await noteOutage({ fromMs: dayMs, toMs: 4 * dayMs })
    const starts = async (deviceKey: number) =>
      (await store.read(deviceKey, { sinceMs: 0, detailedMs: [] })).days.map(
        ({ startMs }) => startMs / dayMs,
      )
    expect(await store.deleteOld(4 * dayMs, 2)).toBe(2)
    expect(await starts(busy.key)).toHaveLength(4)
    expect(await store.deleteOld(4 * dayMs, 2)).toBe(1)
    expect(await store.deleteOld(4 * dayMs, 2)).toBe(0)
    expect(await starts(busy.key)).toEqual([3, 4, 5])
    expect(await starts(steady.key)).toEqual([0])
    expect(await store.unobserved(0)).toEqual([{ fromMs: dayMs, toMs: 4 * dayMs }])
  })
}
