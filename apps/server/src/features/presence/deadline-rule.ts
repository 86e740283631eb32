import { DeviceSchedule } from '@astropelago/contract/device-schedules'
import { Cron } from 'croner'
import * as v from 'valibot'

/** A heartbeat this much before a time of a cron expression counts for it: clocks differ. */
const earlyMs = 30_000

/** When a device with a schedule of its own has to report ([P11], [P12]). */
export interface DeadlineRule {
  /** When a heartbeat is expected after one at this time, or after an outage that ended then. */
  readonly nextMs: (afterMs: number) => number
  /** How much later than that it may come. */
  readonly graceMs: number
}

/** @param stored a `DeviceSchedule` as JSON */
export function deadlineRule(stored: string): DeadlineRule {
  const schedule = v.parse(DeviceSchedule, JSON.parse(stored))
  const graceMs = schedule.graceS * 1000
  if (schedule.kind === 'period') {
    return { graceMs, nextMs: (afterMs) => afterMs + schedule.periodS * 1000 }
  }
  const { expression, timeZone } = schedule
  let cron: Cron | undefined
  let known = { fromMs: 0, nextMs: 0 }
  return {
    graceMs,
    nextMs: (atMs) => {
      const afterMs = atMs + earlyMs
      // Most calls are about the time until the next heartbeat. Finding the next time takes 0.2 ms.
      if (afterMs < known.fromMs || afterMs >= known.nextMs) {
        cron ??= cronOf(expression, timeZone)
        known = { fromMs: afterMs, nextMs: nextTimeMs(cron, afterMs) }
      }
      return known.nextMs
    },
  }
}

/** The next times after this one, of an expression that the contract allows. */
export function cronTimes(expression: string, timeZone: string, afterMs: number, count: number) {
  const cron = cronOf(expression, timeZone)
  const times: number[] = []
  while (times.length < count) times.push(nextTimeMs(cron, times.at(-1) ?? afterMs))
  return times
}

function cronOf(expression: string, timezone: string): Cron {
  return new Cron(expression, { timezone, mode: '5-part', paused: true })
}

function nextTimeMs(cron: Cron, afterMs: number): number {
  if (!Number.isFinite(afterMs)) return afterMs
  let next = cron.nextRun(new Date(afterMs))
  // When clocks change, croner moves times that are skipped to an hour later, and finds times that come
  // twice again after they came.
  while (next !== null && (next.getTime() <= afterMs || !cron.match(next))) {
    next = cron.nextRun(next)
  }
  return next?.getTime() ?? Number.POSITIVE_INFINITY
}
