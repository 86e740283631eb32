import * as v from 'valibot'
import { CronExpression } from './device-schedules.ts'
import { Link } from './devices.ts'
import { Uptime } from './history.ts'
import {
  checkPeriodMaxS,
  checkPeriodMinS,
  checkTextMaxLength,
  checkTimeoutMaxS,
  labelMaxLength,
  pushPeriodMaxS,
  pushPeriodMinS,
} from './limits.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'
import { TimeZone } from './time-zone.ts'

/** `unobserved`: the server could not look, or has not looked yet. */
export const CheckStatus = v.picklist(['up', 'down', 'unobserved'])
export type CheckStatus = v.InferOutput<typeof CheckStatus>

export const CheckVisibility = v.picklist(['public', 'private'], 'Visibility is public or private.')
export type CheckVisibility = v.InferOutput<typeof CheckVisibility>

const nameMessage = `A name has 1 to ${labelMaxLength} characters, all of them visible.`
const hostMessage = 'A host is a name such as example.org, or an IP address.'
/** As a person types it: a name, an IPv4 address, or an IPv6 address with or without brackets. */
const Host = v.pipe(
  v.string(hostMessage),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(253, hostMessage),
  v.regex(
    /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?|\[?[0-9a-f:.]*:[0-9a-f:.]*\]?)$/,
    hostMessage,
  ),
)

function whole(min: number, max: number, message: string) {
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

const Port = whole(1, 65_535, 'A port is a whole number from 1 to 65535.')
const textMessage = `A text has 1 to ${checkTextMaxLength} characters, all of them visible.`
const Text = ShortText(checkTextMaxLength, textMessage)
const statusesMessage = 'Statuses are such as 200, or a range such as 200-299.'
const Statuses = v.pipe(
  v.string(statusesMessage),
  v.trim(),
  v.regex(/^[1-5]\d\d(?:-[1-5]\d\d)?(?:, ?[1-5]\d\d(?:-[1-5]\d\d)?){0,9}$/, statusesMessage),
)

export const DnsRecord = v.picklist(
  ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'],
  'A record is A, AAAA, CNAME, MX, NS or TXT.',
)
export type DnsRecord = v.InferOutput<typeof DnsRecord>

const Period = whole(
  checkPeriodMinS,
  checkPeriodMaxS,
  `A period is ${checkPeriodMinS} to ${checkPeriodMaxS} seconds.`,
)
const PushPeriod = whole(
  pushPeriodMinS,
  pushPeriodMaxS,
  `A period is ${pushPeriodMinS} to ${pushPeriodMaxS} seconds.`,
)
const Grace = whole(0, pushPeriodMaxS, `The time to wait is 0 to ${pushPeriodMaxS} seconds.`)
const Timeout = whole(
  1,
  checkTimeoutMaxS,
  `An address may take 1 to ${checkTimeoutMaxS} seconds to answer.`,
)

const looked = { periodS: v.optional(Period, 60), timeoutS: v.optional(Timeout, 10) }

/** What is looked at, and when it is well. `push`: nothing is, scripts report by a secret address. */
export const CheckTarget = v.variant('kind', [
  v.strictObject({
    kind: v.literal('http'),
    url: Link,
    /** The answers that are well. */
    statuses: v.optional(Statuses, '200-299'),
    /** A text that the beginning of the answer has to have; null: any answer is well. */
    text: v.optional(v.nullable(Text), null),
    followsRedirects: v.optional(v.boolean(), true),
    ...looked,
  }),
  v.strictObject({ kind: v.literal('tcp'), host: Host, port: Port, ...looked }),
  v.strictObject({
    kind: v.literal('dns'),
    host: Host,
    record: v.optional(DnsRecord, 'A'),
    /** One of the values has to be this; null: any value is well. */
    value: v.optional(v.nullable(Text), null),
    ...looked,
  }),
  v.strictObject({
    kind: v.literal('certificate'),
    host: Host,
    port: v.optional(Port, 443),
    /** It is down when the certificate ends sooner. */
    days: v.optional(whole(1, 365, 'This is 1 to 365 days.'), 14),
    periodS: v.optional(Period, 3600),
    timeoutS: v.optional(Timeout, 10),
  }),
  /** Only one of the owner's devices can. */
  v.strictObject({ kind: v.literal('ping'), host: Host, ...looked }),
  v.strictObject({
    kind: v.literal('push'),
    periodS: v.optional(PushPeriod, 60),
    /** When reports are expected, instead of by the period. */
    cron: v.exactOptional(v.strictObject({ expression: CronExpression, timeZone: TimeZone })),
    graceS: v.optional(Grace, 60),
  }),
])
export type CheckTarget = v.InferOutput<typeof CheckTarget>
export type CheckKind = CheckTarget['kind']

/** An island of the user's own with a link: it is open while the check is up. Null: none. */
const island = v.nullable(v.pipe(v.string(), v.maxLength(64)))

/**
 * The device of the user's own whose agent alone looks, within what its command line allows. Such a check stays
 * private. Null: the server looks.
 */
const device = v.nullable(v.pipe(v.string(), v.maxLength(64)))

export const CheckDetails = v.strictObject({
  name: ShortText(labelMaxLength, nameMessage),
  target: CheckTarget,
  visibility: v.optional(CheckVisibility, 'private'),
  isPaused: v.optional(v.boolean(), false),
  island: v.optional(island, null),
  device: v.optional(device, null),
})
export type CheckDetails = v.InferOutput<typeof CheckDetails>

/** Absent fields stay as they are. A target is replaced as a whole, and never changes to or from `push`. */
export const CheckChanges = v.pipe(
  v.strictObject({
    name: v.exactOptional(ShortText(labelMaxLength, nameMessage)),
    target: v.exactOptional(CheckTarget),
    visibility: v.exactOptional(CheckVisibility),
    isPaused: v.exactOptional(v.boolean()),
    island: v.exactOptional(island),
    device: v.exactOptional(device),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type CheckChanges = v.InferOutput<typeof CheckChanges>

/** What its owner sees. Times are ISO 8601 in UTC. */
export const OwnCheck = v.object({
  id: v.string(),
  name: v.string(),
  target: CheckTarget,
  visibility: CheckVisibility,
  isPaused: v.boolean(),
  island: v.nullable(v.string()),
  device: v.nullable(v.string()),
  status: CheckStatus,
  /** Since when it has its status; null if nobody has looked yet. */
  since: v.nullable(v.string()),
  /** When somebody looked last, or a script reported. */
  checkedAt: v.nullable(v.string()),
  /** Why the last look failed, or what a script reported with its status; null if there is nothing to say. */
  note: v.nullable(v.string()),
  /** How long the last answer took; null if there was none. */
  tookMs: v.nullable(v.number()),
  createdAt: v.string(),
  /** Why an operator hid it from everybody else; null if it is not hidden. */
  hidden: v.nullable(v.object({ at: v.string(), reason: v.string() })),
})
export type OwnCheck = v.InferOutput<typeof OwnCheck>

/** What anybody may see of a public check: no address. */
export const PublicCheck = v.object({
  id: v.string(),
  name: v.string(),
  kind: v.picklist(['http', 'tcp', 'dns', 'certificate', 'ping', 'push']),
  status: CheckStatus,
  since: v.nullable(v.string()),
})
export type PublicCheck = v.InferOutput<typeof PublicCheck>

/** A day in UTC. Its seconds add up to the whole day, or to the time since midnight for today. */
export const CheckDay = v.object({
  /** YYYY-MM-DD. */
  day: v.string(),
  upS: v.number(),
  downS: v.number(),
  unobservedS: v.number(),
  flips: v.number(),
  status: CheckStatus,
  /** The median answer and the slowest of twenty, in milliseconds; null if there was none. */
  p50Ms: v.nullable(v.number()),
  p95Ms: v.nullable(v.number()),
})
export type CheckDay = v.InferOutput<typeof CheckDay>

export const CheckEvent = v.object({
  at: v.string(),
  kind: CheckStatus,
  /** For its owner alone; null for others. */
  note: v.nullable(v.string()),
})
export type CheckEvent = v.InferOutput<typeof CheckEvent>

/** What a device elsewhere found, whose owner lends it. */
export const LocationHistory = v.object({
  id: v.string(),
  /** What its owner calls the region; null for nothing. */
  name: v.nullable(v.string()),
  /** After two failures in a row, it can't reach it; `unobserved` if it has not looked lately. */
  status: CheckStatus,
  /** As of the server. */
  samples: v.array(v.object({ at: v.string(), tookMs: v.nullable(v.number()) })),
  /** Those of the last 90 days with an answer, oldest first. */
  days: v.array(v.object({ day: v.string(), p50Ms: v.number(), p95Ms: v.number() })),
})
export type LocationHistory = v.InferOutput<typeof LocationHistory>

export const CheckHistory = v.object({
  status: CheckStatus,
  since: v.nullable(v.string()),
  windows: v.array(Uptime),
  /** At most 90 days, oldest first, the first one with anything to show. */
  days: v.array(CheckDay),
  /** The last 24 hours without a gap, oldest first. */
  spans: v.array(v.object({ from: v.string(), to: v.string(), status: CheckStatus })),
  /** How long answers took in the last 24 hours, oldest first, at most one a minute: null for a failure. */
  samples: v.array(v.object({ at: v.string(), tookMs: v.nullable(v.number()) })),
  /** Locations that looked in the last 24 hours; left out on later pages. */
  locations: v.exactOptional(v.array(LocationHistory)),
  /** Newest first. */
  events: v.array(CheckEvent),
  /** For the next page of events; null if there are no more. */
  next: v.nullable(v.string()),
})
export type CheckHistory = v.InferOutput<typeof CheckHistory>

/** Events per page of a check's history. */
export const checkEventsPageLength = 30

const CheckParams = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) })
const tag = 'Checks'

export const listOwnChecks = defineRoute({
  method: 'GET',
  path: '/api/me/checks',
  summary: 'The user’s own checks, by name',
  tag,
  access: 'user',
  scope: 'checks:read',
  answers: { 200: v.array(OwnCheck) },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope'],
})

export const createCheck = defineRoute({
  method: 'POST',
  path: '/api/me/checks',
  summary: 'Make a check; only this answer has the secret address that scripts report to',
  tag,
  access: 'user',
  scope: 'checks:write',
  body: CheckDetails,
  answers: {
    /** `pushUrl` is null unless the kind is `push`. */
    201: v.object({ ...OwnCheck.entries, pushUrl: v.nullable(v.string()) }),
  },
  errors: [
    'signed_out',
    'invalid_api_key',
    'missing_scope',
    'invalid_check',
    'inside_address',
    'check_limit',
    'server_full',
    'rate_limited',
  ],
  invalid: 'invalid_check',
})

export const getOwnCheck = defineRoute({
  method: 'GET',
  path: '/api/me/checks/:id',
  summary: 'One of the user’s own checks',
  tag,
  access: 'user',
  scope: 'checks:read',
  params: CheckParams,
  answers: { 200: OwnCheck },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'not_found'],
})

export const updateCheck = defineRoute({
  method: 'PATCH',
  path: '/api/me/checks/:id',
  summary: 'Change one of the user’s own checks, pause it or let it go on',
  tag,
  access: 'user',
  scope: 'checks:write',
  params: CheckParams,
  body: CheckChanges,
  answers: { 200: OwnCheck },
  errors: [
    'signed_out',
    'invalid_api_key',
    'missing_scope',
    'invalid_check',
    'inside_address',
    'not_found',
    'rate_limited',
  ],
  invalid: 'invalid_check',
})

export const deleteCheck = defineRoute({
  method: 'DELETE',
  path: '/api/me/checks/:id',
  summary: 'Delete one of the user’s own checks, with its history',
  tag,
  access: 'user',
  scope: 'checks:write',
  params: CheckParams,
  answers: { 204: null },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'not_found'],
})

export const runCheck = defineRoute({
  method: 'POST',
  path: '/api/me/checks/:id/run',
  summary:
    'Look at once. It counts like any other look; a paused check is looked at, which changes nothing',
  tag,
  access: 'user',
  params: CheckParams,
  answers: {
    200: v.object({
      isUp: v.boolean(),
      /** False if nobody could look, which says nothing about the address. */
      isSeen: v.boolean(),
      /** How long the answer took; null if there was none. */
      tookMs: v.nullable(v.number()),
      /** Why it failed, in a sentence; null if it did not. */
      note: v.nullable(v.string()),
    }),
  },
  errors: ['signed_out', 'invalid_input', 'not_found', 'rate_limited', 'overloaded'],
})

export const renewPushAddress = defineRoute({
  method: 'POST',
  path: '/api/me/checks/:id/push-address',
  summary: 'Replace the secret address that scripts report to; only this answer has the new one',
  tag,
  access: 'user',
  params: CheckParams,
  answers: { 200: v.object({ pushUrl: v.string() }) },
  errors: ['signed_out', 'demo_account', 'not_found', 'rate_limited'],
})

const History = {
  method: 'GET',
  tag,
  access: 'anyone',
  params: CheckParams,
} as const

export const getCheck = defineRoute({
  ...History,
  path: '/api/checks/:id',
  summary: 'What anybody may see of a public check, or of one of the user’s own',
  answers: { 200: PublicCheck },
  errors: ['not_found', 'rate_limited'],
})

export const getCheckHistory = defineRoute({
  ...History,
  path: '/api/checks/:id/history',
  summary:
    'The history of a public check since it became public, or of one of the user’s own; later pages have only events',
  scope: 'checks:read',
  query: v.strictObject({
    /** The `next` of the previous page. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: { 200: CheckHistory },
  errors: [
    'invalid_api_key',
    'missing_scope',
    'not_found',
    'invalid_input',
    'rate_limited',
    'overloaded',
  ],
})
