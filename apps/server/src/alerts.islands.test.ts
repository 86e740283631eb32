import type { AlertRules, SubjectRules } from '@astropelago/contract/alert-rules'
import { alertMessagesPerDay } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import type { AlertMessage, ReadyChannel } from './features/alerts/channels/channel.ts'
import { noReports } from './features/alerts/testing/no-reports.ts'
import { readIslands } from './features/alerts/read-changes.ts'
import { sqlAlertRulesStore } from './features/alerts/sql-alert-rules-store.ts'
import { sqlAlertMessagesStore } from './features/alerts/sql-alert-messages-store.ts'
import { sqlAlertsStore } from './features/alerts/sql-alerts-store.ts'
import { alertUsers } from './features/alerts/alert-users.ts'
import type { EventKind } from './features/islands/history/island-history-store.ts'
import { sqlIslandHistoryStore } from './features/islands/history/sql-island-history-store.ts'
import { whoMayGetAlerts } from './features/islands/find-island.ts'
import { sqlIslandsStore } from './features/islands/sql-islands-store.ts'
import { insertIsland, insertUser } from './test/factories.ts'
import { movableClock } from './test/movable-clock.ts'
import { openTestStorage } from './test/open-test-storage.ts'

const second = 1000
const minute = 60 * second

/** Alerts over the storage's islands, composed as in app.ts. */
async function setUp(followersInStep = 100) {
  const storage = await openTestStorage()
  const { db } = storage
  const clock = movableClock()
  const store = sqlAlertsStore(db)
  const alertMessages = sqlAlertMessagesStore(db)
  const rules = sqlAlertRulesStore(db)
  const history = sqlIslandHistoryStore(db)
  const islands = sqlIslandsStore(storage)
  const channel: ReadyChannel = { key: 1, id: 'c1', kind: 'webhook', name: 'Work' }
  const deps = {
    store,
    messages: alertMessages,
    rules,
    islands: {
      readChanges: history.readChanges,
      whoMayGetAlerts: (pairs: Parameters<typeof whoMayGetAlerts>[1]) =>
        whoMayGetAlerts(islands, pairs),
    },
    warnings: { read: async () => [] },
    reports: noReports,
    channels: {
      readyOf: async (users: readonly number[]) =>
        new Map(users.map((userKey) => [userKey, [channel]])),
    },
    readUnobserved: async () => [],
    windowMs: 5 * minute,
    publicUrl: 'https://sky.example',
  }
  let lagMs = 0
  const look = async () => {
    const nowMs = clock.now()
    while (await readIslands(deps, { nowMs, limit: followersInStep })) continue
    const turns = { nowMs, islandsUntilMs: nowMs - lagMs, limit: 25 }
    while ((await alertUsers(deps, turns)) === 25) continue
  }
  const become = async (islandKey: number, kind: EventKind) => {
    const nowMs = clock.now()
    const audience = { members: true, users: true, everybody: true }
    const found = { islandKey, kind, sinceMs: nowMs, firstMs: nowMs, audience }
    await history.record([found], { nowMs, maxEvents: 100 })
  }
  const choose = async (userKey: number, key: number, changes: Partial<SubjectRules>) => {
    const subject = { of: 'island', key } as const
    const change = (before: SubjectRules) => ({ ...before, ...changes })
    return await rules.changeSubjectRules(userKey, subject, change, clock.now())
  }
  const island = await insertIsland(db)
  await become(island.key, 'open')
  await look()
  clock.move(minute)
  return {
    db,
    deps,
    store,
    clock,
    island,
    look,
    become: (kind: EventKind) => become(island.key, kind),
    choose,
    rule: (userKey: number, changes: Partial<AlertRules>) =>
      rules.changeRules(userKey, (before) => ({ ...before, ...changes }), clock.now()),
    insertUser: () => insertUser(db),
    follow: async (userKey: number) => await choose(userKey, island.key, { isOn: true }),
    join: (userKey: number) =>
      db
        .insertInto('island_members')
        .values({ island_key: island.key, user_key: userKey, joined_ms: 0 })
        .execute(),
    setLag: (ms: number) => {
      lagMs = ms
    },
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += second) {
        clock.move(second)
        await look()
      }
    },
    told: async (userKey: number) => {
      const after = { atMs: Number.MAX_SAFE_INTEGER, id: '' }
      const messages = await alertMessages.list(userKey, { after, limit: 9 })
      return messages.map(({ message }): AlertMessage => message).toReversed()
    },
    titles: async (userKey: number) => {
      const rows = await db
        .selectFrom('alert_messages')
        .select('message')
        .where('user_key', '=', userKey)
        .orderBy('key')
        .execute()
      return rows.map(({ message }) => String(JSON.parse(message).title))
    },
  }
}

const closed = 'Harbor Bar is closed'
const open = 'Harbor Bar is open again'

describe('an island that closes', () => {
  test('[N20] causes an alert to its host, and another with a link when it is open again', async () => {
    const { island, become, pass, told } = await setUp()
    await become('closed')
    await pass(2 * second)
    expect(await told(island.hostKey)).toMatchObject([
      {
        kind: 'offline',
        title: closed,
        url: `https://sky.example/islands/isle-${island.id}`,
        items: [{ of: 'island', id: island.id, name: 'Harbor Bar', status: 'closed' }],
      },
    ])
    await become('open')
    await pass(minute)
    expect((await told(island.hostKey)).map(({ title }) => title)).toEqual([closed, open])
  })

  test('[N21] causes alerts to its followers by their own rules, and to no other member', async () => {
    const { island, insertUser: user, become, choose, follow, join, pass, titles } = await setUp()
    const [soon, later, member] = [await user(), await user(), await user()]
    for (const userKey of [soon, later, member]) await join(userKey)
    await follow(soon)
    await choose(later, island.key, { isOn: true, graceS: 60 })
    await choose(member, island.key, { graceS: 0 })
    await choose(island.hostKey, island.key, { isOn: false })
    await become('closed')
    await pass(10 * second)
    expect(await titles(soon)).toEqual([closed])
    expect(await titles(later)).toEqual([])
    await pass(minute)
    expect(await titles(later)).toEqual([closed])
    for (const userKey of [member, island.hostKey]) expect(await titles(userKey)).toEqual([])
  })

  test('[N2] sends no message if it opened within its grace period, however late that is recorded', async () => {
    const { island, clock, become, rule, setLag, pass, titles } = await setUp()
    await rule(island.hostKey, { graceS: 30 })
    await become('closed')
    await pass(29 * second)
    setLag(3 * second)
    await pass(3 * second)
    clock.move(-3 * second)
    await become('open')
    clock.move(3 * second)
    setLag(0)
    await pass(minute)
    expect(await titles(island.hostKey)).toEqual([])
  })

  test('[N25] AL12 waits for a follower who got half of a day’s messages, but not for its host', async () => {
    const { db, clock, island, insertUser: user, become, follow, pass, titles } = await setUp()
    const follower = await user()
    await follow(follower)
    const message = { kind: 'offline', title: 'before', lines: [], url: '', atMs: 0, items: [] }
    await db
      .insertInto('alert_messages')
      .values(
        [follower, island.hostKey].flatMap((userKey) =>
          Array.from({ length: alertMessagesPerDay / 2 }, (_, at) => ({
            id: `${userKey}-${at}`,
            user_key: userKey,
            at_ms: clock.now() - 86_400_000 + minute,
            message: JSON.stringify(message),
          })),
        ),
      )
      .execute()
    await become('closed')
    await pass(50 * second)
    expect((await titles(follower)).at(-1)).toBe('before')
    expect((await titles(island.hostKey)).at(-1)).toBe(closed)
    await pass(20 * second)
    expect((await titles(follower)).at(-1)).toBe(closed)
  })

  test('AL12 [N24] causes alerts to any number of followers, each once, a page of them in one transaction', async () => {
    const { db, deps, island, clock, insertUser: user, become, follow, ...rest } = await setUp(4)
    const followers = await Promise.all(Array.from({ length: 14 }, user))
    for (const userKey of [...followers, island.hostKey]) await follow(userKey)
    await become('closed')
    const step = (store = deps.store) =>
      readIslands({ ...deps, store }, { nowMs: clock.now(), limit: 4 })
    await step()
    // A failing step neither moves the cursor nor leaves anything behind.
    const failing = step({
      ...deps.store,
      storeRead: (read) =>
        deps.store.storeRead({
          ...read,
          cursor: { kind: 'island', islandChange: 2, alertedUserKey: Number.NaN },
        }),
    })
    await expect(failing).rejects.toThrow(/./)
    await step()
    await step()
    await rest.pass(2 * second)
    for (const userKey of [...followers, island.hostKey]) {
      expect(await rest.titles(userKey)).toEqual([closed])
    }
    expect(await db.selectFrom('island_alert_queue').selectAll().execute()).toEqual([])
    await become('open')
    await rest.pass(minute)
    for (const userKey of followers) expect(await rest.titles(userKey)).toEqual([closed, open])
    expect(await db.selectFrom('alert_items').selectAll().execute()).toEqual([])
  })
})

const doors = {
  'lets the invited alone in': { access: 'invited', is_listed: 0 },
  'is hidden by an operator': { hidden_ms: 5 },
  'is a draft again': { published_ms: null },
} as const

describe('[N22] a follower of one that', () => {
  test.each(Object.entries(doors))('AL11 %s before it closes gets nothing', async (_, values) => {
    const { db, island, insertUser: user, become, follow, pass, titles } = await setUp()
    const follower = await user()
    await follow(follower)
    await db.updateTable('islands').set(values).where('key', '=', island.key).execute()
    await become('closed')
    await pass(5 * second)
    expect(await titles(follower)).toEqual([])
    expect(
      await db.selectFrom('alert_items').selectAll().where('user_key', '=', follower).execute(),
    ).toEqual([])
  })

  test.each(Object.entries(doors))(
    'AL11 %s before the alert gets nothing, even once access is open again',
    async (_, values) => {
      const { db, island, insertUser: user, become, follow, rule, pass, titles } = await setUp()
      const follower = await user()
      await follow(follower)
      await rule(follower, { graceS: 10 })
      await become('closed')
      await pass(5 * second)
      const set = (to: object) =>
        db.updateTable('islands').set(to).where('key', '=', island.key).execute()
      await set(values)
      await pass(10 * second)
      await set({ access: 'public', hidden_ms: null, published_ms: 0 })
      await become('open')
      await pass(2 * minute)
      expect(await titles(follower)).toEqual([])
    },
  )

  test('is for members alone gets alerts as a member, and none once blocked', async () => {
    const { db, island, insertUser: user, become, follow, join, pass, titles } = await setUp()
    const [member, blocked] = [await user(), await user()]
    for (const userKey of [member, blocked]) {
      await follow(userKey)
      await join(userKey)
    }
    await db
      .updateTable('islands')
      .set({ access: 'invited' })
      .where('key', '=', island.key)
      .execute()
    await db
      .insertInto('island_blocks')
      .values({ island_key: island.key, user_key: blocked, at_ms: 0 })
      .execute()
    await become('closed')
    await pass(5 * second)
    expect(await titles(member)).toEqual([closed])
    expect(await titles(blocked)).toEqual([])
  })

  test('has a disabled host gets nothing', async () => {
    const { db, island, insertUser: user, become, follow, pass, titles } = await setUp()
    const follower = await user()
    await follow(follower)
    await db
      .updateTable('users')
      .set({ disabled_ms: 5 })
      .where('key', '=', island.hostKey)
      .execute()
    await become('closed')
    await pass(5 * second)
    expect(await titles(follower)).toEqual([])
  })
})

describe('[N23] no alert is sent', () => {
  test.each(['is hidden by an operator', 'is a draft again'] as const)(
    'to the host either while it %s',
    async (name) => {
      const { db, island, become, pass, titles } = await setUp()
      await db.updateTable('islands').set(doors[name]).where('key', '=', island.key).execute()
      await become('closed')
      await pass(5 * second)
      expect(await titles(island.hostKey)).toEqual([])
    },
  )

  test('about an island that is no longer visible, whatever it was and becomes', async () => {
    const { island, become, rule, pass, titles } = await setUp()
    await become('unobserved')
    await pass(5 * second)
    await become('closed')
    await pass(5 * second)
    await become('open')
    await pass(5 * second)
    expect(await titles(island.hostKey)).toEqual([])
    await rule(island.hostKey, { graceS: 10 })
    await become('closed')
    await pass(5 * second)
    await become('unobserved')
    await pass(minute)
    expect(await titles(island.hostKey)).toEqual([])
  })
})
