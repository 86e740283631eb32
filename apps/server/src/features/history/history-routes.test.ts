import {
  DeviceHistory,
  DeviceUptime,
  historyPageLength,
  listDeviceStrips,
} from '@astropelago/contract/history'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { dayMs, dayStart } from '../../history/time-spans.ts'
import { createTestApiKey, injectByKey } from '../../test/api-keys.ts'
import { createTestApp, shareTestApp, type TestBrowser } from '../../test/create-test-app.ts'
import { insertDevice } from '../../test/factories.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { sqlFlipStore } from '../presence/flips/sql-flip-store.ts'
import { closeDay } from './device-history.ts'
import { rollUpDays } from './roll-up-days.ts'
import { sqlHistoryStore } from './sql-history-store.ts'

const hourMs = 3_600_000
const noonMs = Date.UTC(2026, 0, 31, 12)

interface Told {
  /** Times before now, at which the device came online, then went offline, and so on. */
  readonly flipsMs: readonly number[]
  /** Times before now. */
  readonly outages?: readonly (readonly [fromMs: number, toMs: number])[]
}

const withoutOutages = { clock: movableClock(noonMs) }

/** A device with these flips, on a server with only these outages. Now is noon. */
async function setUp({ flipsMs, outages }: Told) {
  const storage =
    outages === undefined ? (await shareTestApp(withoutOutages)).storage : await openTestStorage()
  const { db } = storage
  const key = await insertDevice(db)
  const isOnline = flipsMs.length % 2
  if (flipsMs.length > 0) {
    const flips = flipsMs.map((ms, i) => ({
      device_key: key,
      status: i % 2 === 0 ? ('online' as const) : ('offline' as const),
      at_ms: noonMs - ms,
    }))
    for (let at = 0; at < flips.length; at += 1000) {
      await db
        .insertInto('presence_events')
        .values(flips.slice(at, at + 1000))
        .execute()
    }
    const lastMs = flips.at(-1)?.at_ms ?? 0
    await db
      .insertInto('presence')
      .values({ device_key: key, last_seen_ms: isOnline ? noonMs : lastMs, is_online: isOnline })
      .execute()
  }
  await db
    .insertInto('alive_mark')
    .values({ key: 1, at_ms: noonMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  for (const [fromMs, toMs] of outages ?? []) {
    const span = { from_ms: noonMs - fromMs, to_ms: noonMs - toMs, writer: 0 }
    await db.insertInto('unobserved').values(span).execute()
  }
  const app =
    outages === undefined
      ? await shareTestApp(withoutOutages)
      : await createTestApp({ storage, clock: movableClock(noonMs) })
  const owner = await app.signUp()
  const { key: userKey } = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', owner.username)
    .executeTakeFirstOrThrow()
  const { id } = await db
    .updateTable('devices')
    .set({ user_key: userKey })
    .where('key', '=', key)
    .returning('id')
    .executeTakeFirstOrThrow()
  const get = ({ inject }: Pick<TestBrowser, 'inject'>, path: string) =>
    inject({ url: `/api/devices/${id}/${path}` })
  return {
    ...app,
    db,
    id,
    key,
    owner,
    get,
    /** Makes rows for the days that have ended. */
    rollUp: () =>
      rollUpDays(
        { store: sqlHistoryStore(db), flips: sqlFlipStore(db), rest: async () => undefined },
        dayStart(noonMs),
      ),
    history: async (browser: Pick<TestBrowser, 'inject'>, query = '') =>
      v.parse(DeviceHistory, (await get(browser, `history${query}`)).json()),
    uptime: async (browser: Pick<TestBrowser, 'inject'>) =>
      v.parse(DeviceUptime, (await get(browser, 'uptime')).json()),
  }
}

const at = (ms: number) => new Date(noonMs - ms).toISOString()

async function strips(browser: TestBrowser) {
  const { body } = await browser.inject({ url: listDeviceStrips.path })
  return v.parse(listDeviceStrips.answers[200], JSON.parse(body))
}

describe('the history of a device', () => {
  test('[H1] [H2] has its days, its last 24 hours and its events', async () => {
    const { history, owner } = await setUp({
      flipsMs: [30 * hourMs, 6 * hourMs, 2 * hourMs],
      outages: [[20 * hourMs, 14 * hourMs]],
    })
    const { days, spans, events, next } = await history(owner)
    expect(days).toEqual([
      {
        day: '2026-01-30',
        onlineS: 12 * 3600,
        offlineS: 0,
        unobservedS: 12 * 3600,
        flips: 1,
        status: 'online',
      },
      {
        day: '2026-01-31',
        onlineS: 8 * 3600,
        offlineS: 4 * 3600,
        unobservedS: 0,
        flips: 2,
        status: 'online',
      },
    ])
    expect(spans).toEqual([
      { from: at(24 * hourMs), to: at(20 * hourMs), status: 'online' },
      { from: at(20 * hourMs), to: at(14 * hourMs), status: 'unobserved' },
      { from: at(14 * hourMs), to: at(6 * hourMs), status: 'online' },
      { from: at(6 * hourMs), to: at(2 * hourMs), status: 'offline' },
      { from: at(2 * hourMs), to: at(0), status: 'online' },
    ])
    expect(events).toEqual([
      { kind: 'online', at: at(2 * hourMs) },
      { kind: 'offline', at: at(6 * hourMs) },
      { kind: 'unobserved', at: at(20 * hourMs), until: at(14 * hourMs) },
      { kind: 'online', at: at(30 * hourMs) },
    ])
    expect(next).toBeNull()
  })

  test('[H1] is empty for a device that never reported', async () => {
    const { history, uptime, owner } = await setUp({ flipsMs: [], outages: [[hourMs, 0]] })
    expect(await history(owner)).toEqual({
      days: [],
      spans: [{ from: at(dayMs), to: at(0), status: 'unobserved' }],
      events: [],
      next: null,
    })
    expect(await uptime(owner)).toEqual({
      status: 'unknown',
      since: null,
      windows: ['24h', '7d', '30d', '90d'].map((window) => ({ window, uptime: null, observed: 0 })),
    })
  })

  test('comes page by page, each event once, and later pages have only events', async () => {
    const flipsMs = Array.from({ length: 101 }, (_, i) => (101 - i) * hourMs)
    const outages = [3, 40, 77].map((n) => [n * hourMs, n * hourMs - 1000] as const)
    const { history, owner } = await setUp({ flipsMs, outages })
    const all: string[] = []
    let query = ''
    for (;;) {
      const { events, next, days, spans } = await history(owner, query)
      expect([days.length > 0, spans.length > 0]).toEqual([query === '', query === ''])
      expect(events.length).toBeLessThanOrEqual(historyPageLength)
      all.push(...events.map(({ kind, at: time }) => `${time} ${kind}`))
      if (next === null) break
      query = `?after=${next}`
    }
    expect(all).toHaveLength(104)
    expect(new Set(all).size).toBe(104)
    expect(all).toEqual(all.toSorted().toReversed())
  })

  test('[H5] has all of a device’s first day, also when it is stored as a row', async () => {
    const firstMs = 54 * hourMs
    const { history, rollUp, owner } = await setUp({
      flipsMs: [firstMs, firstMs - hourMs, firstMs - 2 * hourMs],
      outages: [
        [firstMs + 4 * hourMs, firstMs + 3 * hourMs],
        [firstMs - 4 * hourMs, firstMs - 5 * hourMs],
      ],
    })
    expect(await rollUp()).toBe(1)
    const { days, events } = await history(owner)
    expect(days.map(({ flips }) => flips)).toEqual([3, 0, 0])
    expect(events.map(({ kind, at: time }) => [kind, time])).toEqual([
      ['unobserved', at(firstMs - 4 * hourMs)],
      ['online', at(firstMs - 2 * hourMs)],
      ['offline', at(firstMs - hourMs)],
      ['online', at(firstMs)],
    ])
  })

  test.each(['x', '1.', '.1', '1.x.y'])('with the position %s is 400', async (after) => {
    const { get, owner } = await setUp({ flipsMs: [] })
    expect((await get(owner, `history?after=${after}`)).statusCode).toBe(400)
  })
})

describe('the uptime of a device', () => {
  test('[H4] covers only observed time, and says how much that is', async () => {
    const { uptime, owner } = await setUp({
      flipsMs: [48 * hourMs, 12 * hourMs],
      outages: [[18 * hourMs, 6 * hourMs]],
    })
    const { status, since, windows } = await uptime(owner)
    expect({ status, since }).toEqual({ status: 'offline', since: at(12 * hourMs) })
    expect(windows).toEqual([
      { window: '24h', uptime: 0.5, observed: 0.5 },
      { window: '7d', uptime: 30 / 36, observed: 36 / 168 },
      { window: '30d', uptime: 30 / 36, observed: 36 / 720 },
      { window: '90d', uptime: 30 / 36, observed: 36 / 2160 },
    ])
  })
})

describe('what others may know', () => {
  test('HS1 private and hidden devices and those of a disabled user are answered like missing ones', async () => {
    const { db, id, key, inject, owner, signUp } = await setUp({ flipsMs: [hourMs] })
    const stranger = await signUp()
    const askAll = async () => {
      const answers = []
      for (const path of ['history', 'uptime']) {
        for (const browser of [{ inject }, stranger]) {
          const missing = await browser.inject({ url: `/api/devices/none/${path}` })
          const { statusCode, body } = await browser.inject({ url: `/api/devices/${id}/${path}` })
          expect([missing.statusCode, missing.json().code]).toEqual([404, 'not_found'])
          answers.push(statusCode === 404 && body === missing.body ? 'missing' : statusCode)
        }
        answers.push((await owner.inject({ url: `/api/devices/${id}/${path}` })).statusCode)
      }
      return answers
    }
    const hidden = ['missing', 'missing', 200, 'missing', 'missing', 200]
    const set = (values: object) =>
      db.updateTable('devices').set(values).where('key', '=', key).execute()
    expect(await askAll()).toEqual([200, 200, 200, 200, 200, 200])
    await set({ visibility: 'private', public_since_ms: null })
    expect(await askAll()).toEqual(hidden)
    await set({ visibility: 'public', public_since_ms: 0, hidden_ms: 5, hidden_reason: 'x' })
    expect(await askAll()).toEqual(hidden)
    await set({ hidden_ms: null, hidden_reason: null })
    await db
      .updateTable('users')
      .set({ disabled_ms: 1 })
      .where('username', '=', owner.username)
      .execute()
    expect((await askAll()).filter((answer) => answer === 'missing')).toHaveLength(4)
  })

  test('HS2 [H6] is nothing from before the device was public: no day, span, event, share or since', async () => {
    const publicMs = 3 * hourMs
    const { db, key, history, uptime, inject, owner, signUp } = await setUp({
      flipsMs: [40 * dayMs, 20 * dayMs, 10 * hourMs, 5 * hourMs],
      outages: [[30 * hourMs, 2 * hourMs + 1800_000]],
    })
    await db
      .updateTable('devices')
      .set({ public_since_ms: noonMs - publicMs })
      .where('key', '=', key)
      .execute()
    for (const browser of [{ inject }, await signUp()]) {
      expect(await history(browser)).toEqual({
        days: [
          {
            day: '2026-01-31',
            onlineS: 0,
            offlineS: 2.5 * 3600,
            unobservedS: 9.5 * 3600,
            flips: 0,
            status: 'offline',
          },
        ],
        spans: [
          { from: at(dayMs), to: at(2.5 * hourMs), status: 'unobserved' },
          { from: at(2.5 * hourMs), to: at(0), status: 'offline' },
        ],
        events: [],
        next: null,
      })
      expect(await uptime(browser)).toMatchObject({
        status: 'offline',
        since: null,
        windows: [24, 168, 720, 2160].map((hours) => ({ uptime: 0, observed: 2.5 / hours })),
      })
    }
    expect((await history(owner)).days).toHaveLength(41)
  })

  test('[H6] is everything with an owner’s API key of the scope, and nothing with any other key', async () => {
    const { app, db, id, key, owner, signUp } = await setUp({ flipsMs: [40 * dayMs] })
    await db
      .updateTable('devices')
      .set({ visibility: 'private', public_since_ms: null })
      .where('key', '=', key)
      .execute()
    const ask = async (apiKey: string, path: string) => {
      const response = await injectByKey(app, apiKey)({ url: `/api/devices/${id}/${path}` })
      return [response.statusCode, response.json().code]
    }
    const own = await createTestApiKey(owner, ['devices:read'])
    const withoutScope = await createTestApiKey(owner, ['devices:write', 'metrics'])
    const stranger = await createTestApiKey(await signUp(), ['devices:read'])
    for (const path of ['history', 'uptime']) {
      expect(await ask(own.key, path)).toEqual([200, undefined])
      expect(await ask(withoutScope.key, path)).toEqual([403, 'missing_scope'])
      expect(await ask(stranger.key, path)).toEqual([404, 'not_found'])
      expect(await ask(`${own.key}x`, path)).toEqual([401, 'invalid_api_key'])
    }
    const { days } = v.parse(
      DeviceHistory,
      (await injectByKey(app, own.key)({ url: `/api/devices/${id}/history` })).json(),
    )
    expect(days).toHaveLength(41)
  })

  test('HS3 strips cover only the user’s own devices', async () => {
    const { inject, owner, signUp, id } = await setUp({ flipsMs: [dayMs] })
    expect(await strips(owner)).toEqual([
      {
        id,
        days: [
          expect.objectContaining({ day: '2026-01-30', onlineS: 43_200, flips: 1 }),
          expect.objectContaining({ day: '2026-01-31', onlineS: 43_200, status: 'online' }),
        ],
      },
    ])
    expect(await strips(await signUp())).toEqual([])
    expect((await inject({ url: listDeviceStrips.path })).statusCode).toBe(401)
  })

  test('HS4 for a device that flips all day for 90 days at most six days of flips are read', async () => {
    const perDay = 48
    const flipsMs = Array.from(
      { length: 90 * perDay },
      (_, i) => (90 * perDay - i) * (dayMs / perDay),
    )
    const { storage, key, get, inject } = await setUp({ flipsMs })
    const store = sqlHistoryStore(storage.db)
    const past = Array.from({ length: 90 }, (_, i) => dayStart(noonMs) - (i + 1) * dayMs)
    const open = await store.readOpenDays(past.map((startMs) => ({ deviceKey: key, startMs })))
    await store.writeDays(open.map((day) => closeDay(day, [])))
    const { days, flips } = await store.read(key, {
      sinceMs: noonMs - 90 * dayMs,
      detailedMs: [1, 7, 30, 90].map((n) => noonMs - n * dayMs),
    })
    expect([days.length, flips.length]).toEqual([90, 4 * perDay])
    expect((await get({ inject }, 'history')).statusCode).toBe(200)
  })
})
