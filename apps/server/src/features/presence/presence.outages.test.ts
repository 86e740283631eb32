import { describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { insertDevice } from '../../test/factories.ts'
import { tickMs } from './presence.ts'
import { pass, setUpPresence, windowMs } from './testing/set-up-presence.ts'

describe('S50 a start after a run with the clock ahead', () => {
  const yearMs = 365 * 24 * 3600 * 1000

  test('gives every device a whole window from now on, then flips it', async () => {
    const { db, clock, store, presence, load, warnings } = await setUpPresence()
    const [steady, silent] = [await insertDevice(db), await insertDevice(db)]
    await presence.heartbeat(steady)
    await presence.heartbeat(silent)
    clock.move(yearMs)
    await presence.tick()
    await presence.heartbeat(steady)
    await presence.heartbeat(steady)
    await presence.stop()
    clock.move(-yearMs)
    const restarted = await load()
    expect(warnings).toContain('the clock was ahead when the server last ran, or is behind now')
    expect([steady, silent].map((key) => restarted.status(key))).toEqual(['online', 'online'])
    expect(restarted.lastSeenMs(steady)).toBe(clock.now())
    expect(await store.aliveMark()).toBe(clock.now())
    await pass(restarted, clock, windowMs)
    expect([steady, silent].map((key) => restarted.status(key))).toEqual(['offline', 'offline'])
    await restarted.heartbeat(silent)
    expect(restarted.status(silent)).toBe('online')
    expect(restarted.lastSeenMs(silent)).toBe(clock.now())
    const again = await load()
    expect(again.status(silent)).toBe('online')
    expect(warnings.filter((text) => text.includes('ahead'))).toHaveLength(1)
  })

  test('a flip in the future counts as one of now', async () => {
    const { db, clock, store, presence, load } = await setUpPresence()
    const device = await insertDevice(db)
    clock.move(yearMs)
    await presence.tick()
    await presence.heartbeat(device)
    await presence.stop()
    clock.move(-yearMs)
    await load()
    expect(await store.events(device)).toEqual([{ status: 'online', atMs: clock.now() }])
  })

  test('a clock that is a few seconds behind changes nothing', async () => {
    const { db, clock, presence, load, warnings } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    clock.move(-5000)
    const restarted = await load()
    expect(restarted.status(device)).toBe('online')
    expect(warnings).toEqual([])
  })
})

describe('outages', () => {
  test('[P5] after a stop, every device gets a whole window from the start', async () => {
    const { db, clock, presence, load } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await presence.stop()
    clock.move(24 * 3600 * 1000)
    const restarted = await load()
    expect(restarted.status(device)).toBe('online')
    await pass(restarted, clock, windowMs - 1)
    expect(restarted.status(device)).toBe('online')
    await pass(restarted, clock, 1)
    expect(restarted.status(device)).toBe('offline')
  })

  test('[P5] a deadline that passed before the stop stands, even if its flip was not recorded', async () => {
    const { db, clock, store, presence, load } = await setUpPresence()
    const device = await insertDevice(db)
    const seenMs = clock.now()
    await presence.heartbeat(device)
    clock.move(windowMs)
    await presence.stop()
    clock.move(60_000)
    const restarted = await load()
    expect(restarted.status(device)).toBe('offline')
    await restarted.tick()
    expect(await store.events(device)).toEqual([
      { status: 'online', atMs: seenMs },
      { status: 'offline', atMs: seenMs + windowMs },
    ])
  })

  test('[P5] a flip recorded before a crash stands after the next start', async () => {
    const { db, clock, presence, load } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    expect(presence.status(device)).toBe('offline')
    clock.move(500)
    const restarted = await load()
    expect(restarted.status(device)).toBe('offline')
  })

  test('[P5] an idle server marks every 10 s that it is alive', async () => {
    const { clock, store, presence } = await setUpPresence()
    await pass(presence, clock, 60_000)
    expect(await store.aliveMark()).toBe(clock.now())
  })

  test('[P5] a heartbeat after the last mark proves that the server was alive until then', async () => {
    const { db, clock, presence, load } = await setUpPresence()
    const [silent, other] = [await insertDevice(db), await insertDevice(db)]
    await presence.heartbeat(silent)
    await pass(presence, clock, windowMs - 1)
    clock.move(2)
    await presence.heartbeat(other)
    clock.move(3600 * 1000)
    const restarted = await load()
    expect(restarted.status(silent)).toBe('offline')
    expect(restarted.status(other)).toBe('online')
  })

  test('[P5] a stop waits for heartbeats under way', async () => {
    const { db, store, load } = await setUpPresence()
    const device = await insertDevice(db)
    const held = Promise.withResolvers<void>()
    const done: string[] = []
    const presence = await load({
      commitHeartbeats: async (group) => {
        await held.promise
        const atMs = await store.commitHeartbeats(group)
        done.push('heartbeat')
        return atMs
      },
    })
    const heartbeat = presence.heartbeat(device)
    const stop = async () => {
      await presence.stop()
      done.push('stop')
    }
    const stopped = stop()
    held.resolve()
    await Promise.all([heartbeat, stopped])
    expect(done).toEqual(['heartbeat', 'stop'])
  })

  test('[P5] no device goes offline while storage is cut off, and all get a window afterwards', async () => {
    const { db, clock, store, load } = await setUpPresence()
    const [silent, other] = [await insertDevice(db), await insertDevice(db)]
    let isCut = false
    const unlessCut =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      (...args: Args) =>
        isCut ? Promise.reject(new StorageUnavailable('gone')) : call(...args)
    const presence = await load({
      commitHeartbeats: unlessCut(store.commitHeartbeats),
      markAlive: unlessCut(store.markAlive),
      recordOffline: unlessCut(store.recordOffline),
      recordOutage: unlessCut(store.recordOutage),
    })
    await presence.heartbeat(silent)
    await pass(presence, clock, 1000)
    isCut = true
    await expect(presence.heartbeat(other)).rejects.toThrow(StorageUnavailable)
    for (let ticks = 0; ticks < 400; ticks += 1) {
      clock.move(tickMs)
      await expect(presence.tick()).rejects.toThrow(StorageUnavailable)
    }
    expect(presence.status(silent)).toBe('online')
    isCut = false
    await presence.heartbeat(other)
    await pass(presence, clock, windowMs - 1)
    expect(presence.status(silent)).toBe('online')
    await pass(presence, clock, 1)
    expect(presence.status(silent)).toBe('offline')
  })

  test('[P5] a machine that slept counts its sleep as an outage', async () => {
    const { db, clock, presence } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, 10_000)
    clock.move(8 * 3600 * 1000)
    await presence.tick()
    expect(presence.status(device)).toBe('online')
  })

  test('[P5] outages are forgotten after a window without a new one', async () => {
    const { clock, store, presence, load } = await setUpPresence()
    await presence.stop()
    clock.move(60_000)
    const restarted = await load()
    expect(await store.outages()).toHaveLength(1)
    await pass(restarted, clock, windowMs)
    expect(await store.outages()).toEqual([])
  })
})

/** A device on record as offline with the usual window, loaded with a window twice as long. */
async function setUpBroughtBack() {
  const { db, clock, store, presence, flips, load } = await setUpPresence()
  const device = await insertDevice(db)
  const seenMs = clock.now()
  await presence.heartbeat(device)
  await pass(presence, clock, windowMs)
  await presence.stop()
  const restarted = await load({}, 2 * windowMs)
  flips.length = 0
  const wentOffline = [
    { status: 'online', atMs: seenMs },
    { status: 'offline', atMs: seenMs + windowMs },
  ]
  return { clock, store, presence: restarted, flips, device, wentOffline }
}

describe('[P1] a device that a longer window brings back', () => {
  test('is online, and recorded as online with its next heartbeat', async () => {
    const { clock, store, presence, flips, device, wentOffline } = await setUpBroughtBack()
    expect(presence.status(device)).toBe('online')
    await pass(presence, clock, 1000)
    const heartbeatMs = clock.now()
    await presence.heartbeat(device)
    await presence.heartbeat(device)
    await pass(presence, clock, 2 * windowMs)
    expect(await store.events(device)).toEqual([
      ...wentOffline,
      { status: 'online', atMs: heartbeatMs },
      { status: 'offline', atMs: heartbeatMs + 2 * windowMs },
    ])
    expect(flips).toEqual([
      ['online', device],
      ['offline', device],
    ])
  })

  test('leaves no event if it stays silent', async () => {
    const { clock, store, presence, flips, device, wentOffline } = await setUpBroughtBack()
    await pass(presence, clock, windowMs)
    expect(presence.status(device)).toBe('offline')
    expect(await store.events(device)).toEqual(wentOffline)
    expect(flips).toEqual([['offline', device]])
  })
})
