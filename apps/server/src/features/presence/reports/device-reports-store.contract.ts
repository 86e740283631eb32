import { expect, test } from 'vitest'
import type { DeviceReportsStore, NewReport } from './device-reports-store.ts'
import { newReport } from './testing/new-report.ts'

export interface DeviceReportsStoreHarness {
  readonly store: DeviceReportsStore
  readonly insertDevice: () => Promise<number>
  readonly deleteDevice: (deviceKey: number) => Promise<void>
}

const noRun = { exitCode: null, durationMs: null, startedMs: null }

/** What every store of reports must do, on any database. */
export function deviceReportsStoreContract(open: () => Promise<DeviceReportsStoreHarness>): void {
  const setUp = async () => {
    const harness = await open()
    const deviceKey = await harness.insertDevice()
    const say = async (
      atMs: number,
      status: NewReport['status'],
      text: string | null = null,
      run: Partial<NewReport> = {},
    ) => {
      await harness.store.keep([newReport({ deviceKey, atMs, status, text, ...run })])
      return await harness.store.read([deviceKey])
    }
    const changes = async (after = 0) =>
      (await harness.store.readChanges(after, 10)).map(({ status, atMs }) => [status, atMs])
    return { ...harness, deviceKey, say, changes }
  }

  test('[P10] the last report of a device is kept, and since when it says so', async () => {
    const { store, deviceKey, say } = await setUp()
    expect(await store.read([deviceKey])).toEqual([])
    const text = 'disk\nfull ☠ "\''
    const kept = { deviceKey, atMs: 10, status: 'fail', sinceMs: 10, text, ...noRun }
    expect(await say(10, 'fail', kept.text)).toEqual([kept])
    expect(await say(20, 'fail')).toEqual([{ ...kept, atMs: 20, text: null }])
    await say(30, 'ok', 'fine')
    const now = { deviceKey, atMs: 30, status: 'ok', sinceMs: 30, text: 'fine', ...noRun }
    expect(await store.read([deviceKey, deviceKey + 1])).toEqual([now])
  })

  test('[P10] one that another server kept meanwhile stays where it is newer', async () => {
    const { deviceKey, say, changes } = await setUp()
    await say(20, 'fail', 'newer')
    expect(await say(10, 'ok', 'older')).toEqual([
      { deviceKey, atMs: 20, status: 'fail', sinceMs: 20, text: 'newer', ...noRun },
    ])
    expect(await changes()).toEqual([['fail', 20]])
  })

  test('[P14] a run has a start, an exit code and a duration, and a start changes nothing else', async () => {
    const { deviceKey, say, changes } = await setUp()
    const begun = { deviceKey, atMs: 10, status: 'ok', sinceMs: 10, text: null, ...noRun }
    expect(await say(10, null, 'unread', { startedMs: 10 })).toEqual([{ ...begun, startedMs: 10 }])
    const failed = { ...begun, atMs: 25, status: 'fail', sinceMs: 25, text: 'full' }
    expect(await say(25, 'fail', 'full', { exitCode: 3_221_225_786 })).toEqual([
      { ...failed, exitCode: 3_221_225_786, durationMs: 15 },
    ])
    const [running] = await say(40, null, null, { startedMs: 40 })
    expect(running).toEqual({ ...failed, exitCode: 3_221_225_786, durationMs: 15, startedMs: 40 })
    // Two runs within 10 seconds are one report.
    expect(await say(60, 'ok', null, { exitCode: 0, beganMs: 55, startedMs: 61 })).toEqual([
      { ...begun, atMs: 60, sinceMs: 60, exitCode: 0, durationMs: 5, startedMs: 61 },
    ])
    expect(await say(70, 'ok')).toMatchObject([{ exitCode: null, durationMs: 9, startedMs: null }])
    expect(await say(80, 'ok')).toMatchObject([{ durationMs: null }])
    expect(await changes()).toEqual([['ok', 80]])
  })

  test('[P10] who reads changes learns of each warning that begins and ends, as it is by then', async () => {
    const { store, deviceKey, say, changes } = await setUp()
    await say(10, 'ok')
    expect(await changes()).toEqual([])
    await say(20, 'fail')
    const [began] = await store.readChanges(0, 10)
    expect(began).toMatchObject({ deviceKey, status: 'fail', sinceMs: 20 })
    expect(began?.deviceId).toEqual(expect.any(String))
    expect(began?.ownerKey).toEqual(expect.any(Number))
    await say(30, 'fail', 'still')
    expect(await changes(began?.change)).toEqual([])
    await say(40, 'ok')
    expect(await changes(began?.change)).toEqual([['ok', 40]])
    await say(50, 'fail')
    expect(await changes(began?.change)).toEqual([['fail', 50]])
  })

  test('changes of several devices have an order and come in pages', async () => {
    const { store, insertDevice } = await open()
    const keys = [await insertDevice(), await insertDevice(), await insertDevice()]
    await store.keep(keys.map((deviceKey) => newReport({ deviceKey, atMs: 10, status: 'fail' })))
    const first = await store.readChanges(0, 2)
    const rest = await store.readChanges(first.at(-1)?.change ?? 0, 2)
    expect([...first, ...rest].map(({ deviceKey }) => deviceKey)).toEqual(keys)
    expect(new Set([...first, ...rest].map(({ change }) => change)).size).toBe(3)
  })

  test('a report of a device that is gone is passed over, and its number never given again', async () => {
    const { store, deviceKey, deleteDevice, insertDevice, say } = await setUp()
    const other = await insertDevice()
    await say(10, 'fail')
    const [before] = await store.readChanges(0, 1)
    await deleteDevice(deviceKey)
    const both = [deviceKey, other].map((key) =>
      newReport({ deviceKey: key, atMs: 20, status: 'fail' }),
    )
    await store.keep(both)
    expect(await store.read([deviceKey, other])).toMatchObject([{ deviceKey: other }])
    expect(await store.readChanges(before?.change ?? 0, 10)).toMatchObject([{ deviceKey: other }])
  })

  test('many at once are one commit, none is none', async () => {
    const { store, insertDevice } = await open()
    await store.keep([])
    expect(await store.read([])).toEqual([])
    const keys = []
    for (let i = 0; i < 50; i += 1) keys.push(await insertDevice())
    await store.keep(
      keys.map((deviceKey) =>
        newReport({ deviceKey, atMs: 1, status: 'ok', text: String(deviceKey) }),
      ),
    )
    const kept = await store.read(keys)
    expect(kept).toHaveLength(50)
    expect(kept.every(({ deviceKey, text }) => text === String(deviceKey))).toBe(true)
  })
}
