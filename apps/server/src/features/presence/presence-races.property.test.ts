import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Status } from '@astropelago/contract/devices'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { propertyRuns } from '../../test/property-runs.ts'
import type { FlipListener } from './presence-store.ts'
import { Presence } from './presence.ts'
import { presenceStore } from './presence-feature.ts'

const windowMs = 5000
const deviceCount = 4

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('beat' as const), who: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(6000) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('turn' as const), turns: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), who: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

/** A server with many calls under way at once, as with requests and timers. */
async function setUp() {
  const storage = await openTestStorage()
  const { db } = storage
  const clock = movableClock()
  const notes = new Map<number, Status[]>()
  const noteFlips: FlipListener = (keys, status) => {
    for (const key of keys) notes.set(key, [...(notes.get(key) ?? []), status])
  }
  const load = async () => {
    const store = presenceStore(storage, { foldSize: 2, rest: () => Promise.resolve() })
    const presence = await Presence.load({
      store,
      clock: clock.now,
      windowMs,
      log: { warn: () => undefined },
    })
    presence.listen(noteFlips)
    return { store, presence }
  }
  const devices: number[] = []
  while (devices.length < deviceCount) devices.push(await insertDevice(db))
  return { db, clock, notes, load, devices }
}

/** Lets some of the calls under way proceed, but not all. */
async function letHappen(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn()
}

test(
  '[P3] [P4] [P6] heartbeats, sweeps, folds, deletions and restarts at once keep every promise',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
        const { db, clock, notes, load, devices } = await setUp()
        let { store, presence } = await load()
        const acknowledgedMs = new Map<number, number>()
        const deleted = new Set<number>()
        let underWay: Promise<unknown>[] = []
        let lastTick: Promise<void> = Promise.resolve()
        const beat = async (device: number) => {
          const sentMs = clock.now()
          await presence.heartbeat(device)
          acknowledgedMs.set(device, Math.max(sentMs, acknowledgedMs.get(device) ?? 0))
        }
        const tick = async (before: Promise<void>) => {
          await before
          await presence.tick()
        }
        const remove = async (device: number) => {
          deleted.add(device)
          await db.deleteFrom('devices').where('key', '=', device).execute()
          presence.forget(device)
        }
        const settle = async () => {
          await Promise.all([...underWay, lastTick])
          underWay = []
        }

        for (const action of steps) {
          const device = 'who' in action ? (devices[action.who] ?? 0) : 0
          if (action.do === 'beat' && !deleted.has(device)) underWay.push(beat(device))
          else if (action.do === 'pass') clock.move(action.ms)
          else if (action.do === 'tick') lastTick = tick(lastTick)
          else if (action.do === 'fold') underWay.push(store.fold())
          else if (action.do === 'delete') underWay.push(remove(device))
          else if (action.do === 'turn') await letHappen(action.turns)
          else if (action.do === 'settle') await settle()
          else if (action.do === 'restart') {
            // Like kill -9: everything acknowledged must be there, and nothing is tidied up.
            await settle()
            ;({ store, presence } = await load())
          }
        }
        await settle()
        await presence.tick()

        const reloaded = await load()
        const goneStatuses = [...deleted].map((device) => reloaded.presence.status(device))
        expect(goneStatuses.filter((status) => status !== 'unknown')).toEqual([])
        for (const device of devices.filter((one) => !deleted.has(one))) {
          const atLeastMs = acknowledgedMs.get(device)
          const lastSeenMs = presence.lastSeenMs(device)
          expect(lastSeenMs === null).toBe(atLeastMs === undefined)
          expect(lastSeenMs ?? 0).toBeGreaterThanOrEqual(atLeastMs ?? 0)
          expect(reloaded.presence.lastSeenMs(device)).toBe(lastSeenMs)

          const flips = (await store.events(device)).map((event) => event.status)
          expect(flips).toEqual(flips.map((_, i) => (i % 2 === 0 ? 'online' : 'offline')))
          expect(flips.at(-1) ?? 'unknown').toBe(presence.status(device))
          expect(notes.get(device) ?? []).toEqual(flips)
        }
      }),
      // A shorter case may not race again, so shrinking would take all the time.
      { numRuns: propertyRuns(10), endOnFailure: true },
    )
  },
)
