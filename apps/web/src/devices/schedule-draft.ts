import { type DeviceSchedule, NewDeviceSchedule } from '@astropelago/contract/device-schedules'
import { scheduleGraceMaxS } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { decimalNumber } from '../lib/decimal-number.ts'
import { readBy, type Reading } from '../lib/forms/reading.ts'

const secondsIn = { min: 60, h: 3600, d: 86_400 } as const

/** How often a device reports, as typed. All of it stays, whatever kind is chosen. */
export const ScheduleDraft = v.object({
  schedule: v.picklist(['default', 'period', 'cron']),
  period: v.string(),
  periodUnit: v.picklist(['min', 'h', 'd']),
  cron: v.string(),
  timeZone: v.string(),
  graceMinutes: v.string(),
})
export type ScheduleDraft = v.InferOutput<typeof ScheduleDraft>

const empty: ScheduleDraft = {
  schedule: 'default',
  period: '15',
  periodUnit: 'min',
  cron: '',
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  graceMinutes: '5',
}

export function draftOfSchedule(schedule: DeviceSchedule | null): ScheduleDraft {
  if (schedule === null) return empty
  const { kind } = schedule
  const draft = { ...empty, schedule: kind, graceMinutes: numberText(schedule.graceS / 60) }
  if (kind === 'cron') {
    return { ...draft, cron: schedule.expression, timeZone: schedule.timeZone }
  }
  const { periodS } = schedule
  const periodUnit = periodS % secondsIn.d === 0 ? 'd' : periodS % secondsIn.h === 0 ? 'h' : 'min'
  return { ...draft, period: numberText(periodS / secondsIn[periodUnit]), periodUnit }
}

const maxGraceMinutes = scheduleGraceMaxS / 60
const periodProblem = t`Enter a time from 1 minute to 30 days.`
const graceProblem = t`Enter minutes, from 0 to ${maxGraceMinutes}.`

export function readSchedule(draft: ScheduleDraft): Reading<DeviceSchedule | null> {
  if (draft.schedule === 'default') return { body: null }
  const graceS = secondsOf(draft.graceMinutes, 60)
  const reading = readBy(
    NewDeviceSchedule,
    draft.schedule === 'period'
      ? { kind: 'period', periodS: secondsOf(draft.period, secondsIn[draft.periodUnit]), graceS }
      : { kind: 'cron', expression: draft.cron, timeZone: draft.timeZone, graceS },
  )
  if ('body' in reading) return reading
  const { problems } = reading
  return {
    problems: {
      ...(problems['periodS'] && { period: periodProblem }),
      ...(problems['expression'] && { cron: problems['expression'] }),
      ...(problems['timeZone'] && { timeZone: problems['timeZone'] }),
      ...(problems['graceS'] && { graceMinutes: graceProblem }),
    },
  }
}

/** Two decimals tell every second of a minute apart. */
function numberText(value: number): string {
  return String(Number(value.toFixed(2)))
}

function secondsOf(text: string, unitS: number): number {
  return Math.round((decimalNumber(text) ?? Number.NaN) * unitS)
}
