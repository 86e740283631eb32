import { describe, expect, test } from 'vitest'
import { dayMs } from '../../history/time-spans.ts'
import { TotalReached } from '../../storage/storage-error.ts'
import { newestPosition } from '../../page-position.ts'
import type {
  CheckEvent,
  CheckRecord,
  CheckState,
  ChecksStore,
  FoundCheck,
  NewCheck,
} from './checks-store.ts'

export interface ChecksStoreHarness {
  /** With room for four checks. */
  readonly store: ChecksStore
  readonly insertUser: () => Promise<number>
  readonly insertIsland: (hostKey: number) => Promise<{ readonly key: number; readonly id: string }>
  readonly deleteIsland: (hostKey: number, id: string) => Promise<void>
  readonly insertDevice: (userKey: number) => Promise<{ readonly key: number; readonly id: string }>
  readonly deleteDevice: (key: number) => Promise<void>
  readonly deleteUser: (userKey: number) => Promise<void>
  readonly setDisabled: (userKey: number, isDisabled: boolean) => Promise<void>
  /** What was recorded in the change log since the last call. */
  readonly takeChanges: () => readonly (readonly [
    topic: 'checks' | 'check-looks' | 'island-checks',
    keys: readonly number[],
  ])[]
}

const target: CheckRecord['target'] = {
  kind: 'tcp',
  host: 'a.example',
  port: 22,
  periodS: 60,
  timeoutS: 10,
}
const roomy = { perUser: 10 }
let made = 0

const stateOf = (status: CheckState['status'], sinceMs: number): CheckState => ({
  status,
  sinceMs,
  lookedMs: sinceMs + 1,
  startedMs: null,
  dueMs: null,
  tookMs: 12,
  failures: 0,
  note: null,
})
const finding = (
  { key }: Pick<CheckRecord, 'key'>,
  kind: CheckEvent['kind'],
  atMs: number,
  other: Partial<FoundCheck> = {},
): FoundCheck => ({
  checkKey: key,
  state: stateOf(kind, atMs),
  event: { atMs, kind, note: null },
  samples: [],
  ...other,
})

const samplesOf = (tooks: readonly (number | null)[], startMs = 0, locationKey = 0) =>
  tooks.map((tookMs, at) => ({ locationKey, atMs: startMs + at, tookMs }))

const times = (list: readonly CheckEvent[]) => list.map(({ atMs }) => atMs)

/** What every store of checks must do. */
export function checksStoreContract(open: () => Promise<ChecksStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store } = harness
    const userKey = await harness.insertUser()
    const insert = async (other: Partial<NewCheck> = {}, limits = roomy) => {
      made += 1
      const inserted = await store.insert(
        {
          id: `check-${made}`,
          userKey,
          name: 'Door',
          target,
          publicMs: null,
          isPaused: false,
          islandKey: null,
          deviceId: null,
          pushHash: null,
          sourceId: null,
          createdMs: 5,
          ...other,
        },
        limits,
      )
      if (inserted === 'check_limit') throw new Error(inserted)
      return inserted
    }
    const events = (key: number, sinceMs = 0) => store.readEvents(key, sinceMs)
    return { ...harness, userKey, insert, events }
  }

  describe('checks', () => {
    test('are found by id and by the hash of their secret, and listed by name', async () => {
      const { store, insert, userKey, insertUser, insertIsland } = await setUp()
      const island = await insertIsland(userKey)
      const pushHash = new Uint8Array(32).fill(7)
      const push = { kind: 'push', periodS: 60, graceS: 30 } as const
      const one = await insert({ name: 'b', publicMs: 9, islandKey: island.key })
      const other = await insert({ name: 'a', target: push, pushHash, isPaused: true })
      await insert({ userKey: await insertUser() })
      expect(one).toMatchObject({ name: 'b', target, publicMs: 9, island, state: null })
      expect(await store.find(one.id)).toEqual(one)
      expect(await store.find('none')).toBeUndefined()
      expect(await store.findByPush(pushHash)).toEqual(other)
      expect(await store.findByPush(new Uint8Array(32))).toBeUndefined()
      expect(other).toMatchObject({ target: push, isPaused: true, publicMs: null, island: null })
      expect(await store.list(userKey)).toEqual([other, one])
      expect(await store.count(userKey)).toBe(2)
      expect(await store.read([one.key, 999_999])).toEqual([one])
      const all: CheckRecord[] = []
      for await (const page of store.loadAll()) all.push(...page)
      expect(all).toHaveLength(3)
    })

    test('a user has at most so many, and all users together too, even at once', async () => {
      const { store, insert, insertUser, userKey } = await setUp()
      const two = { perUser: 2 }
      const tries = await Promise.allSettled([1, 2, 3].map(() => insert({}, two)))
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      const others = [await insertUser(), await insertUser(), await insertUser()]
      const more = await Promise.allSettled(others.map((key) => insert({ userKey: key })))
      const failed = more.flatMap((one) =>
        one.status === 'rejected' ? [one.reason as unknown] : [],
      )
      expect(failed).toEqual([expect.any(TotalReached)])
      const [first] = await store.list(userKey)
      await store.delete(first?.key ?? 0)
      expect(await insert({}, two)).toMatchObject({ userKey })
    })

    test('what changes is what was named', async () => {
      const { store, insert, insertIsland, userKey } = await setUp()
      const island = await insertIsland(userKey)
      const check = await insert({ publicMs: 3 })
      const pushHash = new Uint8Array(32).fill(3)
      await store.update(check.key, { name: 'Gate', islandKey: island.key, pushHash }, 50)
      expect(await store.findByPush(pushHash)).toEqual({ ...check, name: 'Gate', island })
      const changed = { ...target, port: 80 }
      await store.update(check.key, { target: changed, publicMs: null, islandKey: null }, 51)
      expect(await store.find(check.id)).toMatchObject({
        name: 'Gate',
        target: changed,
        publicMs: null,
        island: null,
      })
      await store.update(999_999, { name: 'Nobody' }, 52)
    })

    test('an operator hides one, whoever it is of, and the first time counts', async () => {
      const { store, insert, userKey } = await setUp()
      const check = await insert({ publicMs: 3 })
      expect(check.hidden).toBeNull()
      expect(await store.setHidden('none', { atMs: 5, reason: 'Spam' })).toBe(false)
      expect(await store.setHidden(check.id, { atMs: 5, reason: 'Spam' })).toBe(true)
      await store.setHidden(check.id, { atMs: 9, reason: 'Rude' })
      const hidden = { ...check, hidden: { atMs: 5, reason: 'Rude' } }
      expect(await store.list(userKey)).toEqual([hidden])
      expect(await store.readById([check.id, 'none'])).toEqual([
        { check: hidden, username: expect.any(String) },
      ])
      await store.setHidden(check.id, null)
      expect(await store.find(check.id)).toEqual(check)
    })

    test('[C17] a device looks for its owner alone, and nobody in its place once it is deleted', async () => {
      const { store, insert, userKey, insertUser, insertIsland, insertDevice, deleteDevice } =
        await setUp()
      const device = await insertDevice(userKey)
      const check = await insert({ deviceId: device.id })
      const { key: islandKey } = await insertIsland(userKey)
      await expect(store.update(check.key, { islandKey }, 49)).rejects.toThrow(/constraint/i)
      expect(check.device).toEqual(device)
      const other = await insertDevice(await insertUser())
      await store.update(check.key, { deviceId: other.id }, 50)
      expect((await store.find(check.id))?.device).toEqual({ key: null, id: other.id })
      await store.update(check.key, { deviceId: device.id }, 51)
      await deleteDevice(device.key)
      expect((await store.find(check.id))?.device).toEqual({ key: null, id: device.id })
      await expect(store.update(check.key, { publicMs: 1 }, 52)).rejects.toThrow(/constraint/i)
      await store.update(check.key, { deviceId: null, publicMs: 1 }, 53)
      expect(await store.find(check.id)).toMatchObject({ device: null, publicMs: 1 })
    })

    test('one that is paused is unobserved until somebody looks again', async () => {
      const { store, insert, events } = await setUp()
      const check = await insert()
      await store.record([
        finding(check, 'down', 10, {
          state: { ...stateOf('down', 10), failures: 3, startedMs: 9, dueMs: 99, note: 'gone' },
        }),
      ])
      await store.update(check.key, { isPaused: true }, 20)
      await store.update(check.key, { isPaused: true }, 25)
      // This look was under way.
      await store.record([
        finding(check, 'up', 21, { samples: [{ locationKey: 0, atMs: 21, tookMs: 1 }] }),
      ])
      const unobserved = {
        ...stateOf('unobserved', 20),
        lookedMs: 11,
        failures: 0,
        note: null,
      }
      expect((await store.find(check.id))?.state).toEqual(unobserved)
      await store.update(check.key, { isPaused: false }, 30)
      expect(await store.find(check.id)).toMatchObject({ isPaused: false, state: unobserved })
      await store.record([finding(check, 'up', 31)])
      expect((await events(check.key)).map(({ atMs, kind }) => [atMs, kind])).toEqual([
        [10, 'down'],
        [20, 'unobserved'],
        [31, 'up'],
      ])
      expect(await store.readSamples(check.key, 0)).toEqual([])
    })

    test('those of a disabled user are as if they were gone', async () => {
      const { store, insert, userKey, setDisabled, takeChanges } = await setUp()
      const pushHash = new Uint8Array(32).fill(9)
      const check = await insert({ pushHash })
      takeChanges()
      await setDisabled(userKey, true)
      expect(takeChanges()).toEqual([['checks', [check.key]]])
      expect(await store.find(check.id)).toBeUndefined()
      expect(await store.findByPush(pushHash)).toBeUndefined()
      expect(await store.read([check.key])).toEqual([])
      await setDisabled(userKey, false)
      expect(takeChanges()).toEqual([['checks', [check.key]]])
      expect(await store.find(check.id)).toEqual(check)
    })
  })

  describe('the change log', () => {
    test('has each check that is made, changed, deleted or found otherwise, and islands whose check may say something else', async () => {
      const { store, insert, insertIsland, userKey, takeChanges } = await setUp()
      const [one, other] = [await insertIsland(userKey), await insertIsland(userKey)]
      takeChanges()
      const check = await insert({ islandKey: one.key })
      expect(takeChanges()).toEqual([['checks', [check.key]]])
      await store.update(check.key, { name: 'Gate' }, 1)
      expect(takeChanges()).toEqual([['checks', [check.key]]])
      await store.update(check.key, { islandKey: other.key }, 2)
      expect(takeChanges()).toEqual([
        ['checks', [check.key]],
        ['island-checks', [one.key, other.key]],
      ])
      await store.record([finding(check, 'down', 3)])
      expect(takeChanges()).toEqual([
        ['checks', [check.key]],
        ['island-checks', [other.key]],
      ])
      await store.record([{ ...finding(check, 'down', 3), event: null }])
      expect(takeChanges()).toEqual([])
      await store.update(check.key, { isPaused: true }, 4)
      expect(takeChanges()).toEqual([
        ['checks', [check.key]],
        ['island-checks', [other.key]],
      ])
      await store.delete(check.key)
      expect(takeChanges()).toEqual([
        ['checks', [check.key]],
        ['island-checks', [other.key]],
      ])
    })

    test('has the checks of an island or a user that is deleted', async () => {
      const { store, insert, insertIsland, userKey, ...harness } = await setUp()
      const island = await insertIsland(userKey)
      const check = await insert({ islandKey: island.key })
      const other = await insert()
      harness.takeChanges()
      await harness.deleteIsland(userKey, island.id)
      expect(harness.takeChanges()).toEqual([['checks', [check.key]]])
      expect(await store.find(check.id)).toEqual({ ...check, island: null })
      await harness.deleteUser(userKey)
      expect(harness.takeChanges()).toEqual([['checks', [check.key, other.key]]])
      expect(await store.read([check.key, other.key])).toEqual([])
    })
  })

  describe('what was found', () => {
    test('is stored for many checks at once, except for those that are gone', async () => {
      const { store, insert, events } = await setUp()
      const [one, other, gone] = [await insert(), await insert(), await insert()]
      await store.delete(gone.key)
      const samples = [
        { locationKey: 0, atMs: 12, tookMs: 7 },
        { locationKey: 3, atMs: 12, tookMs: null },
      ]
      const state: CheckState = {
        status: 'down',
        sinceMs: 12,
        lookedMs: 13,
        startedMs: 11,
        dueMs: 90,
        tookMs: null,
        failures: 2,
        note: 'It answered 500.',
      }
      await store.record([
        finding(gone, 'up', 1, { samples }),
        finding(other, 'up', 12, { samples }),
        {
          checkKey: one.key,
          state,
          event: { atMs: 12, kind: 'down', note: 'It answered 500.' },
          samples: [],
        },
      ])
      expect((await store.find(one.id))?.state).toEqual(state)
      expect(await events(one.key)).toEqual([{ atMs: 12, kind: 'down', note: 'It answered 500.' }])
      expect(await store.readSamples(other.key, 0)).toEqual(samples)
      expect(await store.readSamples(other.key, 13)).toEqual([])
      expect(await events(gone.key)).toEqual([])
    })

    test('events that change nothing are none, and no two have one time', async () => {
      const { store, insert, events } = await setUp()
      const check = await insert()
      await store.record([finding(check, 'unobserved', 5)])
      expect(await events(check.key)).toEqual([])
      // Several in one call are stored in their order.
      await store.record([
        finding(check, 'up', 10),
        finding(check, 'up', 11),
        finding(check, 'down', 10),
        finding(check, 'up', 9),
      ])
      expect((await events(check.key)).map(({ atMs, kind }) => [atMs, kind])).toEqual([
        [10, 'up'],
        [11, 'down'],
        [12, 'up'],
      ])
      expect((await store.find(check.id))?.state).toEqual(stateOf('up', 9))
    })

    test('what was judged without knowing the last look or report is skipped', async () => {
      const { store, insert, events } = await setUp()
      const [check, other] = [await insert(), await insert()]
      const missed = (one: CheckRecord, knownLookedMs: number | null) =>
        finding(one, 'down', 20, { knownLookedMs })
      await store.record([finding(check, 'up', 10)])
      for (const known of [null, 10, 12]) {
        const late = missed(check, known)
        const counts = finding(other, 'up', 10 + (known ?? 0))
        expect(await store.record([late, counts])).toEqual([late])
      }
      expect(times(await events(check.key))).toEqual([10])
      expect((await store.find(check.id))?.state).toEqual(stateOf('up', 10))
      expect(await store.record([missed(check, 11)])).toEqual([])
      expect(times(await events(check.key))).toEqual([10, 20])
      const third = await insert()
      // Those of one check that come together know of one another.
      const both = [finding(third, 'up', 10), missed(third, 11), missed(third, 11)]
      expect(await store.record(both)).toEqual([both[2]])
    })

    test('repeating it changes nothing', async () => {
      const { store, insert, events } = await setUp()
      const check = await insert()
      const found = [
        finding(check, 'up', 10, { samples: [{ locationKey: 0, atMs: 10, tookMs: 3 }] }),
      ]
      await store.record(found)
      await store.record(found)
      expect(await events(check.key)).toHaveLength(1)
      expect(await store.readSamples(check.key, 0)).toHaveLength(1)
      expect(await store.readChanges(0, 10)).toHaveLength(1)
    })

    test('is read from the last event before a time, and listed newest first in pages', async () => {
      const { store, insert, events } = await setUp()
      const check = await insert()
      for (const [at, kind] of (['up', 'down', 'up', 'down'] as const).entries()) {
        await store.record([finding(check, kind, 10 + at)])
      }
      expect(times(await events(check.key, 12))).toEqual([11, 12, 13])
      const list = (after: typeof newestPosition, sinceMs = 0) =>
        store.listEvents(check.key, { after, limit: 2, sinceMs })
      expect(times(await list(newestPosition))).toEqual([13, 12])
      expect(times(await list({ atMs: 12, id: 'up' }))).toEqual([11, 10])
      expect(times(await list({ atMs: 12, id: 'up' }, 11))).toEqual([11])
    })

    test('a look that is asked for is in the change log', async () => {
      const { store, insert, takeChanges } = await setUp()
      const { key } = await insert()
      takeChanges()
      await store.requestLook(key)
      expect(takeChanges()).toEqual([['check-looks', [key]]])
    })

    test('changes wait for alerts in the order in which they were stored', async () => {
      const { store, insert, userKey } = await setUp()
      const [one, other] = [await insert(), await insert()]
      await store.record([finding(other, 'down', 20), finding(one, 'up', 30)])
      await store.record([finding(other, 'up', 5)])
      const changes = await store.readChanges(0, 10)
      expect(changes.map(({ checkKey, kind, atMs }) => [checkKey, kind, atMs])).toEqual([
        [one.key, 'up', 30],
        [other.key, 'down', 20],
        [other.key, 'up', 21],
      ])
      expect(changes[0]).toMatchObject({ checkId: one.id, userKey })
      const [first] = changes
      expect(await store.readChanges(first?.sequence ?? 0, 1)).toEqual([changes[1]])
      await store.delete(other.key)
      expect(await store.readChanges(0, 10)).toEqual([first])
    })
  })

  describe('old looks', () => {
    test('a day is summed up by location, once and for all', async () => {
      const { store, insert } = await setUp()
      const [check, failing, other] = [await insert(), await insert(), await insert()]
      const hundred = Array.from({ length: 100 }, (_, at) => 100 - at)
      await store.record([
        finding(check, 'up', dayMs, {
          samples: [
            ...samplesOf([...hundred, null], dayMs),
            ...samplesOf([7], dayMs, 4),
            ...samplesOf([999], dayMs - 1),
            ...samplesOf([999], 2 * dayMs),
          ],
        }),
        finding(failing, 'down', dayMs, { samples: samplesOf([null, null], dayMs) }),
        finding(other, 'up', dayMs, { samples: samplesOf([5, 9], dayMs) }),
      ])
      await store.rollUp([check.key, failing.key], dayMs)
      const days = [
        { locationKey: 0, dayMs, p50Ms: 50, p95Ms: 95 },
        { locationKey: 4, dayMs, p50Ms: 7, p95Ms: 7 },
      ]
      expect(await store.readDays(check.key, 0)).toEqual(days)
      expect(await store.readDays(check.key, dayMs + 1)).toEqual([])
      expect(await store.readDays(failing.key, 0)).toEqual([])
      expect(await store.readDays(other.key, 0)).toEqual([])
      expect(await store.deleteSamples(dayMs + 60, 1000)).toBe(66)
      await store.rollUp([check.key, failing.key], dayMs)
      expect(await store.readDays(check.key, 0)).toEqual(days)
    })

    test('days are deleted after 90 more', async () => {
      const { store, insert } = await setUp()
      const check = await insert()
      for (const day of [10, 11, 101]) {
        await store.record([
          finding(check, 'up', day * dayMs, { samples: samplesOf([1], day * dayMs) }),
        ])
        await store.rollUp([check.key], day * dayMs)
      }
      expect((await store.readDays(check.key, 0)).map(({ dayMs: at }) => at / dayMs)).toEqual([
        11, 101,
      ])
    })

    test('single ones are deleted oldest first, in steps', async () => {
      const { store, insert } = await setUp()
      const check = await insert()
      expect(await store.oldestSampleMs()).toBeNull()
      await store.record([finding(check, 'up', 0, { samples: samplesOf([1, 2, 3, 4, 5]) })])
      expect(await store.oldestSampleMs()).toBe(0)
      expect(await store.deleteSamples(4, 3)).toBe(3)
      expect(await store.oldestSampleMs()).toBe(3)
      expect(await store.deleteSamples(4, 3)).toBe(1)
      expect(await store.readSamples(check.key, 0)).toEqual([
        { locationKey: 0, atMs: 4, tookMs: 5 },
      ])
    })

    test('of events the last one before the time stays, and alerts lose what is older', async () => {
      const { store, insert, events } = await setUp()
      const [check, other] = [await insert(), await insert()]
      for (const [at, kind] of (['up', 'down', 'up', 'down'] as const).entries()) {
        await store.record([finding(check, kind, 10 + at)])
      }
      await store.record([finding(other, 'up', 3)])
      expect(await store.deleteEvents(13, 1)).toBe(1)
      expect(await store.deleteEvents(13, 5)).toBe(1)
      expect((await events(check.key)).map(({ atMs }) => atMs)).toEqual([12, 13])
      expect(await events(other.key)).toHaveLength(1)
      expect((await store.readChanges(0, 10)).map(({ atMs }) => atMs)).toEqual([13])
    })
  })
}
