import * as v from 'valibot'
import { periodMaxS, periodMinS, scheduleGraceMaxS } from './limits.ts'
import { defineRoute } from './route.ts'
import { TimeZone } from './time-zone.ts'

interface CronField {
  readonly min: number
  readonly max: number
  /** What its numbers can be called, in order from `min`. */
  readonly names: readonly string[]
  readonly rule: string
}

// A week can end with Sunday.
const weekdayNames = 'sun mon tue wed thu fri sat sun'.split(' ')
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const cronFields: readonly CronField[] = [
  { min: 0, max: 59, names: [], rule: 'Minutes are from 0 to 59, such as 30, */5 or 0-29.' },
  { min: 0, max: 23, names: [], rule: 'Hours are from 0 to 23, such as 4, */6 or 9-17.' },
  { min: 1, max: 31, names: [], rule: 'Days of the month are from 1 to 31, such as 1,15 or *.' },
  { min: 1, max: 12, names: monthNames, rule: 'Months are from 1 to 12, such as 6, jan-mar or *.' },
  {
    min: 0,
    max: 7,
    names: weekdayNames,
    rule: 'Days of the week are from 0 to 7, and 0 and 7 are Sunday, such as 1-5, sat,sun or *.',
  },
]

/** The values of each field. Days are undefined if any day will do. */
export interface CronFields {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: readonly number[] | undefined
  readonly months: readonly number[]
  /** From 0, which is Sunday, to 6. If both kinds of days are restricted, either of them is enough. */
  readonly weekdays: readonly number[] | undefined
}

/** @returns the times of a cron expression, or a sentence about what is wrong with it */
export function readCron(expression: string): CronFields | string {
  const texts = expression.trim().split(/\s+/)
  if (texts.length !== cronFields.length) {
    return 'A cron expression has five fields: minute, hour, day of the month, month and day of the week.'
  }
  const values: (readonly number[])[] = []
  for (const [at, field] of cronFields.entries()) {
    const read = readField(field, texts[at] ?? '')
    if (typeof read === 'string') return read
    values.push(read)
  }
  const [minutes = [], hours = [], allDays = [], months = [], allWeekdays = []] = values
  const days = texts[2] === '*' ? undefined : allDays
  const weekdays =
    texts[4] === '*'
      ? undefined
      : [...new Set(allWeekdays.map((day) => day % 7))].toSorted((a, b) => a - b)
  const firstDay = Math.min(...allDays)
  if (
    weekdays === undefined &&
    months.every((month) => (daysOfMonths[month - 1] ?? 0) < firstDay)
  ) {
    return 'None of these months has such a day.'
  }
  return { minutes, hours, days, months, weekdays }
}

function readField(field: CronField, text: string): readonly number[] | string {
  const { min, max, names, rule } = field
  const values = new Set<number>()
  for (const part of text.toLowerCase().split(',')) {
    const { range, first = '', last, step } = partOfField.exec(part)?.groups ?? {}
    const from = range === '*' ? min : numberOf(field, names.indexOf(first), first)
    const to =
      range === '*'
        ? max
        : last === undefined
          ? from
          : numberOf(field, names.lastIndexOf(last), last)
    const isRange = range === '*' || last !== undefined
    const each = Number(step ?? 1)
    const isStepPossible = step === undefined || (isRange && each >= 1 && each <= max)
    if (from === undefined || to === undefined || from > to || !isStepPossible) {
      return rule
    }
    for (let value = from; value <= to; value += each) values.add(value)
  }
  return [...values].toSorted((a, b) => a - b)
}

const partOfField = /^(?<range>\*|(?<first>\w+)(?:-(?<last>\w+))?)(?:\/(?<step>\d{1,2}))?$/

function numberOf({ min, max }: CronField, named: number, text: string): number | undefined {
  if (named !== -1) return named + min
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

export const CronExpression = v.pipe(
  v.string('A cron expression is a text such as 30 4 * * 1.'),
  v.maxLength(128, 'A cron expression has at most 128 characters.'),
  v.rawCheck(({ dataset, addIssue }) => {
    const read = dataset.typed ? readCron(dataset.value) : ''
    if (typeof read === 'string') addIssue({ message: read })
  }),
  v.transform((expression) => expression.trim().replaceAll(/\s+/g, ' ')),
)

function Seconds(min: number, max: number, message: string) {
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

/** How often a device reports, as the server answers it. */
export const DeviceSchedule = v.variant('kind', [
  v.object({ kind: v.literal('period'), periodS: v.number(), graceS: v.number() }),
  v.object({
    kind: v.literal('cron'),
    expression: v.string(),
    timeZone: v.string(),
    graceS: v.number(),
  }),
])
export type DeviceSchedule = v.InferOutput<typeof DeviceSchedule>

const PeriodS = Seconds(
  periodMinS,
  periodMaxS,
  `The period is from ${periodMinS} to ${periodMaxS} seconds.`,
)
const GraceS = Seconds(
  0,
  scheduleGraceMaxS,
  `The grace period is from 0 to ${scheduleGraceMaxS} seconds.`,
)

/** How often a device reports. Its grace period is how much later than expected it may report. */
export const NewDeviceSchedule = v.variant(
  'kind',
  [
    v.strictObject({
      kind: v.literal('period'),
      periodS: PeriodS,
      graceS: GraceS,
    }),
    v.strictObject({
      kind: v.literal('cron'),
      expression: CronExpression,
      timeZone: TimeZone,
      graceS: GraceS,
    }),
  ],
  'A schedule is of the kind period or cron.',
)
export const previewSchedule = defineRoute({
  method: 'GET',
  path: '/api/schedules/next',
  summary: 'The next three times of a cron expression, in UTC',
  tag: 'Devices',
  access: 'user',
  query: v.strictObject({ expression: CronExpression, timeZone: TimeZone }),
  answers: { 200: v.object({ times: v.array(v.string()) }) },
  errors: ['signed_out', 'invalid_input'],
})
