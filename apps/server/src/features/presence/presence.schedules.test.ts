import { describe, expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { pass, setUpPresence, windowMs } from './testing/set-up-presence.ts'

const schedule = (periodS: number, graceS = 0) =>
  JSON.stringify({ kind: 'period', periodS, graceS })
const minuteMs = 60_000

async function setUp() {
  const parts = await setUpPresence()
  const { db, presence } = parts
  /** A device that has a schedule on record, as the devices' store writes it. */
  const insertScheduled = async (own: string) => {
    const device = await insertDevice(db)
    await db.updateTable('devices').set({ schedule: own }).where('key', '=', device).execute()
    await presence.setSchedule(device, own)
    return device
  }
  return { ...parts, insertScheduled }
}

describe('[P11] a device with a schedule of its own', () => {
  test('goes offline at its deadline, whether that is before or after the window', async () => {
    const { clock, store, presence, insertScheduled, flips } = await setUp()
    const [often, rarely] = [
      await insertScheduled(schedule(60)),
      await insertScheduled(schedule(600)),
    ]
    const seenMs = clock.now()
    await Promise.all([presence.heartbeat(often), presence.heartbeat(rarely)])
    await pass(presence, clock, minuteMs)
    expect(presence.count()).toEqual({ online: 1, offline: 1 })
    await pass(presence, clock, windowMs)
    expect([presence.status(often), presence.status(rarely)]).toEqual(['offline', 'online'])
    await presence.heartbeat(often)
    expect(presence.status(often)).toBe('online')
    await pass(presence, clock, 10 * minuteMs)
    const atMs = seenMs + 10 * minuteMs
    expect(await store.events(rarely)).toEqual([
      { status: 'online', atMs: seenMs },
      { status: 'offline', atMs },
    ])
    expect((await store.events(often)).map((event) => event.atMs - seenMs)).toEqual([
      0,
      minuteMs,
      windowMs + minuteMs,
      windowMs + 2 * minuteMs,
    ])
    expect(flips.map(([status]) => status)).toEqual([
      'online',
      'offline',
      'online',
      'offline',
      'offline',
    ])
  })

  test('is expected when its schedule says, as long as it is online', async () => {
    const { clock, presence, insertScheduled, db } = await setUp()
    const device = await insertScheduled(schedule(60, 30))
    expect(presence.expectedMs(device)).toBeNull()
    await presence.heartbeat(device)
    expect(presence.expectedMs(device)).toBe(clock.now() + minuteMs)
    await pass(presence, clock, 90_000)
    expect(presence.expectedMs(device)).toBeNull()
    const plain = await insertDevice(db)
    await presence.heartbeat(plain)
    expect(presence.expectedMs(plain)).toBeNull()
  })

  test('has it after a restart, and [P5] gets its period and grace from then', async () => {
    const { clock, presence, load, insertScheduled } = await setUp()
    const device = await insertScheduled(schedule(600, 60))
    await presence.heartbeat(device)
    await pass(presence, clock, 5 * minuteMs)
    clock.move(20 * minuteMs)
    const restarted = await load()
    await pass(restarted, clock, 11 * minuteMs - 1)
    expect(restarted.status(device)).toBe('online')
    await pass(restarted, clock, 1)
    expect(restarted.status(device)).toBe('offline')
  })

  test('[P5] an outage counts for it however long ago it was, even after another restart', async () => {
    const { clock, presence, load, store, insertScheduled, db } = await setUp()
    const [device, plain] = [await insertScheduled(schedule(3600)), await insertDevice(db)]
    await Promise.all([presence.heartbeat(device), presence.heartbeat(plain)])
    clock.move(20 * minuteMs)
    const restarted = await load()
    const startMs = clock.now()
    await pass(restarted, clock, 2 * windowMs)
    expect(restarted.status(plain)).toBe('offline')
    expect(await store.outages()).toHaveLength(1)
    await restarted.stop()
    const again = await load()
    await pass(again, clock, startMs + 3_600_000 - 1000 - clock.now())
    expect(again.status(device)).toBe('online')
    await pass(again, clock, 1000)
    expect(again.status(device)).toBe('offline')
    await pass(again, clock, minuteMs)
    expect(await store.outages()).toEqual([])
  })

  test('[P6] stays due when recording its flip fails', async () => {
    const { clock, store, load, insertScheduled } = await setUp()
    const device = await insertScheduled(schedule(60))
    let failures = 0
    const presence = await load({
      recordOffline: (...flips) => {
        failures += 1
        return failures === 1 ? Promise.reject(new Error('no')) : store.recordOffline(...flips)
      },
    })
    await presence.heartbeat(device)
    await pass(presence, clock, 59_000)
    clock.move(1000)
    await expect(presence.tick()).rejects.toThrow('no')
    await presence.tick()
    expect(await store.events(device)).toHaveLength(2)
  })
})

describe('[P13] a change of schedule', () => {
  test('judges the time since the last heartbeat anew, and a stricter one flips at its deadline', async () => {
    const { clock, store, presence, insertScheduled } = await setUp()
    const device = await insertScheduled(schedule(3600))
    const seenMs = clock.now()
    await presence.heartbeat(device)
    await pass(presence, clock, 10 * minuteMs)
    await presence.setSchedule(device, schedule(60))
    expect(presence.status(device)).toBe('offline')
    await pass(presence, clock, 1000)
    expect((await store.events(device)).at(-1)).toEqual({
      status: 'offline',
      atMs: seenMs + minuteMs,
    })
  })

  test('to one with more patience brings a device back, which its next heartbeat records', async () => {
    const { clock, store, presence, insertScheduled, flips } = await setUp()
    const device = await insertScheduled(schedule(60))
    await presence.heartbeat(device)
    await pass(presence, clock, minuteMs)
    flips.length = 0
    await presence.setSchedule(device, schedule(600))
    expect(presence.status(device)).toBe('online')
    expect(flips).toEqual([['online', device]])
    expect(presence.count()).toEqual({ online: 1, offline: 0 })
    await presence.heartbeat(device)
    expect((await store.events(device)).map(({ status }) => status)).toEqual([
      'online',
      'offline',
      'online',
    ])
    await pass(presence, clock, 600_000)
    expect(presence.status(device)).toBe('offline')
  })

  test('to none gives a device the window again', async () => {
    const { clock, store, presence, insertScheduled } = await setUp()
    const [device, late] = [
      await insertScheduled(schedule(3600)),
      await insertScheduled(schedule(60)),
    ]
    const seenMs = clock.now()
    await Promise.all([presence.heartbeat(device), presence.heartbeat(late)])
    await pass(presence, clock, windowMs - 1000)
    await presence.setSchedule(device, null)
    await presence.setSchedule(late, null)
    expect([presence.status(device), presence.status(late)]).toEqual(['online', 'online'])
    await pass(presence, clock, 1000)
    expect([presence.status(device), presence.status(late)]).toEqual(['offline', 'offline'])
    expect((await store.events(device)).at(-1)?.atMs).toBe(seenMs + windowMs)
  })

  test('of a device that never reported, or was deleted, changes nothing', async () => {
    const { db, clock, presence, insertScheduled } = await setUp()
    const device = await insertScheduled(schedule(60))
    expect(presence.status(device)).toBe('unknown')
    await presence.heartbeat(device)
    await db.deleteFrom('devices').where('key', '=', device).execute()
    presence.forget(device)
    await pass(presence, clock, 2 * minuteMs)
    expect(presence.status(device)).toBe('unknown')
    expect(presence.isScheduled(device)).toBe(false)
  })
})
