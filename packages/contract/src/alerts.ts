import * as v from 'valibot'
import { alertGraceMaxS, alertRepeatHoursMax } from './limits.ts'
import { defineRoute } from './route.ts'
import { WholeNumber } from './whole-number.ts'

/** How many messages a page of those that were sent has. */
export const alertMessagesPageLength = 30

/** What a message tells: something is gone, something is back, devices warn, or several of these. */
export const AlertKind = v.picklist(['offline', 'online', 'warning', 'several'])
export type AlertKind = v.InferOutput<typeof AlertKind>

const graceMessage = `The time to wait is 0 to ${alertGraceMaxS} seconds.`
const GraceS = v.pipe(
  v.number(graceMessage),
  v.integer(graceMessage),
  v.minValue(0, graceMessage),
  v.maxValue(alertGraceMaxS, graceMessage),
)
const RepeatHours = v.nullable(WholeNumber(alertRepeatHoursMax))

const minuteMessage = 'A time of day is such as 22:30.'
const TimeOfDay = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, minuteMessage))

/** From a time of day until another one, over midnight where the second is the earlier one. */
const QuietHours = v.pipe(
  v.strictObject({ from: TimeOfDay, to: TimeOfDay }),
  v.check(({ from, to }) => from !== to, 'Quiet hours end at another time than they begin.'),
)
export type QuietHours = v.InferOutput<typeof QuietHours>

const zoneMessage = 'A time zone is such as Europe/Berlin.'
const TimeZone = v.pipe(v.string(), v.maxLength(64, zoneMessage), v.check(isTimeZone, zoneMessage))

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** What a user wants to be told of the own devices. */
export const AlertRules = v.object({
  isOn: v.boolean(),
  /** Whoever is back within so many seconds is told of in no message. */
  graceS: v.number(),
  /** Whether to tell that something is back, where it was told that it was gone. */
  tellsOnline: v.boolean(),
  /** Of the quiet hours, and of times in messages. */
  timeZone: v.string(),
  /** Messages wait for their end; null where there are none. */
  quietHours: v.nullable(v.object({ from: v.string(), to: v.string() })),
  /** While something stays away it is told again so often; null: once. */
  repeatHours: v.nullable(v.number()),
})
export type AlertRules = v.InferOutput<typeof AlertRules>

/** As they are until somebody changes them. */
export const defaultAlertRules: AlertRules = {
  isOn: true,
  graceS: 0,
  tellsOnline: true,
  timeZone: 'UTC',
  quietHours: null,
  repeatHours: null,
}

/** Only what is named changes. */
const AlertRulesChanges = v.pipe(
  v.strictObject({
    isOn: v.exactOptional(v.boolean()),
    graceS: v.exactOptional(GraceS),
    tellsOnline: v.exactOptional(v.boolean()),
    timeZone: v.exactOptional(TimeZone),
    quietHours: v.exactOptional(v.nullable(QuietHours)),
    repeatHours: v.exactOptional(RepeatHours),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type AlertRulesChanges = v.InferOutput<typeof AlertRulesChanges>

/** Times are ISO 8601 in UTC. */
export const OwnAlerts = v.object({
  rules: AlertRules,
  /** Messages of the last 24 hours, and how many there may be; what is past that waits. */
  sentCount: v.number(),
  sentMax: v.number(),
  /** Where something is to be told that waits, until when and for what; null where nothing does. */
  held: v.nullable(v.object({ until: v.string(), by: v.picklist(['quiet-hours', 'limit']) })),
})
export type OwnAlerts = v.InferOutput<typeof OwnAlerts>

export const getAlerts = defineRoute({
  method: 'GET',
  path: '/api/me/alerts',
  summary: 'What the user wants to be told, and what waits',
  tag: 'Alerts',
  access: 'user',
  answers: { 200: OwnAlerts },
  errors: ['signed_out'],
})

export const changeAlerts = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts',
  summary: 'Change what the user wants to be told',
  tag: 'Alerts',
  access: 'user',
  body: AlertRulesChanges,
  answers: { 200: OwnAlerts },
  errors: ['signed_out', 'invalid_input'],
})

/** One message on its way to one channel. */
export const AlertDelivery = v.object({
  channel: v.object({ id: v.string(), name: v.string(), kind: v.string() }),
  /** `waiting`: its next try is to come; `failed`: it is given up. */
  state: v.picklist(['waiting', 'sent', 'failed']),
  tries: v.number(),
  /** Of the last try; null before the first one. */
  triedAt: v.nullable(v.string()),
  nextTryAt: v.nullable(v.string()),
  /** What the receiver answered, in short; null before the first try. */
  answer: v.nullable(v.string()),
})
export type AlertDelivery = v.InferOutput<typeof AlertDelivery>

/** What the user was told. Times are ISO 8601 in UTC. */
export const AlertMessage = v.object({
  id: v.string(),
  at: v.string(),
  kind: AlertKind,
  title: v.string(),
  lines: v.array(v.string()),
  /** Where to look. */
  url: v.string(),
  deliveries: v.array(AlertDelivery),
})
export type AlertMessage = v.InferOutput<typeof AlertMessage>

export const listAlertMessages = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/messages',
  summary: 'What the user was told, the newest first: to which channels, and what they answered',
  tag: 'Alerts',
  access: 'user',
  query: v.strictObject({
    /** The `next` of the page before. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: { 200: v.object({ messages: v.array(AlertMessage), next: v.nullable(v.string()) }) },
  errors: ['signed_out', 'invalid_input'],
})
