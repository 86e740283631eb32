import { describe, expect, test } from 'vitest'
import type { AlertMessagesStore } from './alert-messages-store.ts'
import type { AlertsStore, TurnEnd } from './alerts-store.ts'
import type { ReadyChannel } from './channels/channel.ts'
import { alertMessage } from './channels/testing/messages.ts'
import { nameOf, type AlertItem, type AlertSubject } from './outages.ts'

interface AlertsStoreHarness {
  readonly store: AlertsStore
  readonly messages: AlertMessagesStore
  readonly insertUser: () => Promise<number>
  readonly insertDevice: (userKey: number) => Promise<number>
  readonly insertIsland: (hostKey: number) => Promise<number>
  readonly insertCheck: (userKey: number) => Promise<number>
  readonly deleteFrom: (
    table: 'users' | 'devices' | 'islands' | 'checks',
    key: number,
  ) => Promise<void>
}

const channel: ReadyChannel = { key: 7, id: 'c7', kind: 'webhook', name: 'Work' }
const cursor = { kind: 'source', source: 'warnings', position: 1 } as const

/** What every store of alerts must do, on any database. */
export function alertsStoreContract(open: () => Promise<AlertsStoreHarness>): void {
  const setUp = async () => {
    const harness = await open()
    const { store } = harness
    const owner = await harness.insertUser()
    const [device, island] = [await harness.insertDevice(owner), await harness.insertIsland(owner)]
    const check = await harness.insertCheck(owner)
    const subjects: Record<Exclude<AlertSubject['of'], 'reports'>, AlertSubject> = {
      device: { userKey: owner, of: 'device', key: device },
      warning: { userKey: owner, of: 'warning', key: device },
      island: { userKey: owner, of: 'island', key: island },
      check: { userKey: owner, of: 'check', key: check },
    }
    const keep = (items: readonly AlertItem[], dueMs = new Map<number, number>()) =>
      store.storeRead({
        changed: items.map((item) => ({
          subject: item,
          items: item.endedMs === null ? { away: item } : { over: item },
        })),
        dueMs,
        cursor,
      })
    const tell = (made: TurnEnd['messages'], atMs: number, userKey = owner) =>
      store.endTurns([{ userKey, dueMs: null, messages: made, changed: [] }], atMs)
    const left = async (userKey = owner) =>
      ((await store.itemsOfUsers([userKey])).get(userKey) ?? []).map(({ of }) => of)
    return { ...harness, owner, device, island, check, subjects, keep, tell, left }
  }

  describe('pending alerts', () => {
    test('are stored for each subject as given, and replaced as a whole', async () => {
      const { store, owner, subjects } = await setUp()
      const away = awayOf(subjects.device)
      const over = { ...away, sinceMs: 1, endedMs: 3, times: 2, toldMs: 2 }
      const changed = [{ subject: subjects.device, items: { away, over } }]
      await store.storeRead({ changed, dueMs: new Map(), cursor })
      const known = await store.itemsOf([subjects.device, subjects.warning])
      expect(known).toEqual(new Map([[nameOf(away), { away, over }]]))
      const items = await store.itemsOfUsers([owner, owner + 1])
      expect(items.get(owner)).toEqual([
        expect.objectContaining({ ...over, isOwn: true, slug: null }),
        expect.objectContaining({ ...away, isOwn: true, slug: null }),
      ])
      const reports = awayOf({ userKey: owner, of: 'reports', key: 0 })
      await store.storeRead({
        changed: [{ subject: reports, items: { away: reports } }],
        dueMs: new Map(),
        cursor,
      })
      expect(await store.itemsOf([reports])).toEqual(
        new Map([[nameOf(reports), { away: reports }]]),
      )
      expect((await store.itemsOfUsers([owner])).get(owner)).toHaveLength(2)
      const emptied = [{ subject: subjects.device, items: { away } }]
      await store.endTurns([{ userKey: owner, dueMs: null, messages: [], changed: emptied }], 9)
      expect(await store.itemsOf([subjects.device])).toEqual(new Map([[nameOf(away), { away }]]))
    })

    test('belong to one user, even if others have alerts about the same subject', async () => {
      const { store, subjects, keep, left, insertUser } = await setUp()
      const follower = await insertUser()
      const theirs = awayOf({ ...subjects.island, userKey: follower })
      await keep([awayOf(subjects.island), theirs])
      expect((await store.itemsOfUsers([follower])).get(follower)).toMatchObject([
        { of: 'island', isOwn: false, slug: expect.any(String) },
      ])
      await keep([{ ...awayOf(subjects.island), endedMs: 9 }])
      expect(await store.itemsOf([theirs])).toEqual(new Map([[nameOf(theirs), { away: theirs }]]))
      expect(await left(follower)).toEqual(['island'])
    })

    test('are deleted with their device, island, check or user, and skipped if that is gone', async () => {
      const { subjects, device, island, check, owner, keep, left, deleteFrom, insertUser } =
        await setUp()
      const follower = await insertUser()
      const theirs = awayOf({ ...subjects.island, userKey: follower })
      const all = [...Object.values(subjects).map(awayOf), theirs]
      await keep(all)
      expect(await left()).toEqual(['check', 'device', 'island', 'warning'])
      await deleteFrom('checks', check)
      await keep(all)
      expect(await left()).toEqual(['device', 'island', 'warning'])
      await deleteFrom('devices', device)
      expect(await left()).toEqual(['island'])
      await keep(all)
      expect(await left()).toEqual(['island'])
      await deleteFrom('users', follower)
      await keep(all, new Map([[follower, 1]]))
      expect(await left(follower)).toEqual([])
      await deleteFrom('islands', island)
      await keep(all)
      expect(await left(owner)).toEqual([])
    })

    test('[N1] are written with the position up to which their source was read', async () => {
      const { store } = await setUp()
      expect(await store.positionOf('birds')).toBe(0)
      for (const position of [5, 9]) {
        const read = {
          changed: [],
          dueMs: new Map(),
          cursor: { kind: 'source', source: 'birds', position } as const,
        }
        await store.storeRead(read)
        expect(await store.positionOf('birds')).toBe(position)
      }
    })
  })

  describe('turns', () => {
    test('are due at the earliest time that an alert asks for', async () => {
      const { store, owner, keep, insertUser, insertDevice } = await setUp()
      const other = await insertUser()
      await insertDevice(other)
      await keep([], new Map([[owner, 50]]))
      await keep(
        [],
        new Map([
          [owner, 70],
          [other, 40],
        ]),
      )
      expect(await store.dueTurns(39, 9)).toEqual([])
      expect((await store.dueTurns(60, 9)).map(({ userKey }) => userKey)).toEqual([other, owner])
      expect((await store.dueTurns(60, 1)).map(({ userKey }) => userKey)).toEqual([other])
      await keep([], new Map([[owner, 30]]))
      expect(await store.findTurn(owner)).toEqual({ userKey: owner, dueMs: 30, toldMs: null })
    })

    test('[N10] [N15] end with a delivery of each message to each of its channels', async () => {
      const { store, messages, owner, keep, tell } = await setUp()
      await keep([], new Map([[owner, 50]]))
      const second = { ...channel, key: 8, id: 'c8' }
      await tell(
        [
          { id: 'm1', message: alertMessage({ title: 'One' }), channels: [channel, second] },
          { id: 'm2', message: alertMessage({ title: 'Two' }), channels: [second] },
        ],
        60,
      )
      expect(await store.findTurn(owner)).toEqual({ userKey: owner, dueMs: null, toldMs: 60 })
      const due = await messages.dueDeliveries(60, { all: 9, ofUser: 9 })
      expect(due.map(({ id, channelKey }) => [id, channelKey])).toEqual([
        ['m1', 7],
        ['m1', 8],
        ['m2', 8],
      ])
      expect(await messages.dueDeliveries(59, { all: 9, ofUser: 9 })).toEqual([])
      expect(await messages.waiting()).toEqual({ count: 3, sinceMs: 60 })
    })
  })

  test('[N12] a user gets only some of the due deliveries, and the second one after everybody’s first', async () => {
    const { messages, owner, tell, insertUser } = await setUp()
    const other = await insertUser()
    for (let at = 0; at < 5; at += 1) {
      await tell([{ id: `a${at}`, message: alertMessage(), channels: [channel] }], at)
    }
    await tell([{ id: 'b', message: alertMessage(), channels: [channel] }], 9, other)
    const due = await messages.dueDeliveries(9, { all: 9, ofUser: 2 })
    expect(due.map(({ id }) => id)).toEqual(['a0', 'b', 'a1'])
    expect(due[0]?.userKey).toBe(owner)
    expect(await messages.dueDeliveries(9, { all: 1, ofUser: 2 })).toHaveLength(1)
  })

  test('[N7] messages are listed by their time, and old ones are deleted with their deliveries', async () => {
    const { messages, owner, tell } = await setUp()
    for (const at of [10, 20, 30]) {
      await tell([{ id: `m${at}`, message: alertMessage(), channels: [channel] }], at)
    }
    expect(await messages.timesSince(owner, 10)).toEqual([30, 20])
    expect(await messages.deleteOld(21, 1)).toBe(1)
    expect(await messages.deleteOld(21, 9)).toBe(1)
    expect(await messages.count(owner)).toBe(1)
    expect((await messages.waiting()).count).toBe(1)
  })
}

function awayOf({ userKey, of, key }: AlertSubject): AlertItem {
  return { userKey, of, key, sinceMs: 5, endedMs: null, times: 1, toldMs: null }
}
