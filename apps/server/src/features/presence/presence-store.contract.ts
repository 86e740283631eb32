import { describe, expect, test } from 'vitest'
import type { PresenceRecord, PresenceStore } from './presence-store.ts'

export interface PresenceStoreHarness {
  readonly store: PresenceStore
  /** The same database, opened as by a server that starts. */
  readonly reopen: () => PresenceStore
  readonly insertDevice: (schedule?: string) => Promise<number>
  readonly deleteDevice: (deviceKey: number) => Promise<void>
  /** How many rows hold heartbeats outside the devices' own rows. */
  readonly countLogged: () => Promise<number>
  /** The outages of the server on record, in order. */
  readonly readUnobserved: () => Promise<
    readonly { readonly fromMs: number; readonly toMs: number; readonly writer: number }[]
  >
}

/** What every presence store must do, on any database. */
export function presenceStoreContract(open: () => Promise<PresenceStoreHarness>): void {
  describe('heartbeats', () => {
    test('[P4] several heartbeats of a device leave one row and one event', async () => {
      const { store, insertDevice } = await open()
      const deviceKey = await insertDevice()
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [deviceKey] })
      await store.commitHeartbeats({ atMs: 20, stayed: [deviceKey], cameOnline: [] })
      expect(await loadAll(store)).toEqual([{ deviceKey, lastSeenMs: 20, isOnline: true }])
      expect(await store.events(deviceKey)).toEqual([{ status: 'online', atMs: 10 }])
    })

    test('[P3] heartbeats survive a restart, folded or not, and the last one counts', async () => {
      const { store, reopen, insertDevice } = await open()
      const keys = [await insertDevice(), await insertDevice(), await insertDevice()]
      const [first = 0, second = 0, third = 0] = keys
      const beat = (stayed: readonly number[], atMs: number) =>
        store.commitHeartbeats({ atMs, stayed, cameOnline: [] })
      const seen = async () => (await loadAll(reopen())).map((record) => record.lastSeenMs)

      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: keys })
      await beat([first, second], 20)
      await beat([second], 30)
      expect(await seen()).toEqual([20, 30, 10])
      await store.fold()
      expect(await seen()).toEqual([20, 30, 10])
      await Promise.all([store.fold(), beat([first], 40), beat([third], 50), beat([first], 60)])
      expect(await seen()).toEqual([60, 30, 50])
      await store.fold()
      expect(await seen()).toEqual([60, 30, 50])
      expect(await store.read(keys)).toEqual(await loadAll(store))
    })

    test('[P4] a fold removes everything it folded from the log', async () => {
      const { store, insertDevice, deleteDevice, countLogged } = await open()
      const [kept, gone] = [await insertDevice(), await insertDevice()]
      const deviceKeys = [kept, gone]
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: deviceKeys })
      await store.commitHeartbeats({ atMs: 20, stayed: deviceKeys, cameOnline: [] })
      await deleteDevice(gone)
      await store.fold()
      expect(await countLogged()).toBe(0)
      expect(await loadAll(store)).toEqual([{ deviceKey: kept, lastSeenMs: 20, isOnline: true }])
    })

    test('[P3] an aborted fold loses nothing, and the next one does the rest', async () => {
      const { store, reopen, insertDevice, countLogged } = await open()
      const deviceKeys = [await insertDevice(), await insertDevice(), await insertDevice()]
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: deviceKeys })
      await store.commitHeartbeats({ atMs: 20, stayed: deviceKeys, cameOnline: [] })
      await store.fold(AbortSignal.abort())
      expect(await countLogged()).toBeGreaterThan(0)
      const next = reopen()
      expect((await loadAll(next)).map((record) => record.lastSeenMs)).toEqual([20, 20, 20])
      await next.fold()
      expect(await countLogged()).toBe(0)
      expect((await loadAll(reopen())).map((record) => record.lastSeenMs)).toEqual([20, 20, 20])
    })

    test('[P11] schedules are loaded of those devices that have one, page by page', async () => {
      const { store, insertDevice } = await open()
      await insertDevice()
      const deviceKeys: number[] = []
      while (deviceKeys.length < 9)
        deviceKeys.push(await insertDevice(`schedule ${deviceKeys.length}`))
      const pages = await Array.fromAsync(store.loadSchedules())
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.flat()).toEqual(
        deviceKeys.map((deviceKey, at) => ({ deviceKey, schedule: `schedule ${at}` })),
      )
    })

    test('a heartbeat of a device deleted meanwhile is skipped', async () => {
      const { store, insertDevice, deleteDevice } = await open()
      const [gone, kept] = [await insertDevice(), await insertDevice()]
      await deleteDevice(gone)
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [gone, kept] })
      expect(await loadAll(store)).toEqual([{ deviceKey: kept, lastSeenMs: 10, isOnline: true }])
    })

    test('deleting a device deletes its presence', async () => {
      const { store, insertDevice, deleteDevice } = await open()
      const deviceKey = await insertDevice()
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [deviceKey] })
      await deleteDevice(deviceKey)
      expect(await store.read([deviceKey])).toEqual([])
      expect(await store.events(deviceKey)).toEqual([])
    })
  })

  describe('flips', () => {
    test('[P2] a flip is recorded at its deadline', async () => {
      const { store, insertDevice } = await open()
      const deviceKey = await insertDevice()
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [deviceKey] })
      const flips = [{ deviceKey, lastSeenMs: 10, atMs: 310 }]
      expect(await store.recordOffline(flips, 999)).toEqual([deviceKey])
      expect(await store.read([deviceKey])).toEqual([
        { deviceKey, lastSeenMs: 10, isOnline: false },
      ])
      expect(await store.events(deviceKey)).toEqual([
        { status: 'online', atMs: 10 },
        { status: 'offline', atMs: 310 },
      ])
      expect(await store.lastEvent(deviceKey)).toEqual({ status: 'offline', atMs: 310 })
      expect(await store.aliveMark()).toBe(999)
    })

    test('the last event is the device’s own, and the later of two at the same time', async () => {
      const { store, insertDevice } = await open()
      const [first, second] = [await insertDevice(), await insertDevice()]
      expect(await store.lastEvent(first)).toBeUndefined()
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [first] })
      await store.recordOffline([{ deviceKey: first, lastSeenMs: 10, atMs: 310 }], 310)
      await store.commitHeartbeats({ atMs: 310, stayed: [], cameOnline: [first] })
      await store.commitHeartbeats({ atMs: 400, stayed: [], cameOnline: [second] })
      expect(await store.lastEvent(first)).toEqual({ status: 'online', atMs: 310 })
    })

    test('[P6] a flip decided on an outdated heartbeat is not recorded', async () => {
      const { store, insertDevice } = await open()
      const deviceKey = await insertDevice()
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [deviceKey] })
      await store.commitHeartbeats({ atMs: 20, stayed: [deviceKey], cameOnline: [] })
      expect(await store.recordOffline([{ deviceKey, lastSeenMs: 10, atMs: 310 }], 999)).toEqual([])
      expect(await store.read([deviceKey])).toEqual([{ deviceKey, lastSeenMs: 20, isOnline: true }])
      expect(await store.events(deviceKey)).toEqual([{ status: 'online', atMs: 10 }])
    })

    test('[P6] a flip decided on a heartbeat that is not folded yet is recorded', async () => {
      const { store, reopen, insertDevice } = await open()
      const deviceKey = await insertDevice()
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [deviceKey] })
      await store.commitHeartbeats({ atMs: 20, stayed: [deviceKey], cameOnline: [] })
      const flips = [{ deviceKey, lastSeenMs: 20, atMs: 320 }]
      expect(await store.recordOffline(flips, 999)).toEqual([deviceKey])
      await store.fold()
      for (const one of [store, reopen()]) {
        expect(await loadAll(one)).toEqual([{ deviceKey, lastSeenMs: 20, isOnline: false }])
      }
    })

    test('[P4] the same flip twice leaves one event', async () => {
      const { store, insertDevice } = await open()
      const deviceKey = await insertDevice()
      await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [deviceKey] })
      const flips = [{ deviceKey, lastSeenMs: 10, atMs: 310 }]
      await store.recordOffline(flips, 999)
      await store.recordOffline(flips, 999)
      expect(await store.events(deviceKey)).toHaveLength(2)
    })
  })

  describe('outages', () => {
    test('[P5] the alive mark is null at first, then moves forward', async () => {
      const { store } = await open()
      expect(await store.aliveMark()).toBeNull()
      await store.markAlive(5)
      await store.markAlive(7)
      expect(await store.aliveMark()).toBe(7)
    })

    test('[P5] outages are read in order until they are forgotten', async () => {
      const { store } = await open()
      await store.recordOutage({ fromMs: 50, toMs: 60 })
      await store.recordOutage({ fromMs: 10, toMs: 20 })
      await store.recordOutage({ fromMs: 50, toMs: 70 })
      expect(await store.outages()).toEqual([
        { fromMs: 10, toMs: 20 },
        { fromMs: 50, toMs: 70 },
      ])
      await store.forgetOutages(Number.MAX_SAFE_INTEGER)
      expect(await store.outages()).toEqual([])
    })

    test('[P5] those that are still needed are not forgotten', async () => {
      const { store } = await open()
      await store.recordOutage({ fromMs: 10, toMs: 20 })
      await store.recordOutage({ fromMs: 50, toMs: 70 })
      await store.forgetOutages(69)
      expect(await store.outages()).toEqual([{ fromMs: 50, toMs: 70 }])
    })

    test('[H3] outages stay on record, and one that follows another shortly extends it', async () => {
      const { store, readUnobserved } = await open()
      await store.recordOutage({ fromMs: 100_000, toMs: 110_000 })
      await store.recordOutage({ fromMs: 115_000, toMs: 120_000 })
      await store.recordOutage({ fromMs: 115_000, toMs: 116_000 })
      await store.recordOutage({ fromMs: 131_000, toMs: 150_000 })
      await store.recordUnobserved({ fromMs: 116_000, toMs: 117_000 }, 7)
      await store.recordUnobserved({ fromMs: 116_000, toMs: 130_000 }, 7)
      await store.forgetOutages(Number.MAX_SAFE_INTEGER)
      expect(await readUnobserved()).toEqual([
        { fromMs: 100_000, toMs: 120_000, writer: 0 },
        { fromMs: 116_000, toMs: 130_000, writer: 7 },
        { fromMs: 131_000, toMs: 150_000, writer: 0 },
      ])
      await store.clampTimes(131_500)
      expect((await readUnobserved()).at(-1)).toMatchObject({ toMs: 131_500 })
      await store.clampTimes(118_000)
      expect(await readUnobserved()).toEqual([
        { fromMs: 100_000, toMs: 118_000, writer: 0 },
        { fromMs: 116_000, toMs: 118_000, writer: 7 },
      ])
    })
  })

  test('more devices than fit a page are each loaded once', async () => {
    const { store, insertDevice } = await open()
    const deviceKeys: number[] = []
    for (let count = 0; count < 30; count += 1) deviceKeys.push(await insertDevice())
    await store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: deviceKeys })
    const records = await loadAll(store)
    expect(records.map((record) => record.deviceKey)).toEqual(deviceKeys)
  })
}

async function loadAll(store: PresenceStore): Promise<PresenceRecord[]> {
  const records: PresenceRecord[] = []
  for await (const { deviceKeys, lastSeenMs, isOnline } of store.load()) {
    for (const [i, deviceKey] of deviceKeys.entries()) {
      records.push({ deviceKey, lastSeenMs: lastSeenMs[i] ?? 0, isOnline: isOnline[i] === 1 })
    }
  }
  return records
}
