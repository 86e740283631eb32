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
import { noReports } from './testing/no-reports.ts'

test('[N25] AL12 islands that open and close endlessly do not delay alerts about devices', async () => {
  const storage = await openTestStorage()
  const userKey = await insertUser(storage.db)
  const deviceKey = await insertDevice(storage.db, userKey)
  const nowMs = 1_000_000
  const error = vi.fn<() => void>()
  const schedule = new Schedule({ error })
  const flips = {
    writer: 0,
    sequences: [1],
    deviceKeys: [deviceKey],
    deviceIds: ['attic'],
    ownerKeys: [userKey],
    statuses: ['offline' as const],
    atMs: [0],
  }
  const pages = [flips]
  const channel = { key: 1, id: 'c1', kind: 'webhook', name: 'Work' } as const
  const sent: AlertMessage[] = []
  alertsFeature(
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
      config: { publicUrl: 'https://sky.example', onlineWindowMs: 300_000 },
      flips: { read: async () => pages.pop() },
      warnings: { readChanges: async () => [], read: async () => [] },
      islands: {
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
        whoMayGetAlerts: async () => () => false,
        recordedUntilMs: () => nowMs,
        find: () => expect.unreachable(),
        areKnown: () => expect.unreachable(),
      },
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
  schedule.start()
  await vi.waitFor(() => expect(sent).toHaveLength(1), 10_000)
  await schedule.stop()
  expect(sent[0]?.title).toMatch(/is offline$/)
  expect(error).not.toHaveBeenCalled()
})
