import type { KeyedQueue } from '../../keyed-queue.ts'
import { inSteps } from '../../steps.ts'
import type { Topic } from '../../topic.ts'
import type { OnlineQueue } from './online-queue.ts'
import type { Flip, FlipListener, PresenceStore } from './presence-store.ts'
import type { ServerOutages } from './server-outages.ts'
import { deadlineMs, type PresenceRules } from './status.ts'

/** Flips in one transaction, so that heartbeats get their turn between two transactions. */
const flipsPerCommit = 500
/** How long finding deadlines may hold up everything else. */
const turnMs = 20
const lookAgainMs = 60_000

/** Records devices as offline whose deadline has passed ([P2]). Only a server that judges devices sweeps. */
export function createSweeper(options: {
  readonly store: Pick<PresenceStore, 'recordOffline' | 'read'>
  readonly queue: OnlineQueue
  readonly heartbeats: Pick<KeyedQueue<number>, 'alone' | 'has'>
  readonly outages: ServerOutages
  readonly rulesOf: (deviceKey: number) => PresenceRules
  readonly flips: Topic<Parameters<FlipListener>>
  readonly now: () => number
}) {
  const { store, queue, heartbeats, outages, rulesOf, flips: published, now } = options

  const dueFlips = (untilMs: number): readonly Flip[] => {
    const rules = outages.rules()
    const rulesByTaker = new Map<number | undefined, PresenceRules>()
    const flips: Flip[] = []
    for (const deviceKey of queue.longestSilentFirst()) {
      const lastSeenMs = queue.lastSeenMs(deviceKey)
      if (lastSeenMs === null) continue
      const atMs = deadlineMs(lastSeenMs, rules)
      if (atMs > untilMs || flips.length >= flipsPerCommit) break
      // Its heartbeat is here, but not durable yet.
      if (heartbeats.has(deviceKey)) continue
      const taker = queue.taker(deviceKey)
      const ownRules = rulesByTaker.get(taker) ?? outages.rulesOf(taker)
      rulesByTaker.set(taker, ownRules)
      const dueMs = deadlineMs(lastSeenMs, ownRules)
      if (dueMs <= untilMs) flips.push({ deviceKey, lastSeenMs, atMs: dueMs })
    }
    return flips
  }

  /** The same for devices with schedules of their own. `isDone` if there are no more. */
  const dueOwnFlips = (untilMs: number) => {
    const endMs = performance.now() + turnMs
    const flips: Flip[] = []
    while (flips.length < flipsPerCommit && performance.now() < endMs) {
      const deviceKey = queue.takeApart(untilMs)
      if (deviceKey === undefined) return { flips, isDone: true }
      const lastSeenMs = queue.lastSeenMs(deviceKey)
      if (lastSeenMs === null || !queue.isOnline(deviceKey)) continue
      const dueMs = deadlineMs(lastSeenMs, rulesOf(deviceKey))
      if (heartbeats.has(deviceKey)) queue.lookAt(deviceKey, untilMs + 1)
      else if (dueMs <= untilMs) flips.push({ deviceKey, lastSeenMs, atMs: dueMs })
      // An outage that lasts, or one that is forgotten, makes this earlier.
      else queue.lookAt(deviceKey, Math.min(dueMs, untilMs + lookAgainMs))
    }
    return { flips, isDone: false }
  }

  /** Another server took a heartbeat, or the device was deleted. The record decides ([P6]). */
  const reread = async (deviceKeys: readonly number[]) => {
    const records = await store.read(deviceKeys)
    const found = new Map(records.map((record) => [record.deviceKey, record]))
    for (const key of deviceKeys) {
      const record = found.get(key)
      if (record === undefined) queue.forget(key)
      else if (!record.isOnline) queue.touchUnrecorded(key, record.lastSeenMs)
      else queue.touch(key, record.lastSeenMs)
    }
  }

  const flipDue = async (untilMs: number): Promise<boolean> => {
    const flips = dueFlips(untilMs)
    if (flips.length > 0) await record(flips)
    return flips.length > 0
  }

  const flipOwnDue = async (untilMs: number): Promise<boolean> => {
    const { flips, isDone } = dueOwnFlips(untilMs)
    // They stay due if recording them fails.
    for (const { deviceKey, atMs } of flips) queue.lookAt(deviceKey, atMs)
    if (flips.length > 0) await record(flips)
    return !isDone
  }

  const record = async (flips: readonly Flip[]): Promise<void> => {
    const nowMs = now()
    const flipped = new Set(await store.recordOffline(flips, nowMs))
    await outages.confirmMark(nowMs)
    const overruled: number[] = []
    for (const { deviceKey, lastSeenMs } of flips) {
      if (flipped.has(deviceKey)) queue.setOffline(deviceKey, lastSeenMs)
      else overruled.push(deviceKey)
    }
    if (flipped.size > 0) published.publish([...flipped], 'offline')
    if (overruled.length > 0) await reread(overruled)
  }

  /** Devices that come due meanwhile are left to the next tick, which may find an outage. */
  return async (untilMs: number): Promise<void> => {
    // Otherwise a heartbeat whose commit is under way would not be published as a flip back.
    while (await heartbeats.alone(() => flipDue(untilMs))) continue
    await inSteps(() => heartbeats.alone(() => flipOwnDue(untilMs)))
  }
}
