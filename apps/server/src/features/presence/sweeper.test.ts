import { expect, test } from 'vitest'
import { Topic } from '../../topic.ts'
import { deadlineRule } from './deadline-rule.ts'
import { OnlineQueue } from './online-queue.ts'
import type { Flip } from './presence-store.ts'
import { createServerOutages } from './server-outages.ts'
import { createSweeper } from './sweeper.ts'
import { setUpPresence } from './testing/set-up-presence.ts'

test('[P6] a device with a schedule whose heartbeat waits for its commit is left to the next sweep', async () => {
  const { store } = await setUpPresence()
  const queue = new OnlineQueue()
  const outages = createServerOutages({
    store,
    now: () => 0,
    windowMs: 1,
    log: { warn: () => undefined },
    judges: () => true,
    silences: () => new Map(),
    oldestOwnMs: () => 0,
  })
  const own = deadlineRule('{"kind":"period","periodS":60,"graceS":0}')
  const recorded: Flip[] = []
  const waiting = new Set([2])
  const sweep = createSweeper({
    store: {
      recordOffline: async (flips) => {
        recorded.push(...flips)
        return flips.map(({ deviceKey }) => deviceKey)
      },
      read: async () => [],
    },
    queue,
    heartbeats: { alone: (task) => task(), has: (key) => waiting.has(key) },
    outages,
    rulesOf: () => ({ windowMs: 1, outages: [], own }),
    flips: new Topic(),
    now: () => 0,
  })
  for (const key of [1, 2]) {
    queue.setApart(key, true)
    queue.touch(key, 0)
  }
  await sweep(60_000)
  expect(recorded).toEqual([{ deviceKey: 1, lastSeenMs: 0, atMs: 60_000 }])
  waiting.clear()
  await sweep(61_000)
  expect(recorded.map(({ deviceKey }) => deviceKey)).toEqual([1, 2])
})
