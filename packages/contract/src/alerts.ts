import * as v from 'valibot'
import {
  alertChannelsPerUser,
  alertGraceMaxS,
  alertMaintenanceAheadDaysMax,
  alertMaintenanceHoursMax,
  alertMaintenanceNoteMaxLength,
  alertMaintenanceSubjectsMax,
  alertRepeatHoursMax,
} from './limits.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'
import { Time } from './time.ts'
import { WholeNumber } from './whole-number.ts'

/** How many messages a page of those that were sent has. */
export const alertMessagesPageLength = 30

/** What alerts tell of. */
export const AlertSubjectKind = v.picklist(
  ['device', 'island'],
  'Alerts tell of devices and islands.',
)
export type AlertSubjectKind = v.InferOutput<typeof AlertSubjectKind>

/** What a message tells: something is gone, something is back, a device warns, or several of these. */
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

const channelsMessage = `Choose at most ${alertChannelsPerUser} channels, each of them once.`
const ChannelIds = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(64)), channelsMessage),
  v.maxLength(alertChannelsPerUser, channelsMessage),
  v.check((ids) => new Set(ids).size === ids.length, channelsMessage),
)

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

/** What a user wants to be told; of one device or island other rules may stand. */
export const AlertRules = v.object({
  isOn: v.boolean(),
  /** Whoever is back within so many seconds is told of in no message. */
  graceS: v.number(),
  /** Whether to tell that something is back, where it was told that it was gone. */
  tellsOnline: v.boolean(),
  tellsWarnings: v.boolean(),
  /** Of islands that the user hosts. */
  tellsIslands: v.boolean(),
  /** Of the quiet hours, and of times in messages. */
  timeZone: v.string(),
  /** Messages wait for their end; null where there are none. */
  quietHours: v.nullable(v.object({ from: v.string(), to: v.string() })),
  /** While something stays away it is told again so often; null: once. */
  repeatHours: v.nullable(v.number()),
  /** Ids of channels; null: all that the user has. */
  channels: v.nullable(v.array(v.string())),
})
export type AlertRules = v.InferOutput<typeof AlertRules>

/** As they are until somebody changes them. */
export const defaultAlertRules: AlertRules = {
  isOn: true,
  graceS: 0,
  tellsOnline: true,
  tellsWarnings: true,
  tellsIslands: true,
  timeZone: 'UTC',
  quietHours: null,
  repeatHours: null,
  channels: null,
}

/** Only what is named changes. */
const AlertRulesChanges = v.pipe(
  v.strictObject({
    isOn: v.exactOptional(v.boolean()),
    graceS: v.exactOptional(GraceS),
    tellsOnline: v.exactOptional(v.boolean()),
    tellsWarnings: v.exactOptional(v.boolean()),
    tellsIslands: v.exactOptional(v.boolean()),
    timeZone: v.exactOptional(TimeZone),
    quietHours: v.exactOptional(v.nullable(QuietHours)),
    repeatHours: v.exactOptional(RepeatHours),
    channels: v.exactOptional(v.nullable(ChannelIds)),
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
  /** Since when whoever runs the server lets no alerts out, of all users or of this one. */
  pausedAt: v.nullable(v.string()),
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

const Subject = v.object({ kind: AlertSubjectKind, id: v.string() })
const SubjectParams = v.strictObject({
  kind: AlertSubjectKind,
  id: v.pipe(v.string(), v.maxLength(64)),
})

/** A device of one's own, or an island that one hosts or has joined; what is null is as in the rules. */
export const AlertOverride = v.object({
  subject: v.object({
    ...Subject.entries,
    name: v.string(),
    /** Of an island that one has joined it is told only where `isOn` is true: one follows it then. */
    role: v.picklist(['owner', 'member']),
  }),
  isOn: v.nullable(v.boolean()),
  graceS: v.nullable(v.number()),
  tellsOnline: v.nullable(v.boolean()),
  tellsWarnings: v.nullable(v.boolean()),
  /** 0: once, whatever the rules say. */
  repeatHours: v.nullable(v.number()),
  channels: v.nullable(v.array(v.string())),
})
export type AlertOverride = v.InferOutput<typeof AlertOverride>

const overrideRepeatMessage = `This is a whole number from 0 to ${alertRepeatHoursMax}.`
/** Only what is named changes; null goes back to the rules. */
const AlertOverrideChanges = v.pipe(
  v.strictObject({
    isOn: v.exactOptional(v.nullable(v.boolean())),
    graceS: v.exactOptional(v.nullable(GraceS)),
    tellsOnline: v.exactOptional(v.nullable(v.boolean())),
    tellsWarnings: v.exactOptional(v.nullable(v.boolean())),
    repeatHours: v.exactOptional(
      v.nullable(
        v.pipe(
          v.number(overrideRepeatMessage),
          v.integer(overrideRepeatMessage),
          v.minValue(0, overrideRepeatMessage),
          v.maxValue(alertRepeatHoursMax, overrideRepeatMessage),
        ),
      ),
    ),
    channels: v.exactOptional(v.nullable(ChannelIds)),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type AlertOverrideChanges = v.InferOutput<typeof AlertOverrideChanges>

export const listAlertOverrides = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/overrides',
  summary: 'Devices and islands of which the user wants to be told otherwise than by the rules',
  tag: 'Alerts',
  access: 'user',
  answers: { 200: v.array(AlertOverride) },
  errors: ['signed_out'],
})

export const getAlertOverride = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/overrides/:kind/:id',
  summary: 'How the user wants to be told of one device or island: all null where as in the rules',
  tag: 'Alerts',
  access: 'user',
  params: SubjectParams,
  answers: { 200: AlertOverride },
  errors: ['signed_out', 'not_found'],
})

export const changeAlertOverride = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts/overrides/:kind/:id',
  summary: 'Change how the user is told of one device or island, or follow one that was joined',
  tag: 'Alerts',
  access: 'user',
  params: SubjectParams,
  body: AlertOverrideChanges,
  answers: { 200: AlertOverride },
  errors: ['signed_out', 'invalid_input', 'not_found'],
})

const noteMessage = `A note has 1 to ${alertMaintenanceNoteMaxLength} characters, all of them visible.`

/** A time in which nothing is told; what is still away at its end is told then. Times are ISO 8601 in UTC. */
export const AlertMaintenance = v.object({
  id: v.string(),
  /** Null: all that the user is told of. */
  subjects: v.nullable(v.array(v.object({ ...Subject.entries, name: v.string() }))),
  startsAt: v.string(),
  endsAt: v.string(),
  note: v.nullable(v.string()),
})
export type AlertMaintenance = v.InferOutput<typeof AlertMaintenance>

const subjectsMessage = `Choose 1 to ${alertMaintenanceSubjectsMax} devices and islands.`
const NewAlertMaintenance = v.strictObject({
  subjects: v.optional(
    v.nullable(
      v.pipe(
        v.array(SubjectParams, subjectsMessage),
        v.minLength(1, subjectsMessage),
        v.maxLength(alertMaintenanceSubjectsMax, subjectsMessage),
      ),
    ),
    null,
  ),
  /** At once where it is left out, and at most a year ahead. */
  startsAt: v.exactOptional(Time),
  /** At most 30 days after it starts. */
  endsAt: Time,
  note: v.optional(v.nullable(ShortText(alertMaintenanceNoteMaxLength, noteMessage)), null),
})
export type NewAlertMaintenance = v.InferOutput<typeof NewAlertMaintenance>

export const maintenanceMaxMs = alertMaintenanceHoursMax * 3_600_000
export const maintenanceAheadMaxMs = alertMaintenanceAheadDaysMax * 86_400_000

export const listAlertMaintenance = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/maintenance',
  summary: 'Times of maintenance that are not over, the first to start first',
  tag: 'Alerts',
  access: 'user',
  answers: { 200: v.array(AlertMaintenance) },
  errors: ['signed_out'],
})

export const planAlertMaintenance = defineRoute({
  method: 'POST',
  path: '/api/me/alerts/maintenance',
  summary: 'Tell nothing of some devices and islands, or of all, now or from a time on',
  tag: 'Alerts',
  access: 'user',
  body: NewAlertMaintenance,
  answers: { 201: AlertMaintenance },
  errors: ['signed_out', 'invalid_input', 'not_found', 'maintenance_limit'],
})

export const endAlertMaintenance = defineRoute({
  method: 'DELETE',
  path: '/api/me/alerts/maintenance/:id',
  summary: 'End a time of maintenance, or plan it no more',
  tag: 'Alerts',
  access: 'user',
  params: v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 204: null },
  errors: ['signed_out', 'not_found'],
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
