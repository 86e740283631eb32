import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { insertDevice } from '../../test/factories.ts'
import { movableClock, type MovableClock } from '../../test/movable-clock.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import type { PresenceStore } from './presence-store.ts'
import { Presence, tickMs } from './presence.ts'
import { sqlitePresenceStore } from './sqlite-presence-store.ts'

const windowMs = 300_000

async function setUp() {
  const { db } = await openTestStorage()
  const clock = movableClock()
  const store = sqlitePresenceStore(db)
  const changes: number[][] = []
  const load = (overrides: Partial<PresenceStore> = {}, window = windowMs) =>
    Presence.load({
      store: { ...store, ...overrides },
      clock: clock.now,
      windowMs: window,
      onChange: (keys) => changes.push([...keys]),
    })
  return { db, clock, store, changes, load, presence: await load() }
}

/** Lets time pass as it does for a server that ticks. */
async function pass(presence: Presence, clock: MovableClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += tickMs) {
    clock.move(Math.min(tickMs, ms - passed))
    await presence.tick()
  }
}

describe('a device', () => {
  test('[P1] is unknown, then online with its first heartbeat, then offline at its deadline', async () => {
    const { db, clock, presence, changes } = await setUp()
    const device = await insertDevice(db)
    expect(presence.status(device)).toBe('unknown')
    await presence.heartbeat(device)
    expect(presence.status(device)).toBe('online')
    await pass(presence, clock, windowMs - 1)
    expect(presence.status(device)).toBe('online')
    await pass(presence, clock, 1)
    expect(presence.status(device)).toBe('offline')
    expect(changes).toEqual([[device], [device]])
  })

  test('[P2] a flip is recorded at the deadline, not at the time of the sweep', async () => {
    const { db, clock, store, presence } = await setUp()
    const device = await insertDevice(db)
    const seenMs = clock.now()
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs - 1)
    clock.move(5000)
    await presence.tick()
    expect(await store.events(device)).toEqual([
      { status: 'online', atMs: seenMs },
      { status: 'offline', atMs: seenMs + windowMs },
    ])
  })

  test('[P2] a clock that is set back does not bring anybody back', async () => {
    const { db, clock, presence } = await setUp()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    clock.move(-windowMs)
    expect(presence.status(device)).toBe('offline')
  })

  test('[P3] a heartbeat that storage refused is not shown as received', async () => {
    const { db, load } = await setUp()
    const device = await insertDevice(db)
    const presence = await load({
      commitHeartbeats: () => Promise.reject(new StorageUnavailable('disk full')),
    })
    await expect(presence.heartbeat(device)).rejects.toThrow(StorageUnavailable)
    expect(presence.status(device)).toBe('unknown')
    expect(presence.lastSeenMs(device)).toBeNull()
  })

  test('[P4] events are written on transitions alone', async () => {
    const { db, clock, store, presence } = await setUp()
    const device = await insertDevice(db)
    for (let beats = 0; beats < 5; beats += 1) {
      await presence.heartbeat(device)
      await pass(presence, clock, 2000)
    }
    expect(await store.events(device)).toHaveLength(1)
  })

  test('is forgotten when it is deleted', async () => {
    const { db, presence } = await setUp()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    presence.forget(device)
    expect(presence.status(device)).toBe('unknown')
  })
})

describe('outages', () => {
  test('[P5] after a stop every device gets a whole window from the start', async () => {
    const { db, clock, presence, load } = await setUp()
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

  test('[P5] a deadline that passed before the stop stands, also when its flip was not recorded', async () => {
    const { db, clock, store, presence, load } = await setUp()
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

  test('[P5] a flip that was recorded before a crash is not taken back by the next start', async () => {
    const { db, clock, presence, load } = await setUp()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    expect(presence.status(device)).toBe('offline')
    clock.move(500)
    const restarted = await load()
    expect(restarted.status(device)).toBe('offline')
  })

  test('[P5] a server that has nothing to write marks every 10 s that it is alive', async () => {
    const { clock, store, presence } = await setUp()
    await pass(presence, clock, 60_000)
    expect(await store.aliveMark()).toBe(clock.now())
  })

  test('[P5] a heartbeat after the last mark proves that the server was alive until then', async () => {
    const { db, clock, presence, load } = await setUp()
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

  test('[P5] a stop waits for the heartbeats under way', async () => {
    const { db, store, load } = await setUp()
    const device = await insertDevice(db)
    const held = Promise.withResolvers<void>()
    const done: string[] = []
    const presence = await load({
      commitHeartbeats: async (group) => {
        await held.promise
        await store.commitHeartbeats(group)
        done.push('heartbeat')
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

  test('[P5] nobody goes offline while the storage is cut off, and all get a window after it', async () => {
    const { db, clock, store, load } = await setUp()
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
    const { db, clock, presence } = await setUp()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, 10_000)
    clock.move(8 * 3600 * 1000)
    await presence.tick()
    expect(presence.status(device)).toBe('online')
  })

  test('[P5] outages are forgotten after a window without another', async () => {
    const { clock, store, presence, load } = await setUp()
    await presence.stop()
    clock.move(60_000)
    const restarted = await load()
    expect(await store.outages()).toHaveLength(1)
    await pass(restarted, clock, windowMs)
    expect(await store.outages()).toEqual([])
  })
})

describe('a sweep', () => {
  test('[P6] a heartbeat that another server committed meanwhile is not overruled', async () => {
    const { db, clock, store, presence } = await setUp()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs - 1)
    await store.commitHeartbeats({ atMs: clock.now(), stayed: [device], cameOnline: [] })
    await pass(presence, clock, 1)
    expect(presence.status(device)).toBe('online')
    expect(await store.events(device)).toHaveLength(1)
  })

  test('[P6] a heartbeat that waits for its commit at the deadline is not overruled', async () => {
    const { db, clock, store, load } = await setUp()
    const [device, other] = [await insertDevice(db), await insertDevice(db)]
    const held = Promise.withResolvers<void>()
    let commits = 0
    const presence = await load({
      commitHeartbeats: async (group) => {
        commits += 1
        if (commits === 2) await held.promise
        await store.commitHeartbeats(group)
      },
    })
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs - 1)
    const others = presence.heartbeat(other)
    const second = presence.heartbeat(device)
    clock.move(1)
    const tick = presence.tick()
    held.resolve()
    await Promise.all([others, second, tick])
    expect(presence.status(device)).toBe('online')
    expect(await store.events(device)).toHaveLength(1)
  })

  test('[P6] a heartbeat that comes while its device is flipped brings it back, and is told', async () => {
    const { db, clock, store, load, changes } = await setUp()
    const device = await insertDevice(db)
    let duringFlip: Promise<void> | undefined
    const presence = await load({
      recordOffline: (...flip) => {
        duringFlip ??= presence.heartbeat(device)
        return store.recordOffline(...flip)
      },
    })
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    await duringFlip
    expect(presence.status(device)).toBe('online')
    expect(changes).toEqual([[device], [device], [device]])
    const events = await store.events(device)
    expect(events.map((event) => event.status)).toEqual(['online', 'offline', 'online'])
  })

  test('a device that is gone from storage is forgotten', async () => {
    const { db, clock, presence } = await setUp()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await db.deleteFrom('devices').where('key', '=', device).execute()
    await pass(presence, clock, windowMs)
    expect(presence.status(device)).toBe('unknown')
  })

  test('a longer window after a restart brings devices back, and they flip when it is over', async () => {
    const { db, clock, presence, load, changes } = await setUp()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    await presence.stop()
    const restarted = await load({}, windowMs * 2)
    expect(restarted.status(device)).toBe('online')
    changes.length = 0
    await pass(restarted, clock, windowMs)
    expect(restarted.status(device)).toBe('offline')
    expect(changes).toEqual([[device]])
  })
})

test(
  '[P1] [P2] heartbeats, silences and restarts in any order agree with the rule',
  { timeout: 60_000 },
  async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('beat' as const), who: fc.nat(3) }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ticks: fc.nat(12) }) },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('restart' as const), downMs: fc.nat(9000) }),
      },
    )
    const shortWindowMs = 5000
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { db, clock, store, load } = await setUp()
        const devices = [
          await insertDevice(db),
          await insertDevice(db),
          await insertDevice(db),
          await insertDevice(db),
        ]
        let presence = await load({}, shortWindowMs)
        // The model: when each device is due, moved by every restart that it lived through.
        const dueMs = new Map<number, number>()
        for (const action of steps) {
          if (action.do === 'beat') {
            const device = devices[action.who] ?? 0
            await presence.heartbeat(device)
            dueMs.set(device, clock.now() + shortWindowMs)
          } else if (action.do === 'pass') {
            await pass(presence, clock, action.ticks * tickMs)
          } else {
            const stoppedMs = clock.now()
            await presence.stop()
            clock.move(action.downMs)
            presence = await load({}, shortWindowMs)
            for (const [device, due] of dueMs) {
              if (due > stoppedMs && action.downMs > 0)
                dueMs.set(device, clock.now() + shortWindowMs)
            }
          }
          for (const device of devices) {
            const due = dueMs.get(device)
            const expected =
              due === undefined ? 'unknown' : clock.now() < due ? 'online' : 'offline'
            expect(presence.status(device)).toBe(expected)
          }
        }
        await presence.tick()
        for (const device of devices) {
          const last = (await store.events(device)).at(-1)?.status ?? 'unknown'
          expect(last).toBe(presence.status(device))
        }
      }),
      { numRuns: 40 },
    )
  },
)
