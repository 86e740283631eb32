import { randomUUID } from 'node:crypto'
import type { AlertRules, SubjectRules } from '@astropelago/contract/alert-rules'
import { expect, test } from 'vitest'
import { DeliverySender } from './features/alerts/send-deliveries.ts'
import { readFlips, readWarnings } from './features/alerts/read-changes.ts'
import { readReports } from './features/alerts/read-reports.ts'
import { sqlAlertMessagesStore } from './features/alerts/sql-alert-messages-store.ts'
import { sqlAlertRulesStore } from './features/alerts/sql-alert-rules-store.ts'
import { sqlAlertsStore } from './features/alerts/sql-alerts-store.ts'
import { alertUsers } from './features/alerts/alert-users.ts'
import { hostile } from './features/alerts/channels/testing/messages.ts'
import type { AlertMessage, ReadyChannel } from './features/alerts/channels/channel.ts'
import { sqlReportsStore } from './features/reports/sql-reports-store.ts'
import { sqlFlipStore } from './features/presence/flips/sql-flip-store.ts'
import { presenceStore } from './features/presence/presence-feature.ts'
import { newReport } from './features/presence/reports/testing/new-report.ts'
import { sqlDeviceReportsStore } from './features/presence/reports/sql-device-reports-store.ts'
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
  const flips = sqlFlipStore(db)
  const store = sqlAlertsStore(db)
  const messages = sqlAlertMessagesStore(db)
  const rules = sqlAlertRulesStore(db)
  const warnings = sqlDeviceReportsStore(storage)
  const reportsStore = sqlReportsStore(storage)
  const operators = new Set<number>()
  const withoutChannel = new Set<number>()
  const channel: ReadyChannel = { key: 1, id: 'c1', kind: 'webhook', name: 'Work' }
  const channels = [channel]
  const unobserved: { readonly fromMs: number; readonly toMs: number }[] = []
  const sent: {
    readonly key: string
    readonly channel: number
    readonly title: string
    readonly lines: readonly string[]
    readonly url: string
  }[] = []
  let isKilled = false
  const deps = {
    store,
    messages,
    rules,
    warnings,
    islands: { whoMayGetAlerts: async () => () => false },
    reports: {
      readNew: reportsStore.readNew,
      countOpen: reportsStore.countOpen,
      operators: async () => [...operators],
    },
    flips,
    channels: {
      readyOf: async (users: readonly number[]) =>
        new Map(users.filter((key) => !withoutChannel.has(key)).map((key) => [key, channels])),
      sendTo: async (channelKey: number, { title, lines, url }: AlertMessage, key: string) => {
        sent.push({ key, channel: channelKey, title, lines, url })
        // A killed server does not record the outcome.
        if (isKilled) throw new Error('killed')
        return { isOk: true, note: 'It answered 204.' } as const
      },
    },
    readUnobserved: async () => unobserved,
    windowMs: 5 * minute,
    publicUrl: 'https://sky.example',
    mayBegin: () => true,
  }
  let sender = new DeliverySender({
    ...deps,
    store: messages,
    clock: clock.now,
    log: { error: () => undefined },
  })
  const look = async () => {
    const nowMs = clock.now()
    while (await readFlips(deps, { nowMs, limit: 100 })) continue
    while (await readWarnings(deps, { nowMs, limit: 100 })) continue
    while (await readReports(deps, { nowMs, limit: 100 })) continue
    const turns = { nowMs, islandsUntilMs: nowMs, limit: 25 }
    while ((await alertUsers(deps, turns)) === 25) continue
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
    const { id } = await db
      .selectFrom('devices')
      .select('id')
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    return { key, id, label }
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
    messages,
    clock,
    unobserved,
    sent,
    withoutChannel,
    operators,
    channels,
    look,
    device,
    comeOnline,
    goOffline,
    insertUser: () => insertUser(db),
    setKilled: (value: boolean) => {
      isKilled = value
      sender = new DeliverySender({
        ...deps,
        store: messages,
        clock: clock.now,
        log: { error: () => undefined },
      })
    },
    rule: (userKey: number, changes: Partial<AlertRules>) =>
      rules.changeRules(userKey, (before) => ({ ...before, ...changes }), clock.now()),
    subjectRule: (userKey: number, key: number, changes: Partial<SubjectRules>) =>
      rules.changeSubjectRules(
        userKey,
        { of: 'device', key },
        (before) => ({ ...before, ...changes }),
        clock.now(),
      ),
    report: (
      reporterKey: number,
      kind: 'device' | 'island' = 'device',
      id: string = randomUUID(),
    ) =>
      reportsStore.insert(
        {
          id: randomUUID(),
          subject: { kind, id },
          reporterKey,
          reason: 'other',
          text: hostile,
          seen: { name: hostile, link: null, author: 'eve' },
          createdMs: clock.now(),
        },
        { perReporter: 1000, sinceMs: 0, open: 1000 },
      ),
    settle: (id: string) => reportsStore.settle({ kind: 'device', id }, 'dismissed', clock.now()),
    say: (deviceKey: number, status: 'ok' | 'fail', text: string | null = null) =>
      warnings.keep([newReport({ deviceKey, atMs: clock.now(), status, text })]),
    maintain: (
      userKey: number,
      { fromMs = clock.now(), forMs = 0, devices = null as string[] | null },
    ) =>
      rules.insertMaintenance(
        userKey,
        {
          id: `w${fromMs}`,
          fromMs,
          toMs: fromMs + forMs,
          devices,
          islands: null,
          checks: null,
          note: null,
        },
        { nowMs: clock.now(), limit: 50 },
      ),
    endMaintenance: (userKey: number, id: string) => rules.endMaintenance(userKey, id, clock.now()),
    /**
     * Moves time as a server does that checks each second, but in steps of five seconds long before the
     * end.
     */
    pass: async (ms: number) => {
      for (let left = ms; left > 0;) {
        const step = left > 15 * second ? 5 * second : second
        left -= step
        clock.move(step)
        await look()
      }
    },
    titles: () => sent.map(({ title }) => title),
  }
}

test('[N6] the first message is sent 2 s after its flip with all that happened meanwhile, the next 60 s later', async () => {
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

test('[N6] devices that go silent together are in one message, even if rules were saved meanwhile', async () => {
  const { insertUser: user, device, comeOnline, goOffline, pass, rule, titles } = await setUp()
  const owner = await user()
  await rule(owner, { graceS: 60 })
  const [one, two] = [await device(owner), await device(owner)]
  await comeOnline(one.key, two.key)
  await goOffline(one.key)
  await pass(second)
  await goOffline(two.key)
  await pass(10 * second)
  await rule(owner, { tellsOnline: false })
  await pass(50 * second)
  expect(titles()).toEqual([])
  await pass(second)
  expect(titles()).toEqual(['2 devices are offline'])
})

test('[N1] users without a channel or with alerts off get no deliveries, and a device that never reported causes none', async () => {
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

test('[N2] [N4] an outage within the grace period causes no alert, a longer one causes two', async () => {
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

test('[N3] an hour without a server is not an hour offline', async () => {
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

test('[N8] quiet hours hold alerts back and send all of them at their end', async () => {
  const {
    insertUser: user,
    device,
    comeOnline,
    goOffline,
    pass,
    rule,
    titles,
    messages,
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
  const [message] = await messages.list(owner, {
    after: { atMs: Number.MAX_SAFE_INTEGER, id: '' },
    limit: 2,
  })
  expect(message?.message.lines).toEqual([
    `${gone.label}: offline since Jan 1, 00:00 (UTC).`,
    `${back.label}: was offline from Jan 1, 00:00 to Jan 1, 00:01 (UTC).`,
  ])
})

test('[N8] a device that recovered in quiet hours and is down again at their end causes both alerts', async () => {
  const { insertUser: user, device, comeOnline, goOffline, pass, rule, sent } = await setUp()
  const owner = await user()
  await rule(owner, { quietHours: { from: '23:00', to: '00:10' } })
  const [once, twice] = [await device(owner), await device(owner)]
  const keys = [once.key, twice.key]
  await comeOnline(...keys)
  await goOffline(...keys)
  await pass(minute)
  await comeOnline(...keys)
  await pass(minute)
  await goOffline(twice.key)
  await pass(minute)
  await comeOnline(twice.key)
  await pass(minute)
  await goOffline(...keys)
  await pass(6 * minute + second)
  expect(sent).toMatchObject([
    {
      title: '2 devices are offline',
      lines: [
        `${once.label}: offline since Jan 1, 00:04; before that from Jan 1, 00:00 to Jan 1, 00:01 (UTC).`,
        `${twice.label}: offline since Jan 1, 00:04; before that 2 times from Jan 1, 00:00 to Jan 1, 00:03 (UTC).`,
      ],
    },
  ])
})

test('[N9] an outage that lasts causes another alert', async () => {
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

test('[N10] a server that is killed before it knows the outcome sends once more, with the same key', async () => {
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

test('[N26] alerts that are due during a pause are sent at its end', async () => {
  const {
    messages,
    clock,
    insertUser: user,
    device,
    comeOnline,
    goOffline,
    pass,
    titles,
  } = await setUp()
  const { key, label } = await device(await user())
  await comeOnline(key)
  await goOffline(key)
  await messages.pause(clock.now())
  await pass(minute)
  expect(titles()).toEqual([])
  await messages.resume()
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

test('[N7] past the day’s limit, a user’s messages wait', async () => {
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

test('[N14] a device’s own rules override its user’s', async () => {
  const { insertUser: user, device, comeOnline, goOffline, ...rest } = await setUp()
  const { pass, rule, subjectRule, titles } = rest
  const owner = await user()
  await rule(owner, { graceS: 600 })
  const [usual, soon, never] = [await device(owner), await device(owner), await device(owner)]
  await subjectRule(owner, soon.key, { graceS: 0, tellsOnline: false })
  await subjectRule(owner, never.key, { isOn: false })
  const keys = [usual.key, soon.key, never.key]
  await comeOnline(...keys)
  await goOffline(...keys)
  await pass(5 * second)
  expect(titles()).toEqual([`${soon.label} is offline`])
  await comeOnline(soon.key)
  await pass(10 * minute)
  expect(titles()).toEqual([`${soon.label} is offline`, `${usual.label} is offline`])
})

test('[N14] a user who turned all alerts off gets none, whatever a device’s own rules say', async () => {
  const { insertUser: user, device, comeOnline, goOffline, ...rest } = await setUp()
  const { pass, rule, subjectRule, titles } = rest
  const owner = await user()
  await rule(owner, { isOn: false })
  const { key } = await device(owner)
  await subjectRule(owner, key, { isOn: true })
  await comeOnline(key)
  await goOffline(key)
  await pass(minute)
  expect(titles()).toEqual([])
})

test('[N15] channels get the alerts that they were chosen for, in one message for each set of channels', async () => {
  const { insertUser: user, device, comeOnline, goOffline, channels, ...rest } = await setUp()
  const { pass, rule, subjectRule, sent } = rest
  channels.push({ key: 2, id: 'c2', kind: 'ntfy', name: 'Phone' })
  const owner = await user()
  await rule(owner, { channels: ['c1'] })
  const devices = [await device(owner), await device(owner), await device(owner)]
  const [one, two, both] = devices
  if (one === undefined || two === undefined || both === undefined) throw new Error('none')
  await subjectRule(owner, both.key, { channels: ['c2', 'c1'] })
  const nowhere = await device(owner)
  await subjectRule(owner, nowhere.key, { channels: ['gone'] })
  const keys = [one.key, two.key, both.key, nowhere.key]
  await comeOnline(...keys)
  await goOffline(...keys)
  await pass(2 * second)
  expect(sent.map(({ channel, title }) => [channel, title])).toEqual([
    [1, '2 devices are offline'],
    [1, `${both.label} is offline`],
    [2, `${both.label} is offline`],
  ])
})

test('[N15] sets of channels beyond a turn’s messages get theirs in the next turn', async () => {
  const { insertUser: user, device, comeOnline, goOffline, channels, ...rest } = await setUp()
  const { pass, subjectRule, titles } = rest
  const owner = await user()
  channels.splice(0)
  const keys: number[] = []
  for (let at = 0; at < 12; at += 1) {
    channels.push({ key: at, id: `c${at}`, kind: 'ntfy', name: 'Phone' })
    const { key } = await device(owner)
    await subjectRule(owner, key, { channels: [`c${at}`] })
    keys.push(key)
  }
  await comeOnline(...keys)
  await goOffline(...keys)
  await pass(5 * second)
  expect(titles()).toHaveLength(10)
  await pass(minute)
  expect(new Set(titles()).size).toBe(12)
  expect(titles()).toHaveLength(12)
})

test('[N16] maintenance causes no new alerts, and an outage at its end gets its grace period then', async () => {
  const { clock, insertUser: user, device, comeOnline, goOffline, ...rest } = await setUp()
  const { pass, rule, maintain, titles } = rest
  const owner = await user()
  await rule(owner, { graceS: 30 })
  const [before, during, stays, other] = [
    await device(owner),
    await device(owner),
    await device(owner),
    await device(owner),
  ]
  const keys = [before.key, during.key, stays.key, other.key]
  await comeOnline(...keys)
  await goOffline(before.key)
  await pass(minute)
  expect(titles()).toEqual([`${before.label} is offline`])
  const devices = [before.id, during.id, stays.id]
  await maintain(owner, { fromMs: clock.now() + minute, forMs: 10 * minute, devices })
  await pass(2 * minute)
  await goOffline(during.key, stays.key, other.key)
  await comeOnline(before.key)
  await pass(2 * minute)
  expect(titles().slice(1)).toEqual([`${before.label} is back online`, `${other.label} is offline`])
  await comeOnline(during.key)
  await pass(7 * minute + 31 * second)
  expect(titles()).toHaveLength(3)
  await pass(second)
  expect(titles().slice(3)).toEqual([`${stays.label} is offline`])
})

test('[N16] ending a maintenance window early begins the grace period at once', async () => {
  const { clock, insertUser: user, device, comeOnline, goOffline, ...rest } = await setUp()
  const { pass, rule, maintain, endMaintenance, titles } = rest
  const owner = await user()
  await rule(owner, { graceS: 30 })
  const { key, label } = await device(owner)
  await comeOnline(key)
  const id = `w${clock.now()}`
  await maintain(owner, { forMs: hour })
  await goOffline(key)
  await pass(minute)
  expect(await endMaintenance(owner, id)).toBe(true)
  await pass(31 * second)
  expect(titles()).toEqual([])
  await pass(second)
  expect(titles()).toEqual([`${label} is offline`])
})

test('[N17] a warning causes an alert at once with the device’s text, and another when it is over', async () => {
  const { insertUser: user, device, comeOnline, pass, rule, say, sent, db } = await setUp()
  const owner = await user()
  await rule(owner, { graceS: 600 })
  const { key, id, label } = await device(owner)
  await comeOnline(key)
  await say(key, 'ok', 'all is well')
  await pass(5 * second)
  await say(key, 'fail', `disk\nfull ${'x'.repeat(300)}`)
  await pass(2 * second)
  await say(key, 'fail', 'still')
  await pass(minute)
  await say(key, 'ok')
  await pass(minute)
  expect(sent.map(({ title }) => title)).toEqual([
    `${label} has a warning`,
    `${label} no longer has a warning`,
  ])
  expect(sent[0]).toMatchObject({
    lines: [`warning since Jan 1, 00:00 (UTC): disk full ${'x'.repeat(190)}…`],
    url: `https://sky.example/devices/${id}`,
  })
  expect(await db.selectFrom('alert_items').selectAll().execute()).toEqual([])
})

test('[N17] a user can turn off warnings of all devices or of one', async () => {
  const { insertUser: user, device, pass, rule, subjectRule, say, titles } = await setUp()
  const [all, one] = [await user(), await user()]
  await rule(all, { tellsWarnings: false })
  const [silent, loud] = [await device(one), await device(one)]
  await subjectRule(one, silent.key, { tellsWarnings: false })
  for (const { key } of [await device(all), silent, loud]) await say(key, 'fail')
  await pass(5 * second)
  expect(titles()).toEqual([`${loud.label} has a warning`])
})

test('[N27] an operator who chose so gets alerts about new reports without any text of users', async () => {
  const { insertUser: user, operators, rule, report, pass, sent } = await setUp()
  const [captain, quiet, ada] = [await user(), await user(), await user()]
  for (const key of [captain, quiet]) operators.add(key)
  await report(ada)
  await pass(5 * second)
  await rule(captain, { tellsReports: true })
  // Users who are no operators may have been operators before.
  await rule(ada, { tellsReports: true })
  await pass(5 * second)
  expect(sent).toEqual([])
  await report(ada, 'device')
  await report(ada, 'island')
  await report(ada, 'island')
  await pass(5 * second)
  expect(sent).toEqual([
    {
      key: expect.any(String),
      channel: 1,
      title: '3 new reports',
      lines: ['Reported: 1 device, 2 islands.', 'Waiting for a decision in all: 4.'],
      url: 'https://sky.example/mothership/reports',
    },
  ])
})

test('AL13 [N27] a flood of reports is one message in five minutes, whatever other alerts there are', async () => {
  const {
    insertUser: user,
    operators,
    rule,
    report,
    pass,
    titles,
    device,
    comeOnline,
    goOffline,
  } = await setUp()
  const [captain, ada] = [await user(), await user()]
  operators.add(captain)
  await rule(captain, { tellsReports: true })
  const pi = await device(captain)
  await comeOnline(pi.key)
  await report(ada)
  await pass(3 * second)
  expect(titles()).toEqual(['1 new report'])
  for (let at = 0; at < 20; at += 1) {
    await report(ada)
    await pass(10 * second)
  }
  await goOffline(pi.key)
  await pass(70 * second)
  expect(titles()).toEqual(['1 new report', `${pi.label} is offline`])
  await pass(40 * second)
  expect(titles()).toEqual(['1 new report', `${pi.label} is offline`, '20 new reports'])
  await pass(hour)
  expect(titles()).toHaveLength(3)
})

test('[N27] reports wait for the end of quiet hours, and those settled by then cause no alert', async () => {
  const { insertUser: user, operators, rule, report, settle, pass, titles, db } = await setUp()
  const [captain, ada] = [await user(), await user()]
  operators.add(captain)
  await rule(captain, { tellsReports: true, quietHours: { from: '00:00', to: '00:30' } })
  await report(ada, 'device', 'left')
  await report(ada, 'device', 'settled')
  await pass(10 * minute)
  expect(titles()).toEqual([])
  await settle('settled')
  await pass(30 * minute)
  expect(titles()).toEqual(['1 new report'])
  await rule(captain, { quietHours: { from: '00:00', to: '01:30' } })
  await report(ada, 'device', 'gone')
  await pass(minute)
  await settle('gone')
  await pass(hour)
  expect(titles()).toEqual(['1 new report'])
  // Operators who turn these alerts off have no items left.
  await rule(captain, { tellsReports: false })
  await pass(second)
  expect(await db.selectFrom('alert_items').selectAll().execute()).toEqual([])
})

test('AL13 [N27] S57 a former operator gets no alerts about reports, not even waiting ones', async () => {
  const { insertUser: user, operators, rule, report, pass, titles, db } = await setUp()
  const [captain, ada] = [await user(), await user()]
  operators.add(captain)
  await rule(captain, { tellsReports: true, quietHours: { from: '00:00', to: '00:30' } })
  await report(ada)
  await pass(minute)
  operators.delete(captain)
  await pass(hour)
  await report(ada)
  await pass(hour)
  expect(titles()).toEqual([])
  expect(await db.selectFrom('alert_items').selectAll().execute()).toEqual([])
})
