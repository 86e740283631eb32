import { DeviceSchedule } from '@astropelago/contract/device-schedules'
import * as v from 'valibot'
import { expectedByCron } from '../../cron-times.ts'

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
  return { graceMs, nextMs: expectedByCron(schedule.expression, schedule.timeZone) }
}
