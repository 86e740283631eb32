import { expect, test } from 'vitest'
import { insertCheck, insertDevice, insertIsland, insertUser } from '../../test/factories.ts'
import { isOnPostgres, openTestStorage } from '../../test/open-test-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import { alertsStoreContract } from './alerts-store.contract.ts'
import type { ReadyChannel } from './channels/channel.ts'
import { alertMessage } from './channels/testing/messages.ts'
import { sqlAlertRulesStore } from './sql-alert-rules-store.ts'
import { sqlAlertMessagesStore } from './sql-alert-messages-store.ts'
import { sqlAlertsStore } from './sql-alerts-store.ts'

const channel: ReadyChannel = { key: 7, id: 'c7', kind: 'webhook', name: 'Work' }

alertsStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlAlertsStore(db),
    messages: sqlAlertMessagesStore(db),
    insertUser: () => insertUser(db),
    insertDevice: (userKey) => insertDevice(db, userKey),
    insertIsland: async (hostKey) => (await insertIsland(db, { hostKey })).key,
    insertCheck: async (userKey) => (await insertCheck(db, { userKey })).key,
    deleteFrom: async (table, key) => {
      await db.deleteFrom(table).where('key', '=', key).execute()
    },
  }
})

/** An offline device, and stores of a server that leads in a given term. */
async function setUp() {
  const storage = await openTestStorage()
  const { db } = storage
  const userKey = await insertUser(db)
  const deviceKey = await insertDevice(db, userKey)
  const lead = async (writer: number, term: number) => {
    if (isOnPostgres()) {
      await db.updateTable('leadership').set({ writer, term }).execute()
    }
    return sqlAlertsStore(db, () => ({ writer, term }))
  }
  const subject = { userKey, of: 'device', key: deviceKey } as const
  const away = { ...subject, sinceMs: 5, endedMs: null, times: 1, toldMs: null }
  return {
    storage,
    messages: sqlAlertMessagesStore(db),
    userKey,
    lead,
    read: {
      changed: [{ subject, items: { away } }],
      dueMs: new Map([[userKey, 2005]]),
      cursor: { kind: 'flips', reader: 'alerts', writer: 1, sequence: 9 } as const,
    },
    told: {
      userKey,
      dueMs: null,
      messages: [{ id: 'm1', message: alertMessage(), channels: [channel] }],
      changed: [{ subject, items: { away: { ...away, toldMs: 2005 } } }],
    },
  }
}

async function kept({ db }: Storage) {
  return {
    items: await db.selectFrom('alert_items').selectAll().execute(),
    turns: await db.selectFrom('alert_turns').selectAll().execute(),
    messages: await db.selectFrom('alert_messages').selectAll().execute(),
    deliveries: await db.selectFrom('alert_deliveries').selectAll().execute(),
    cursors: await db.selectFrom('presence_event_cursors').selectAll().execute(),
  }
}

test.runIf(isOnPostgres())(
  '[N13] a server whose term is over writes none of the changes that it read, and makes no message',
  async () => {
    const { storage, messages, userKey, lead, read, told } = await setUp()
    const first = await lead(1, 4)
    const empty = await kept(storage)
    await lead(2, 5)
    await expect(first.storeRead(read)).rejects.toThrow('another server sends alerts')
    await expect(first.endTurns([told], 2005)).rejects.toThrow('another server sends alerts')
    expect(await kept(storage)).toEqual(empty)
    // It leads again. What it read in its earlier term is older than what was sent since.
    const again = await lead(1, 6)
    await expect(first.storeRead(read)).rejects.toThrow('another server sends alerts')
    await again.storeRead(read)
    const before = await kept(storage)
    expect(before.items).toHaveLength(1)
    await expect(first.endTurns([told], 2005)).rejects.toThrow('another server sends alerts')
    expect(await kept(storage)).toEqual(before)
    await again.endTurns([told], 2005)
    expect(await messages.count(userKey)).toBe(1)
  },
)

test.runIf(!isOnPostgres())(
  '[N13] a server that has its database alone needs no term',
  async () => {
    const { messages, userKey, lead, read, told } = await setUp()
    const store = await lead(1, 4)
    await lead(2, 5)
    await store.storeRead(read)
    await store.endTurns([told], 2005)
    expect(await messages.count(userKey)).toBe(1)
  },
)

test('[N13] a former leader’s late report about a try does not undo that a message was sent', async () => {
  const { messages, userKey, lead, read, told } = await setUp()
  const store = await lead(1, 4)
  await store.storeRead(read)
  await store.endTurns([told], 2005)
  const limit = { all: 10, ofUser: 4 }
  const [delivery] = await messages.dueDeliveries(2005, limit)
  if (delivery === undefined) throw new Error('nothing is due')
  const tried = { triedMs: 2010, answer: 'It answered 204.' }
  await messages.recordTry(delivery, { ...tried, state: 'sent', nextMs: null })
  await messages.recordTry(delivery, { ...tried, state: 'waiting', nextMs: 12_010 })
  expect(await messages.dueDeliveries(99_000, limit)).toEqual([])
  const after = { atMs: Number.MAX_SAFE_INTEGER, id: '' }
  const [message] = await messages.list(userKey, { after, limit: 1 })
  expect(message?.deliveries).toMatchObject([{ state: 'sent', tries: 1 }])
})

test('[N2] rules that change during a turn make another turn due', async () => {
  const { storage, userKey, lead, read, told } = await setUp()
  const store = await lead(1, 4)
  await store.storeRead(read)
  expect(await store.dueTurns(2005, 1)).toHaveLength(1)
  await sqlAlertRulesStore(storage.db).changeRules(
    userKey,
    (rules) => ({ ...rules, graceS: 60 }),
    2006,
  )
  await store.endTurns([{ userKey, dueMs: 900_000, messages: [], changed: [] }], 2005)
  expect(await store.dueTurns(2006, 1)).toHaveLength(1)
  await store.endTurns([told], 2006)
  expect(await store.dueTurns(900_000, 1)).toEqual([])
})
