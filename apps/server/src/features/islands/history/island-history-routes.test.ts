import {
  IslandHistory,
  islandEventsPageLength,
  IslandUptime,
} from '@astropelago/contract/island-history'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { dayMs } from '../../../history/time-spans.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../../test/api-devices.ts'
import { joinTestIsland, publishTestIsland } from '../../../test/api-islands.ts'
import {
  createTestApp,
  shareTestApp,
  type TestAppOptions,
  type TestBrowser,
} from '../../../test/create-test-app.ts'
import { insertDevice, insertIsland } from '../../../test/factories.ts'
import { movableClock } from '../../../test/movable-clock.ts'

const hourMs = 3_600_000
const noonMs = Date.UTC(2026, 0, 31, 12)
/** For tests that share a server. None of them moves its clock. */
const atNoon: TestAppOptions = { clock: movableClock(noonMs) }
const at = (ms: number) => new Date(noonMs - ms).toISOString()

interface Told {
  /** How long before now it opened, then closed, and so on. */
  readonly eventsMs: readonly number[]
  /** As times before now. */
  readonly outages?: readonly (readonly [fromMs: number, toMs: number])[]
  readonly access?: 'public' | 'members' | 'invited'
  /** How long before now these could first see it. */
  readonly knownMs?: {
    readonly members?: number
    readonly users?: number
    readonly everybody?: number
  }
  readonly movesClock?: boolean
}

/** An island that opened and closed at these times. It is noon. */
async function setUp({
  eventsMs,
  outages = [],
  access = 'public',
  knownMs = {},
  movesClock = false,
}: Told) {
  // An outage is one of all islands of a server.
  const isAlone = movesClock || outages.length > 0
  const app = await (isAlone
    ? createTestApp({ clock: movableClock(noonMs) })
    : shareTestApp(atNoon))
  const { db } = app.storage
  const host = await app.signUp()
  const { key: hostKey } = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', host.username)
    .executeTakeFirstOrThrow()
  const carrierKey = await insertDevice(db, hostKey)
  // Memory does not know it, so the server writes no history for it.
  const { key, id } = await insertIsland(db, { access, hostKey, carrierKey })
  await db
    .updateTable('islands')
    .set({ address: 'https://a.example' })
    .where('key', '=', key)
    .execute()
  for (let from = 0; from < eventsMs.length; from += 500) {
    const events = eventsMs.slice(from, from + 500).map((ms, i) => ({
      island_key: key,
      at_ms: noonMs - ms,
      kind: i % 2 === 0 ? ('open' as const) : ('closed' as const),
    }))
    await db.insertInto('island_events').values(events).execute()
  }
  for (const [fromMs, toMs] of outages) {
    const span = { from_ms: noonMs - fromMs, to_ms: noonMs - toMs, writer: 0 }
    await db.insertInto('unobserved').values(span).execute()
  }
  const since = (ms: number | undefined) => (ms === undefined ? null : noonMs - ms)
  await db
    .insertInto('island_visible_since')
    .values({
      island_key: key,
      members_ms: since(knownMs.members),
      users_ms: since(knownMs.users),
      everybody_ms: since(knownMs.everybody),
    })
    .execute()
  const get = ({ inject }: Pick<TestBrowser, 'inject'>, path: string) =>
    inject({ url: `/api/islands/${id}/${path}` })
  return {
    ...app,
    db,
    id,
    key,
    host,
    get,
    history: async (browser: Pick<TestBrowser, 'inject'>, query = '') =>
      v.parse(IslandHistory, (await get(browser, `history${query}`)).json()),
    uptime: async (browser: Pick<TestBrowser, 'inject'>) =>
      v.parse(IslandUptime, (await get(browser, 'uptime')).json()),
  }
}

describe('the history of an island', () => {
  test('[HI3] is its days, its last 24 hours and its events', async () => {
    const { history, host } = await setUp({
      eventsMs: [30 * hourMs, 6 * hourMs, 2 * hourMs],
      outages: [[20 * hourMs, 14 * hourMs]],
    })
    expect(await history(host)).toEqual({
      from: at(30 * hourMs),
      days: [
        {
          day: '2026-01-30',
          openS: 12 * 3600,
          closedS: 0,
          unobservedS: 12 * 3600,
          flips: 1,
          status: 'open',
        },
        {
          day: '2026-01-31',
          openS: 8 * 3600,
          closedS: 4 * 3600,
          unobservedS: 0,
          flips: 2,
          status: 'open',
        },
      ],
      spans: [
        { from: at(24 * hourMs), to: at(20 * hourMs), status: 'open' },
        { from: at(20 * hourMs), to: at(14 * hourMs), status: 'unobserved' },
        { from: at(14 * hourMs), to: at(6 * hourMs), status: 'open' },
        { from: at(6 * hourMs), to: at(2 * hourMs), status: 'closed' },
        { from: at(2 * hourMs), to: at(0), status: 'open' },
      ],
      events: [
        { kind: 'open', at: at(2 * hourMs), until: null },
        { kind: 'closed', at: at(6 * hourMs), until: null },
        { kind: 'unobserved', at: at(20 * hourMs), until: at(14 * hourMs) },
        { kind: 'open', at: at(30 * hourMs), until: null },
      ],
      next: null,
    })
  })

  test('[HI1] [HI3] an island that nothing watches has none, and is unobserved for as long', async () => {
    const { history, uptime, host, db, key, clock } = await setUp({
      eventsMs: [],
      movesClock: true,
    })
    const nothing = {
      from: null,
      days: [],
      spans: [{ from: at(dayMs), to: at(0), status: 'unobserved' }],
      events: [],
      next: null,
    }
    expect(await history(host)).toEqual(nothing)
    expect((await uptime(host)).windows[3]).toEqual({ window: '90d', uptime: null, observed: 0 })
    await db
      .insertInto('island_events')
      .values([
        { island_key: key, at_ms: noonMs - 2 * hourMs, kind: 'open' },
        { island_key: key, at_ms: noonMs - hourMs, kind: 'unobserved' },
      ])
      .execute()
    clock.move(5000)
    const { days, events } = await history(host)
    expect(days).toMatchObject([{ openS: 3600, closedS: 0, flips: 1, status: 'open' }])
    expect(events[0]).toEqual({ kind: 'unobserved', at: at(hourMs), until: null })
  })

  test('[HI3] has 90 days at most, and begins with the state from before', async () => {
    const { history, uptime, host } = await setUp({ eventsMs: [200 * dayMs, hourMs] })
    const { from, days, events } = await history(host)
    expect(days).toHaveLength(90)
    expect(days[0]).toMatchObject({ day: '2025-11-03', openS: 86_400, status: 'open' })
    expect(from).toBe('2025-11-02T00:00:00.000Z')
    expect(events).toEqual([{ kind: 'closed', at: at(hourMs), until: null }])
    expect((await uptime(host)).windows[3]).toEqual({
      window: '90d',
      uptime: 1 - 1 / 2160,
      observed: 1,
    })
  })

  test('[HI5] with 10,000 events it comes page by page, each event once', async () => {
    const eventsMs = Array.from({ length: 10_000 }, (_, i) => (10_000 - i) * 60_000)
    const { history, host } = await setUp({ eventsMs, outages: [[3 * hourMs, 2 * hourMs]] })
    const all: string[] = []
    let query = ''
    for (let pages = 0; pages < 4; pages += 1) {
      const { events, next, days, spans } = await history(host, query)
      expect([days.length > 0, spans.length > 0]).toEqual([query === '', query === ''])
      expect(events).toHaveLength(islandEventsPageLength)
      all.push(...events.map(({ kind, at: time }) => `${time} ${kind}`))
      query = `?after=${next}`
    }
    expect(new Set(all).size).toBe(4 * islandEventsPageLength)
    expect(all).toEqual(all.toSorted().toReversed())
    expect(all).toContain(`${at(3 * hourMs)} unobserved`)
  })

  test('with an invalid position is 400', async () => {
    const { get, host } = await setUp({ eventsMs: [] })
    expect((await get(host, 'history?after=x')).statusCode).toBe(400)
  })
})

test('[HI3] the uptime of an island counts only observed time, and says how much that is', async () => {
  const { uptime, host } = await setUp({
    eventsMs: [48 * hourMs, 12 * hourMs],
    outages: [[18 * hourMs, 6 * hourMs]],
  })
  const { isWatched, windows } = await uptime(host)
  expect(isWatched).toBe(true)
  expect(windows).toEqual([
    { window: '24h', uptime: 0.5, observed: 0.5 },
    { window: '7d', uptime: 30 / 36, observed: 36 / 168 },
    { window: '30d', uptime: 30 / 36, observed: 36 / 720 },
    { window: '90d', uptime: 30 / 36, observed: 36 / 2160 },
  ])
})

describe('what others may see', () => {
  test('HS5 of an island that they may not see, as much as of a missing one', async () => {
    const { get, inject, host, signUp, db, key } = await setUp({ eventsMs: [hourMs] })
    const stranger = await signUp()
    const set = (values: object) =>
      db.updateTable('islands').set(values).where('key', '=', key).execute()
    const askAll = async () => {
      const answers = []
      for (const path of ['history', 'uptime'])
        for (const browser of [{ inject }, stranger, host]) {
          const missing = await browser.inject({ url: `/api/islands/none/${path}` })
          const { statusCode, body } = await get(browser, path)
          answers.push(statusCode === 404 && body === missing.body ? 'missing' : statusCode)
        }
      return answers
    }
    expect(await askAll()).toEqual([200, 200, 200, 200, 200, 200])
    const unknown = ['missing', 'missing', 200, 'missing', 'missing', 200]
    await set({ hidden_ms: 5, hidden_reason: 'x' })
    expect(await askAll()).toEqual(unknown)
    await set({ hidden_ms: null, hidden_reason: null, published_ms: null })
    expect(await askAll()).toEqual(unknown)
    await set({ published_ms: 5, access: 'invited' })
    expect(await askAll()).toEqual(unknown)
    await set({ access: 'members' })
    expect(await askAll()).toEqual(['missing', 200, 200, 'missing', 200, 200])
  })

  test('HS5 [HI4] nothing from before they might see it: no day, span, event, share or since', async () => {
    const { history, uptime, inject, host, signUp, db, key } = await setUp({
      eventsMs: [40 * dayMs, 20 * dayMs, 10 * hourMs, 5 * hourMs],
      outages: [[30 * hourMs, 29 * hourMs]],
      knownMs: { members: 8 * dayMs, users: 6 * hourMs, everybody: 3 * hourMs },
    })
    const [user, member, blocked] = [
      await signUp(),
      await signUp('member'),
      await signUp('blocked'),
    ]
    const keyOf = async (username: string) => {
      const users = db.selectFrom('users').select('key').where('username', '=', username)
      return (await users.executeTakeFirstOrThrow()).key
    }
    await db
      .insertInto('island_members')
      .values({ island_key: key, user_key: await keyOf('member'), joined_ms: 1 })
      .execute()
    await db
      .insertInto('island_blocks')
      .values({ island_key: key, user_key: await keyOf('blocked'), at_ms: 1 })
      .execute()
    for (const browser of [{ inject }, blocked]) {
      expect(await history(browser)).toEqual({
        from: at(3 * hourMs),
        days: [
          {
            day: '2026-01-31',
            openS: 0,
            closedS: 3 * 3600,
            unobservedS: 9 * 3600,
            flips: 0,
            status: 'closed',
          },
        ],
        spans: [
          { from: at(dayMs), to: at(3 * hourMs), status: 'unobserved' },
          { from: at(3 * hourMs), to: at(0), status: 'closed' },
        ],
        events: [],
        next: null,
      })
      expect(await uptime(browser)).toMatchObject({
        since: null,
        windows: [24, 168, 720, 2160].map((hours) => ({ uptime: 0, observed: 3 / hours })),
      })
    }
    expect(await history(user)).toMatchObject({
      from: at(6 * hourMs),
      events: [{ kind: 'closed', at: at(5 * hourMs) }],
    })
    expect((await history(member)).from).toBe(at(8 * dayMs))
    expect((await history(host)).from).toBe(at(40 * dayMs))
  })

  test('HS5 [HI4] nothing until it is on record since when they may see it', async () => {
    const { history, uptime, inject } = await setUp({ eventsMs: [dayMs] })
    expect(await history({ inject })).toMatchObject({ from: null, days: [], events: [] })
    expect((await uptime({ inject })).windows[0]).toMatchObject({ uptime: null, observed: 0 })
  })
})

test('[HI1] [HI2] a change of an island is on record within seconds', async () => {
  const { inject, signUp, clock } = await createTestApp({ clock: movableClock(noonMs) })
  const host = await signUp()
  const device = await registerTestDevice(host)
  const { token } = await createTestToken(host, device.id)
  const island = await publishTestIsland(
    host,
    { access: 'members', isListed: false },
    { carrier: device.id },
  )
  const member = await signUp()
  await joinTestIsland(member, island.id)
  const read = async (browser: TestBrowser) => {
    // Answers are cached for 5 s. The server would take a single step that long for a time when it slept.
    clock.move(1000)
    const response = await browser.inject({ url: `/api/islands/${island.id}/history` })
    return v.parse(IslandHistory, response.json())
  }
  await sendHeartbeat({ inject }, token)
  for (const browser of [host, member]) {
    await vi.waitFor(
      async () => expect((await read(browser)).events).toMatchObject([{ kind: 'open' }]),
      { timeout: 10_000, interval: 200 },
    )
  }
  await host.inject({
    method: 'PATCH',
    url: `/api/islands/${island.id}`,
    payload: { carrier: null },
  })
  await vi.waitFor(
    async () =>
      expect((await read(host)).events).toMatchObject([
        { kind: 'unobserved', until: null },
        { kind: 'open' },
      ]),
    { timeout: 10_000, interval: 200 },
  )
}, 30_000)
