import * as v from 'valibot'
import { alertChannelsPerUser, alertGraceMaxS, alertRepeatHoursMax } from './limits.ts'
import { TimeZone } from './time-zone.ts'
import { WholeNumber } from './whole-number.ts'

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

/** From one time of day to another, past midnight if the second one is earlier. */
const QuietHours = v.pipe(
  v.strictObject({ from: TimeOfDay, to: TimeOfDay }),
  v.check(({ from, to }) => from !== to, 'Quiet hours can’t end at the time when they begin.'),
)
export type QuietHours = v.InferOutput<typeof QuietHours>

const channelsMessage = 'Name each channel once, or all of them with null.'
/** Ids of channels. */
const ChosenChannels = v.nullable(
  v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(64)), channelsMessage),
    v.minLength(1, 'Choose at least one channel.'),
    v.maxLength(alertChannelsPerUser, channelsMessage),
    v.check((ids) => new Set(ids).size === ids.length, channelsMessage),
  ),
)

/** What a user wants alerts about. */
export const AlertRules = v.object({
  isOn: v.boolean(),
  /** No alert if it recovers within this many seconds. */
  graceS: v.number(),
  /** Whether to send an alert when something recovers, if one was sent when it went down. */
  tellsOnline: v.boolean(),
  /** Whether to send an alert when a device warns. */
  tellsWarnings: v.boolean(),
  /** Whether to send an alert about new reports by users. For operators only. */
  tellsReports: v.optional(v.boolean(), false),
  /** Ids of the channels to use; null: all that are ready. */
  channels: v.nullable(v.array(v.string())),
  /** The zone of the quiet hours, and of times in messages. */
  timeZone: v.string(),
  /** Messages wait for their end; null if there are none. */
  quietHours: v.nullable(v.object({ from: v.string(), to: v.string() })),
  /** How often to repeat the alert while something is down; null: never. */
  repeatHours: v.nullable(v.number()),
})
export type AlertRules = v.InferOutput<typeof AlertRules>

/** The rules until the user changes them. */
export const defaultAlertRules: AlertRules = {
  isOn: true,
  graceS: 0,
  tellsOnline: true,
  tellsWarnings: true,
  tellsReports: false,
  channels: null,
  timeZone: 'UTC',
  quietHours: null,
  repeatHours: null,
}

/** Absent fields stay as they are. */
export const AlertRulesChanges = v.pipe(
  v.strictObject({
    isOn: v.exactOptional(v.boolean()),
    graceS: v.exactOptional(GraceS),
    tellsOnline: v.exactOptional(v.boolean()),
    tellsWarnings: v.exactOptional(v.boolean()),
    tellsReports: v.exactOptional(v.boolean()),
    channels: v.exactOptional(ChosenChannels),
    timeZone: v.exactOptional(TimeZone),
    quietHours: v.exactOptional(v.nullable(QuietHours)),
    repeatHours: v.exactOptional(RepeatHours),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type AlertRulesChanges = v.InferOutput<typeof AlertRulesChanges>

/** The rules that differ for one device, island or check. Null means the user's general rule. */
export const SubjectRules = v.object({
  /** For an island, null means alerts for its host and for nobody else. */
  isOn: v.nullable(v.boolean()),
  graceS: v.nullable(v.number()),
  tellsOnline: v.nullable(v.boolean()),
  tellsWarnings: v.nullable(v.boolean()),
  channels: v.nullable(v.array(v.string())),
})
export type SubjectRules = v.InferOutput<typeof SubjectRules>

/** No differences. */
export const sameRules: SubjectRules = {
  isOn: null,
  graceS: null,
  tellsOnline: null,
  tellsWarnings: null,
  channels: null,
}

/** Absent fields stay as they are. */
export const SubjectRulesChanges = v.pipe(
  v.strictObject({
    isOn: v.exactOptional(v.nullable(v.boolean())),
    graceS: v.exactOptional(v.nullable(GraceS)),
    tellsOnline: v.exactOptional(v.nullable(v.boolean())),
    tellsWarnings: v.exactOptional(v.nullable(v.boolean())),
    channels: v.exactOptional(ChosenChannels),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type SubjectRulesChanges = v.InferOutput<typeof SubjectRulesChanges>
