import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { changesOf } from '../../cluster/cluster-feature.ts'
import { alone } from '../../cluster/cluster.ts'
import { createMetrics } from '../../metrics.ts'
import { Schedule } from '../../schedule.ts'
import { insertDevice, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { alertsFeature } from './alerts-feature.ts'
import type { AlertMessage } from './channels/channel.ts'
import { sqlAlertRulesStore } from './sql-alert-rules-store.ts'
import { noReports } from './testing/no-reports.ts'

const channel = { key: 1, id: 'c1', kind: 'webhook', name: 'Work' } as const

type Options = Parameters<typeof alertsFeature>[1]

/** Alerts of a server whose users all have one channel. */
async function openAlerts(options: Pick<Options, 'flips' | 'islands'>, nowMs: number) {
  const storage = await openTestStorage()
  const userKey = await insertUser(storage.db)
  const error = vi.fn<() => void>()
  const schedule = new Schedule({ error })
  const sent: AlertMessage[] = []
  const alerts = alertsFeature(
    {
      storage,
      schedule,
      log: pino({ level: 'silent' }),
      cluster: alone,
      changes: changesOf(storage, alone),
      clock: () => nowMs,
      metrics: createMetrics(),
      audit: { note: async () => undefined, begin: () => expect.unreachable() },
    },
    {
      ...options,
      config: { publicUrl: 'https://sky.example', onlineWindowMs: 300_000 },
      warnings: { readChanges: async () => [], read: async () => [] },
      checks: { readChanges: async () => [] },
      reports: noReports,
      channels: {
        idsOf: async () => [channel.id],
        countKinds: async () => [],
        readyOf: async () => new Map([[userKey, [channel]]]),
        sendTo: async (_, message) => {
          sent.push(message)
          return { isOk: true, note: '' }
        },
      },
      history: { readUnobserved: async () => [] },
      presence: { recordedUntilMs: () => nowMs },
    },
  )
  return { storage, userKey, error, schedule, sent, alerts }
}

const noIslands: Options['islands'] = {
  readChanges: async () => [],
  whoMayGetAlerts: async () => () => false,
  recordedUntilMs: () => 0,
  find: () => expect.unreachable(),
  areKnown: () => expect.unreachable(),
}

test('[N28] other messages go to a user’s channels, but not in quiet hours or with alerts off', async () => {
  const noon = Date.UTC(2026, 0, 1, 12)
  const parts = { flips: { read: async () => undefined }, islands: noIslands }
  const { storage, userKey, schedule, sent, alerts } = await openAlerts(parts, noon)
  const send = () =>
    alerts.send(userKey, { title: 'A domain is lost', lines: ['Why'], path: '/islands' })
  const rules = sqlAlertRulesStore(storage.db)
  const change = (changes: object) =>
    rules.changeRules(userKey, (now) => ({ ...now, ...changes }), noon)
  await change({ timeZone: 'UTC', quietHours: { from: '11:00', to: '13:00' } })
  expect(await send()).toBe(false)
  await change({ quietHours: null, isOn: false })
  expect(await send()).toBe(true)
  await change({ isOn: true })
  expect(await send()).toBe(true)
  schedule.start()
  await vi.waitFor(() => expect(sent).toHaveLength(1), 10_000)
  await schedule.stop()
  expect(sent).toMatchObject([{ title: 'A domain is lost', url: 'https://sky.example/islands' }])
})

test('[N25] AL12 islands that open and close endlessly do not delay alerts about devices', async () => {
  const nowMs = 1_000_000
  let keys = { userKey: 0, deviceKey: 0 }
  const pages = [0]
  const flips: Options['flips'] = {
    read: async () =>
      pages.pop() === undefined
        ? undefined
        : {
            writer: 0,
            sequences: [1],
            deviceKeys: [keys.deviceKey],
            deviceIds: ['attic'],
            ownerKeys: [keys.userKey],
            statuses: ['offline' as const],
            atMs: [0],
          },
  }
  const islands: Options['islands'] = {
    ...noIslands,
    recordedUntilMs: () => nowMs,
    readChanges: async () => [
      {
        sequence: 1,
        islandKey: 1,
        islandId: 'isle',
        hostKey: null,
        kind: 'closed',
        atMs: 0,
        alertedUserKey: 0,
      },
    ],
  }
  const { storage, userKey, error, schedule, sent } = await openAlerts({ flips, islands }, nowMs)
  keys = { userKey, deviceKey: await insertDevice(storage.db, userKey) }
  schedule.start()
  await vi.waitFor(() => expect(sent).toHaveLength(1), 10_000)
  await schedule.stop()
  expect(sent[0]?.title).toMatch(/is offline$/)
  expect(error).not.toHaveBeenCalled()
})
