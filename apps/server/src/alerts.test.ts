import type { AlertRules } from '@astropelago/contract/alerts'
import { expect, test } from 'vitest'
import { DeliverySender } from './features/alerts/send-deliveries.ts'
import { sqlOperatorAlertsStore } from './features/alerts/operator/sql-operator-alerts-store.ts'
import { readFlips } from './features/alerts/read-flips.ts'
import { sqlAlertsStore } from './features/alerts/sql-alerts-store.ts'
import { tellUsers } from './features/alerts/tell-users.ts'
import type { ReadyChannel } from './features/alerts/channels/channel.ts'
import { sqlFlipOutbox } from './features/presence/flips/sql-flip-outbox-store.ts'
import { presenceStore } from './features/presence/presence-feature.ts'
import { insertDevice, insertUser } from './test/factories.ts'
import { movableClock } from './test/movable-clock.ts'
import { openTestStorage } from './test/open-test-storage.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

async function setUp() {
  const storage = await openTestStorage()
  const { db } = storage
  const clock = movableClock()
  const presence = presenceStore(storage)
  const flips = sqlFlipOutbox(db)
  const store = sqlAlertsStore(db)
  const withoutChannel = new Set<number>()
  const channel: ReadyChannel = { key: 1, id: 'c1', kind: 'webhook', name: 'Work', state: 'ready' }
  const unobserved: { readonly fromMs: number; readonly toMs: number }[] = []
  const sent: { readonly key: string; readonly title: string }[] = []
  let isKilled = false
  const deps = {
    store,
    flips,
    channels: {
      readyOf: async (users: readonly number[]) =>
        new Map(users.filter((key) => !withoutChannel.has(key)).map((key) => [key, [channel]])),
      sendTo: async (_: number, { title }: { readonly title: string }, key: string) => {
        sent.push({ key, title })
        // A server that is killed writes down nothing of what came of it.
        if (isKilled) throw new Error('killed')
        return { isOk: true, note: 'It answered 204.' } as const
      },
    },
    readUnobserved: async () => unobserved,
    windowMs: 5 * minute,
    publicUrl: 'https://sky.example',
  }
  let sender = new DeliverySender({ ...deps, clock: clock.now, log: { error: () => undefined } })
  const look = async () => {
    const nowMs = clock.now()
    while (await readFlips(deps, { nowMs, limit: 100 })) continue
    while ((await tellUsers(deps, { nowMs, limit: 25 })) === 25) continue
    await sender.begin()
    await sender.settled()
  }
  const device = async (userKey: number) => {
    const key = await insertDevice(db)
    const label = `Device ${key}`
    await db
      .updateTable('devices')
      .set({ user_key: userKey, label })
      .where('key', '=', key)
      .execute()
    return { key, label }
  }
  const comeOnline = async (...keys: number[]) => {
    await presence.commitHeartbeats({ atMs: clock.now(), stayed: [], cameOnline: keys })
  }
  const goOffline = async (...keys: number[]) => {
    const records = await presence.read(keys)
    const atMs = clock.now()
    await presence.recordOffline(
      records.map(({ deviceKey, lastSeenMs }) => ({ deviceKey, lastSeenMs, atMs })),
      atMs,
    )
  }
  return {
    db,
    store,
    clock,
    unobserved,
    sent,
    withoutChannel,
    look,
    device,
    comeOnline,
    goOffline,
    insertUser: () => insertUser(db),
    setKilled: (value: boolean) => {
      isKilled = value
      sender = new DeliverySender({ ...deps, clock: clock.now, log: { error: () => undefined } })
    },
    rule: (userKey: number, changes: Partial<AlertRules>) =>
      store.changeRules(userKey, (rules) => ({ ...rules, ...changes }), clock.now()),
    /** Time passes as it does for a server that looks every second. */
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += second) {
        clock.move(second)
        await look()
      }
    },
    titles: () => sent.map(({ title }) => title),
  }
}

test('[N6] the first message goes out 2 s after its flip with all that came meanwhile, the next 60 s later', async () => {
  const { insertUser: user, device, comeOnline, goOffline, pass, titles } = await setUp()
  const owner = await user()
  const [one, two, three] = [await device(owner), await device(owner), await device(owner)]
  await comeOnline(one.key, two.key, three.key)
  await pass(5 * second)
  expect(titles()).toEqual([])
  await goOffline(one.key)
  await pass(second)
  await goOffline(two.key)
  expect(titles()).toEqual([])
  await pass(second)
  expect(titles()).toEqual(['2 devices are offline'])
  await goOffline(three.key)
  await comeOnline(one.key)
  await pass(59 * second)
  expect(titles()).toHaveLength(1)
  await pass(2 * second)
  expect(titles()[1]).toBe(`${three.label} is offline, ${one.label} is back online`)
})

test('[N1] who has no channel, or wants nothing, has nothing kept; never-reported devices are never told of', async () => {
  const {
    db,
    withoutChannel,
    insertUser: user,
    device,
    comeOnline,
    goOffline,
    ...rest
  } = await setUp()
  const { pass, rule, titles } = rest
  const [without, off] = [await user(), await user()]
  withoutChannel.add(without)
  await rule(off, { isOn: false })
  const devices = [await device(without), await device(off)]
  await device(await user())
  const keys = devices.map(({ key }) => key)
  await comeOnline(...keys)
  await goOffline(...keys)
  await pass(hour / 30)
  expect(titles()).toEqual([])
  expect(await db.selectFrom('alert_items').selectAll().execute()).toEqual([])
})

test('[N2] [N4] within the grace nothing is told, past it both ends are', async () => {
  const { insertUser: user, device, comeOnline, goOffline, pass, rule, titles } = await setUp()
  const owner = await user()
  await rule(owner, { graceS: 120 })
  const { key, label } = await device(owner)
  await comeOnline(key)
  await goOffline(key)
  await pass(119 * second)
  await comeOnline(key)
  await pass(5 * minute)
  expect(titles()).toEqual([])
  await goOffline(key)
  await pass(2 * minute + 3 * second)
  expect(titles()).toEqual([`${label} is offline`])
  await comeOnline(key)
  await pass(2 * minute)
  expect(titles()).toEqual([`${label} is offline`, `${label} is back online`])
})

test('[N3] an hour without a server is no hour offline', async () => {
  const { clock, unobserved, insertUser: user, device, ...rest } = await setUp()
  const { comeOnline, goOffline, pass, rule, titles } = rest
  const owner = await user()
  await rule(owner, { graceS: 600 })
  const { key } = await device(owner)
  await comeOnline(key)
  await goOffline(key)
  await pass(minute)
  const fromMs = clock.now()
  clock.move(hour)
  unobserved.push({ fromMs, toMs: clock.now() })
  await pass(4 * minute)
  await comeOnline(key)
  await pass(10 * minute)
  expect(titles()).toEqual([])
})

test('[N8] quiet hours hold back, and tell of all once they are over', async () => {
  const {
    insertUser: user,
    device,
    comeOnline,
    goOffline,
    pass,
    rule,
    titles,
    store,
  } = await setUp()
  const owner = await user()
  // The clock starts at midnight UTC.
  await rule(owner, { quietHours: { from: '23:00', to: '00:10' } })
  const [gone, back] = [await device(owner), await device(owner)]
  await comeOnline(gone.key, back.key)
  await goOffline(gone.key, back.key)
  await pass(minute)
  await comeOnline(back.key)
  await pass(8 * minute)
  expect(titles()).toEqual([])
  await pass(minute + second)
  expect(titles()).toEqual([`${gone.label} is offline, ${back.label} is back online`])
  const [message] = await store.listMessages(owner, {
    after: { atMs: Number.MAX_SAFE_INTEGER, id: '' },
    limit: 2,
  })
  expect(message?.message.lines).toEqual([
    `${gone.label}: offline since 1 Jan, 00:00 (UTC).`,
    `${back.label}: was offline from 1 Jan, 00:00 to 1 Jan, 00:01 (UTC).`,
  ])
})

test('[N9] what stays away is told again', async () => {
  const { clock, insertUser: user, device, ...rest } = await setUp()
  const { comeOnline, goOffline, pass, rule, titles } = rest
  const owner = await user()
  await rule(owner, { repeatHours: 1 })
  const { key } = await device(owner)
  await comeOnline(key)
  await goOffline(key)
  await pass(2 * second)
  clock.move(hour - 2 * second)
  await pass(second)
  expect(titles()).toHaveLength(1)
  await pass(second)
  expect(titles()).toHaveLength(2)
})

test('[N10] one that is killed before it knows what came of it sends once more, with the same key', async () => {
  const { insertUser: user, device, comeOnline, goOffline, pass, sent, setKilled } = await setUp()
  const { key } = await device(await user())
  await comeOnline(key)
  await goOffline(key)
  setKilled(true)
  await pass(2 * second)
  expect(sent).toHaveLength(1)
  setKilled(false)
  await pass(5 * minute)
  expect(sent).toHaveLength(2)
  expect(sent[1]?.key).toBe(sent[0]?.key)
})

test('[N26] what is to be told during a pause is sent at its end', async () => {
  const { db, clock, insertUser: user, device, comeOnline, goOffline, pass, titles } = await setUp()
  const operatorAlerts = sqlOperatorAlertsStore(db)
  const { key, label } = await device(await user())
  await comeOnline(key)
  await goOffline(key)
  await operatorAlerts.pause(clock.now())
  await pass(minute)
  expect(titles()).toEqual([])
  await operatorAlerts.resume()
  await pass(second)
  expect(titles()).toEqual([`${label} is offline`])
})

test(
  '[N6] 1,000 devices of 100 users: each user gets one message',
  { timeout: 120_000 },
  async () => {
    const { insertUser: user, device, comeOnline, goOffline, pass, titles } = await setUp()
    const keys: number[] = []
    const owners = await Promise.all(Array.from({ length: 100 }, user))
    for (let of = 0; of < 10; of += 1) {
      const devices = await Promise.all(owners.map(device))
      keys.push(...devices.map(({ key }) => key))
    }
    await comeOnline(...keys)
    await goOffline(...keys)
    await pass(3 * second)
    expect(titles()).toEqual(Array.from({ length: 100 }, () => '10 devices are offline'))
  },
)

test('[N7] past the day’s limit a user’s messages wait', async () => {
  const { db, clock, insertUser: user, device, comeOnline, goOffline, pass, titles } = await setUp()
  const owner = await user()
  const { key } = await device(owner)
  const message = JSON.stringify({
    kind: 'offline',
    title: '',
    lines: [],
    url: '',
    atMs: 0,
    items: [],
  })
  await db
    .insertInto('alert_messages')
    .values(
      Array.from({ length: 200 }, (_, at) => ({
        id: `old-${at}`,
        user_key: owner,
        at_ms: clock.now() - 86_400_000 + 10 * minute + at,
        message,
      })),
    )
    .execute()
  await comeOnline(key)
  await goOffline(key)
  await pass(9 * minute)
  expect(titles()).toEqual([])
  await pass(minute + second)
  expect(titles()).toHaveLength(1)
})
