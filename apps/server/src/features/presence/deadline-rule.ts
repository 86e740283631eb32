import { DeviceSchedule } from '@astropelago/contract/device-schedules'
import * as v from 'valibot'
import { CronTimes } from '../../cron-times.ts'

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
  let times: CronTimes | undefined
  let known = { fromMs: 0, nextMs: 0 }
  return {
    graceMs,
    nextMs: (atMs) => {
      const afterMs = atMs + earlyMs
      // Most calls are about the time until the next heartbeat, and do not have to look for the next time.
      if (afterMs < known.fromMs || afterMs >= known.nextMs) {
        times ??= new CronTimes(expression, timeZone)
        known = { fromMs: afterMs, nextMs: times.nextMs(afterMs) }
      }
      return known.nextMs
    },
  }
}
