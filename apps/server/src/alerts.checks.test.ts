import type { AlertRules } from '@astropelago/contract/alert-rules'
import type { CheckStatus } from '@astropelago/contract/checks'
import { expect, test } from 'vitest'
import type { ReadyChannel } from './features/alerts/channels/channel.ts'
import { noReports } from './features/alerts/testing/no-reports.ts'
import { readChecks } from './features/alerts/read-changes.ts'
import { sqlAlertRulesStore } from './features/alerts/sql-alert-rules-store.ts'
import { sqlAlertMessagesStore } from './features/alerts/sql-alert-messages-store.ts'
import { sqlAlertsStore } from './features/alerts/sql-alerts-store.ts'
import { alertUsers } from './features/alerts/alert-users.ts'
import { sqlChecksStore } from './features/checks/sql-checks-store.ts'
import { insertCheck, insertUser } from './test/factories.ts'
import { foundCheck } from './test/found-check.ts'
import { movableClock } from './test/movable-clock.ts'
import { openTestStorage } from './test/open-test-storage.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Alerts about a check of a user who has a channel. */
async function setUp() {
  const storage = await openTestStorage()
  const { db } = storage
  const clock = movableClock(Date.UTC(2026, 0, 1, 12))
  const store = sqlAlertsStore(db)
  const messages = sqlAlertMessagesStore(db)
  const rules = sqlAlertRulesStore(db)
  const checks = sqlChecksStore(storage)
  const channel: ReadyChannel = { key: 1, id: 'c1', kind: 'webhook', name: 'Work' }
  const owner = await insertUser(db)
  const check = await insertCheck(db, { userKey: owner })
  const deps = {
    store,
    messages,
    rules,
    islands: { whoMayGetAlerts: async () => () => false },
    warnings: { read: async () => [] },
    reports: noReports,
    checks,
    channels: {
      readyOf: async (users: readonly number[]) =>
        new Map(users.map((userKey) => [userKey, [channel]])),
    },
    readUnobserved: async () => [],
    windowMs: 5 * minute,
    publicUrl: 'https://sky.example',
  }
  const look = async () => {
    const nowMs = clock.now()
    while (await readChecks(deps, { nowMs, limit: 2 })) continue
    while ((await alertUsers(deps, { nowMs, islandsUntilMs: 0, limit: 25 })) === 25) continue
  }
  const told = async () => {
    const after = { atMs: Number.MAX_SAFE_INTEGER, id: '' }
    const listed = await messages.list(owner, { after, limit: 9 })
    return listed.map(({ message }) => message).toReversed()
  }
  return {
    db,
    clock,
    check,
    owner,
    told,
    become: (status: CheckStatus, note: string | null = null, key = check.key) =>
      checks.record([foundCheck(key, status, { atMs: clock.now(), note })]),
    pass: async (ms: number) => {
      for (let left = ms; left > 0;) {
        const step = left > minute ? 20 * second : second
        left -= step
        clock.move(step)
        await look()
      }
    },
    rule: (changes: Partial<AlertRules>) =>
      rules.changeRules(owner, (before) => ({ ...before, ...changes }), clock.now()),
    titles: async () => (await told()).map(({ title }) => title),
  }
}

const [down, up] = ['Backup is down', 'Backup is up again']

test('[N29] a check that is down alerts its owner with the reason, and so does its recovery', async () => {
  const { check, become, pass, told } = await setUp()
  await become('down', 'It answered 503.')
  await pass(2 * second)
  await pass(2 * minute)
  await become('up')
  await pass(2 * second)
  const url = `https://sky.example/checks/${check.id}`
  expect(await told()).toMatchObject([
    {
      kind: 'offline',
      title: down,
      lines: ['down since Jan 1, 12:00 (UTC): It answered 503.'],
      url,
      items: [{ of: 'check', id: check.id, name: 'Backup', status: 'down', url }],
    },
    {
      kind: 'online',
      title: up,
      lines: ['was down from Jan 1, 12:00 to Jan 1, 12:02 (UTC).'],
      items: [{ of: 'check', status: 'up' }],
    },
  ])
})

test('[N29] several checks are in one message, each with its reason', async () => {
  const { db, owner, become, pass, told } = await setUp()
  const other = await insertCheck(db, { userKey: owner })
  await db.updateTable('checks').set({ name: 'Mail' }).where('key', '=', other.key).execute()
  await become('down', 'It answered 503.')
  await become('down', null, other.key)
  await pass(2 * second)
  expect(await told()).toMatchObject([
    {
      title: '2 checks are down',
      lines: [
        'Backup: down since Jan 1, 12:00 (UTC): It answered 503.',
        'Mail: down since Jan 1, 12:00 (UTC).',
      ],
      url: 'https://sky.example/account/alerts',
    },
  ])
})

test('[N2] [N29] a check that is up within the grace period alerts nobody', async () => {
  const { become, pass, rule, titles } = await setUp()
  await rule({ graceS: 120 })
  await become('down')
  await pass(minute)
  await become('up')
  await pass(5 * minute)
  expect(await titles()).toEqual([])
})

test('[N29] nothing is sent about a check while it is unobserved, and its recovery is sent afterwards', async () => {
  const { become, pass, rule, titles } = await setUp()
  await rule({ repeatHours: 1 })
  await become('down')
  await pass(minute)
  await become('unobserved')
  await pass(3 * hour)
  expect(await titles()).toEqual([down])
  await become('up')
  await pass(2 * second)
  expect(await titles()).toEqual([down, up])
})

test('[N29] reminders go on when a check is down again after it was unobserved', async () => {
  const { become, pass, rule, told } = await setUp()
  await rule({ repeatHours: 1 })
  await become('down')
  await pass(minute)
  await become('unobserved')
  await pass(3 * hour)
  await become('down')
  await pass(2 * second)
  expect((await told()).map(({ lines }) => lines[0])).toEqual([
    'down since Jan 1, 12:00 (UTC).',
    'still down since Jan 1, 12:00 (UTC).',
  ])
})

test('[N29] an outage that was not sent before the check was unobserved is never sent', async () => {
  const { become, pass, rule, told } = await setUp()
  await rule({ graceS: 120 })
  await become('down')
  await pass(minute)
  await become('unobserved')
  await pass(10 * minute)
  await become('down')
  await pass(minute)
  expect(await told()).toEqual([])
  await pass(62 * second)
  expect(await told()).toMatchObject([{ lines: ['down since Jan 1, 12:11 (UTC).'] }])
})

test('[N29] a recovery that waits when the check becomes unobserved is sent once it is up or down', async () => {
  const { become, pass, titles, told } = await setUp()
  await become('down')
  await pass(30 * second)
  await become('up')
  await pass(10 * second)
  await become('unobserved')
  await pass(5 * minute)
  expect(await titles()).toEqual([down])
  await become('up')
  await pass(2 * second)
  expect(await titles()).toEqual([down, up])
  expect((await told())[1]?.lines).toEqual(['was down from Jan 1, 12:00 to Jan 1, 12:00 (UTC).'])
})

test('[N1] [N29] changes that were read are deleted, and a change that is numbered before them is read too', async () => {
  const { db, clock, check, become, pass, titles } = await setUp()
  await become('unobserved')
  await become('down')
  await become('up')
  await pass(2 * second)
  expect(await db.selectFrom('check_alert_queue').selectAll().execute()).toEqual([])
  const late = { sequence: 1, check_key: check.key, kind: 'down', at_ms: clock.now() } as const
  await db.insertInto('check_alert_queue').values(late).execute()
  await pass(2 * minute)
  expect(await titles()).toEqual([up, down])
})
