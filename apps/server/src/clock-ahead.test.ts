import { expect, test } from 'vitest'
import type { ReadyChannel } from './features/alerts/channels/channel.ts'
import { alertMessage } from './features/alerts/channels/testing/messages.ts'
import { sqlAlertMessagesStore } from './features/alerts/sql-alert-messages-store.ts'
import { sqlAlertsStore } from './features/alerts/sql-alerts-store.ts'
import { sqlIslandHistoryStore } from './features/islands/history/sql-island-history-store.ts'
import { presenceStore } from './features/presence/presence-feature.ts'
import { newReport } from './features/presence/reports/testing/new-report.ts'
import { sqlDeviceReportsStore } from './features/presence/reports/sql-device-reports-store.ts'
import { insertDevice, insertIsland, insertUser } from './test/factories.ts'
import { openTestStorage } from './test/open-test-storage.ts'

const nowMs = 1000
const aheadMs = 9000
const channel: ReadyChannel = { key: 7, id: 'c7', kind: 'webhook', name: 'Work' }

/** A database with times from a run with the clock ahead, and a start that corrects them. */
async function setUp() {
  const storage = await openTestStorage()
  return { storage, db: storage.db, start: () => presenceStore(storage).clampTimes(nowMs) }
}

test('S50 [P10] reports of a device are accepted after a run with the clock ahead', async () => {
  const { storage, db, start } = await setUp()
  const store = sqlDeviceReportsStore(storage)
  const deviceKey = await insertDevice(db)
  const say = async (status: 'ok' | 'fail', atMs: number) => {
    await store.keep([newReport({ deviceKey, atMs, status })])
    const [stored] = await store.read([deviceKey])
    return stored
  }
  await say('fail', 500)
  await say('fail', aheadMs)
  await start()
  expect(await store.read([deviceKey])).toMatchObject([{ atMs: nowMs, sinceMs: 500 }])
  expect(await say('ok', nowMs + 1)).toMatchObject({ status: 'ok', sinceMs: nowMs + 1 })
  await say('fail', aheadMs)
  await start()
  expect(await store.read([deviceKey])).toMatchObject([{ atMs: nowMs, sinceMs: nowMs }])
})

test('S50 [HI2] the history of an island goes on after a run with the clock ahead', async () => {
  const { db, start } = await setUp()
  const store = sqlIslandHistoryStore(db)
  const audience = { members: true, users: true, everybody: false }
  const noteAll = async (islandKey: number, kinds: Readonly<Record<number, 'open' | 'closed'>>) => {
    for (const [at, kind] of Object.entries(kinds)) {
      const atMs = Number(at)
      const found = { islandKey, kind, sinceMs: atMs, firstMs: atMs, audience }
      await store.record([found], { nowMs: atMs, maxEvents: 100 })
    }
  }
  const islands = {
    unchanged: { 500: 'open', 600: 'closed', 8000: 'open', [aheadMs]: 'closed' },
    closed: { 500: 'open', [nowMs]: 'closed', 8000: 'open', [aheadMs]: 'closed' },
    first: { 8000: 'closed', [aheadMs]: 'open' },
    past: { 500: 'open', [nowMs]: 'closed' },
  } as const
  const keys = new Map<string, number>()
  for (const [name, kinds] of Object.entries(islands)) {
    const { key } = await insertIsland(db)
    keys.set(name, key)
    await noteAll(key, kinds)
  }
  await start()
  const read = async (name: keyof typeof islands) => {
    const events = await store.read(keys.get(name) ?? 0, 0)
    return Object.fromEntries(events.map(({ atMs, kind }) => [atMs, kind]))
  }
  expect(await read('unchanged')).toEqual({ 500: 'open', 600: 'closed' })
  expect(await read('closed')).toEqual({ 500: 'open', [nowMs]: 'closed' })
  expect(await read('first')).toEqual({ [nowMs]: 'open' })
  expect(await read('past')).toEqual(islands.past)
  const known = await db.selectFrom('island_visible_since').selectAll().execute()
  const since = new Map(known.map((row) => [row.island_key, row]))
  const first = { members_ms: nowMs, users_ms: nowMs, everybody_ms: null }
  expect(since.get(keys.get('first') ?? 0)).toMatchObject(first)
  expect(since.get(keys.get('past') ?? 0)).toMatchObject({ members_ms: 500, users_ms: 500 })
  const changes = await store.readChanges(100)
  expect(changes.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs)).toEqual([])
  await noteAll(keys.get('first') ?? 0, { 1100: 'closed' })
  expect(await read('first')).toEqual({ [nowMs]: 'open', 1100: 'closed' })
})

test('S50 [H6] a device that became public while the clock was ahead is public since now', async () => {
  const { db, start } = await setUp()
  const devices = new Map<number, number | null>()
  for (const publicMs of [500, aheadMs, null]) {
    const key = await insertDevice(db)
    devices.set(key, publicMs === aheadMs ? nowMs : publicMs)
    await db
      .updateTable('devices')
      .set({ public_since_ms: publicMs })
      .where('key', '=', key)
      .execute()
  }
  await start()
  const rows = await db.selectFrom('devices').select(['key', 'public_since_ms']).execute()
  expect(new Map(rows.map((row) => [row.key, row.public_since_ms]))).toEqual(devices)
})

test('S50 alerts from a run with the clock ahead are due now and do not delay others', async () => {
  const { db, start } = await setUp()
  const store = sqlAlertsStore(db)
  const userKey = await insertUser(db)
  const subject = { userKey, of: 'device', key: await insertDevice(db, userKey) } as const
  const away = { ...subject, sinceMs: aheadMs, endedMs: null, times: 1, toldMs: aheadMs }
  const over = { ...subject, sinceMs: 500, endedMs: aheadMs, times: 1, toldMs: 600 }
  const messages = [{ id: 'm', message: alertMessage(), channels: [channel] }]
  const cursor = { kind: 'source', source: 'warnings', position: 1 } as const
  const end = { userKey, dueMs: aheadMs, messages, changed: [{ subject, items: { away, over } }] }
  await store.storeRead({ changed: [], dueMs: new Map([[userKey, 5]]), cursor })
  await store.endTurns([end], aheadMs)
  await start()
  expect(await store.findTurn(userKey)).toEqual({ userKey, dueMs: nowMs, toldMs: nowMs })
  const items = {
    away: { ...away, sinceMs: nowMs, toldMs: nowMs },
    over: { ...over, endedMs: nowMs },
  }
  expect([...(await store.itemsOf([subject])).values()]).toEqual([items])
  const messagesStore = sqlAlertMessagesStore(db)
  const [due] = await messagesStore.dueDeliveries(nowMs, { all: 9, ofUser: 9 })
  expect(due).toMatchObject({ id: 'm', atMs: nowMs })
  expect(await messagesStore.timesSince(userKey, 0)).toEqual([nowMs])
})
