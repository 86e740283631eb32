import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { insertDevice } from '../../test/factories.ts'
import { tickMs } from './presence.ts'
import { pass, setUpPresence, windowMs } from './testing/set-up-presence.ts'

describe('a device', () => {
  test('[P1] is unknown, then online with its first heartbeat, then offline at its deadline', async () => {
    const { db, clock, presence, flips } = await setUpPresence()
    const device = await insertDevice(db)
    expect(presence.status(device)).toBe('unknown')
    await presence.heartbeat(device)
    expect(presence.status(device)).toBe('online')
    await pass(presence, clock, windowMs - 1)
    expect(presence.status(device)).toBe('online')
    await pass(presence, clock, 1)
    expect(presence.status(device)).toBe('offline')
    expect(flips).toEqual([
      ['online', device],
      ['offline', device],
    ])
  })

  test('[P2] has its status since its last flip, even before the sweep', async () => {
    const { db, clock, presence } = await setUpPresence()
    const device = await insertDevice(db)
    expect(await presence.statusSince(device)).toEqual({ status: 'unknown', sinceMs: null })
    const seenMs = clock.now()
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs - 1)
    expect(await presence.statusSince(device)).toEqual({ status: 'online', sinceMs: seenMs })
    clock.move(5000)
    const offline = { status: 'offline', sinceMs: seenMs + windowMs }
    expect(await presence.statusSince(device)).toEqual(offline)
    await presence.tick()
    expect(await presence.statusSince(device)).toEqual(offline)
  })

  test('has its status since an unknown time when its flip is no longer on record', async () => {
    const { db, presence } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await db.deleteFrom('presence_events').execute()
    expect(await presence.statusSince(device)).toEqual({ status: 'online', sinceMs: null })
  })

  test('[P2] a flip is recorded at the deadline, not at the time of the sweep', async () => {
    const { db, clock, store, presence } = await setUpPresence()
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

  test('[P2] a clock that is set back brings no device back', async () => {
    const { db, clock, presence } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    await pass(presence, clock, windowMs)
    clock.move(-windowMs)
    expect(presence.status(device)).toBe('offline')
  })

  test('[P3] a heartbeat that storage refused does not count as received', async () => {
    const { db, load } = await setUpPresence()
    const device = await insertDevice(db)
    const presence = await load({
      commitHeartbeats: () => Promise.reject(new StorageUnavailable('disk full')),
    })
    await expect(presence.heartbeat(device)).rejects.toThrow(StorageUnavailable)
    expect(presence.status(device)).toBe('unknown')
    expect(presence.lastSeenMs(device)).toBeNull()
  })

  test('[P4] only transitions write events', async () => {
    const { db, clock, store, presence } = await setUpPresence()
    const device = await insertDevice(db)
    for (let beats = 0; beats < 5; beats += 1) {
      await presence.heartbeat(device)
      await pass(presence, clock, 2000)
    }
    expect(await store.events(device)).toHaveLength(1)
  })

  test('is forgotten once deleted', async () => {
    const { db, presence } = await setUpPresence()
    const device = await insertDevice(db)
    await presence.heartbeat(device)
    presence.forget(device)
    expect(presence.status(device)).toBe('unknown')
  })
})

test(
  '[P1] [P2] heartbeats, silences and restarts in any order follow the rule',
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
        const { db, clock, store, load } = await setUpPresence()
        const devices = [
          await insertDevice(db),
          await insertDevice(db),
          await insertDevice(db),
          await insertDevice(db),
        ]
        let presence = await load({}, shortWindowMs)
        // The model: the deadline of each device, moved by every restart.
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
