import * as v from 'valibot'
import { DeviceSchedule, NewDeviceSchedule } from './device-schedules.ts'
import { labelMaxLength, latMaxDeg, linkMaxLength, lonMaxDeg } from './limits.ts'
import { Precision } from './place.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'

export const Status = v.picklist(['unknown', 'online', 'offline'])
export type Status = v.InferOutput<typeof Status>

export const Visibility = v.picklist(['public', 'private'], 'Visibility is public or private.')
export type Visibility = v.InferOutput<typeof Visibility>

/** What a device reports besides being alive. */
export const ReportStatus = v.picklist(['ok', 'fail'], 'A status is ok or fail.')
export type ReportStatus = v.InferOutput<typeof ReportStatus>

/** What a heartbeat may say: how a run went, or that one starts. */
const HeartbeatStatus = v.picklist(['start', 'ok', 'fail'], 'A status is start, ok or fail.')
export type HeartbeatStatus = v.InferOutput<typeof HeartbeatStatus>

const exitMessage = 'An exit code is a whole number.'
/** Programs on Windows end with codes of up to 32 bits, with or without a sign. */
const ExitCode = v.pipe(
  v.string(exitMessage),
  v.regex(/^-?\d{1,10}$/, exitMessage),
  v.transform(Number),
)

/** What anyone may see of a public device. Its location is as coarse as its owner chose. */
export const PublicDevice = v.object({
  id: v.string(),
  label: v.string(),
  lat: v.number(),
  lon: v.number(),
  status: Status,
  link: v.nullable(v.string()),
})
export type PublicDevice = v.InferOutput<typeof PublicDevice>

/** What else anyone may see of one public device. Times are ISO 8601 in UTC. */
export const PublicDeviceDetails = v.object({
  ...PublicDevice.entries,
  /** Since when it has its status, or when it was made if it never reported; null if unknown. */
  since: v.nullable(v.string()),
  /** The owner's name, if the owner makes it public. */
  owner: v.nullable(v.string()),
})
export type PublicDeviceDetails = v.InferOutput<typeof PublicDeviceDetails>

/** What a device last reported besides being alive. Times are ISO 8601 in UTC. */
export const DeviceReport = v.object({
  at: v.string(),
  /** `fail` warns its owner and is visible to nobody else. The device is still online. */
  status: ReportStatus,
  /** Since when it has reported that status. */
  since: v.string(),
  /** One or several lines; null if there was no text. */
  text: v.nullable(v.string()),
  /** What its last run ended with; null if it did not say. */
  exitCode: v.nullable(v.number()),
  /** How long its last run took; null if it did not say when that started. */
  durationMs: v.nullable(v.number()),
  /** Since when a run lasts; null if none does. */
  runningSince: v.nullable(v.string()),
})
export type DeviceReport = v.InferOutput<typeof DeviceReport>

/** What its owner sees: the exact location and the one that others see. Times are ISO 8601 in UTC. */
export const OwnDevice = v.object({
  ...PublicDevice.entries,
  precision: Precision,
  publicLat: v.number(),
  publicLon: v.number(),
  visibility: Visibility,
  /** Whether other installations may show it while it is public. */
  isShared: v.boolean(),
  /** How often it reports; null if it follows the window of this server. */
  schedule: v.nullable(DeviceSchedule),
  lastSeenAt: v.nullable(v.string()),
  /** When the next heartbeat is expected by its schedule, without the grace period; else null. */
  expectedAt: v.nullable(v.string()),
  createdAt: v.string(),
  /** Since when and why an operator hides it from everybody else; null if visible. */
  hidden: v.nullable(v.object({ at: v.string(), reason: v.string() })),
  /** Its last report; null if it never sent one. */
  report: v.nullable(DeviceReport),
})
export type OwnDevice = v.InferOutput<typeof OwnDevice>

/** What a device may do with its token: report that it is alive, or carry visitors to an island. */
export const TokenScope = v.picklist(['report', 'relay'], 'Choose what the token is for.')
export type TokenScope = v.InferOutput<typeof TokenScope>

export const DeviceToken = v.object({
  id: v.string(),
  label: v.nullable(v.string()),
  scope: TokenScope,
  /** The token's first characters, to tell tokens apart. */
  start: v.string(),
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
})
export type DeviceToken = v.InferOutput<typeof DeviceToken>

/**
 * A link as it is stored and drawn: an absolute http or https address without a user, or undefined.
 * Browsers drop white space and control characters from addresses before they read the scheme, so what
 * counts is the scheme of the parsed address.
 */
export function safeLink(text: string): string | undefined {
  if (text.length > linkMaxLength || !URL.canParse(text)) return undefined
  const { protocol, href, username, password } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  // The part before an @ can look like the host, or be a password.
  if (username !== '' || password !== '') return undefined
  return href.length > linkMaxLength ? undefined : href
}

/**
 * Whether a link leads to an API path on a host, given as name and port. Following it would make a call
 * with the reader's session, and shows no page.
 */
export function isCallOn(host: string, link: string): boolean {
  if (!URL.canParse(link)) return false
  const url = new URL(link)
  return url.host === host && /^\/(?:api|_spark)(?:\/|$)/.test(decoded(url.pathname))
}

/**
 * Servers decode percent-encoded letters before they match paths. A path that can't be decoded matches
 * nothing.
 */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

const labelMessage = `A label has 1 to ${labelMaxLength} characters, all of them visible.`
const Label = ShortText(labelMaxLength, labelMessage)

const linkMessage = `A link is a whole http or https address without a user or password, of at most ${linkMaxLength} characters.`
export const Link = v.pipe(
  v.string(linkMessage),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const link = safeLink(dataset.value)
    if (link === undefined) {
      addIssue({ message: linkMessage })
      return NEVER
    }
    return link
  }),
)

function degrees(name: string, maxDeg: number) {
  const message = `${name} is a number from -${maxDeg} to ${maxDeg}.`
  return v.pipe(v.number(message), v.minValue(-maxDeg, message), v.maxValue(maxDeg, message))
}

const IsShared = v.boolean('Say whether other installations may show it.')

export const DeviceDetails = v.strictObject({
  label: Label,
  lat: degrees('Latitude', latMaxDeg),
  lon: degrees('Longitude', lonMaxDeg),
  link: v.optional(v.nullable(Link), null),
  visibility: v.optional(Visibility, 'public'),
  precision: v.optional(Precision, 'exact'),
  isShared: v.optional(IsShared, false),
  schedule: v.optional(v.nullable(NewDeviceSchedule), null),
})
export type DeviceDetails = v.InferOutput<typeof DeviceDetails>

/** Absent fields stay as they are. A link or a schedule of null removes it. */
export const DeviceChanges = v.strictObject({
  label: v.exactOptional(Label),
  lat: v.exactOptional(degrees('Latitude', latMaxDeg)),
  lon: v.exactOptional(degrees('Longitude', lonMaxDeg)),
  link: v.exactOptional(v.nullable(Link)),
  visibility: v.exactOptional(Visibility),
  precision: v.exactOptional(Precision),
  isShared: v.exactOptional(IsShared),
  schedule: v.exactOptional(v.nullable(NewDeviceSchedule)),
})
export type DeviceChanges = v.InferOutput<typeof DeviceChanges>

const DeviceParams = v.strictObject({ id: v.string() })

export const listPublicDevices = defineRoute({
  method: 'GET',
  path: '/api/devices',
  summary: 'The public devices, last seen first; X-Total-Count says how many there are',
  tag: 'Devices',
  access: 'anyone',
  answers: { 200: v.array(PublicDevice), 304: null },
  errors: ['rate_limited', 'overloaded'],
})

export const getPublicDevice = defineRoute({
  method: 'GET',
  path: '/api/devices/:id',
  summary: 'A public device, or one of the user’s own as the public would see it',
  tag: 'Devices',
  access: 'anyone',
  params: DeviceParams,
  answers: { 200: PublicDeviceDetails },
  errors: ['not_found', 'rate_limited'],
})

export const listOwnDevices = defineRoute({
  method: 'GET',
  path: '/api/me/devices',
  summary: 'The user’s own devices, including private ones',
  tag: 'Devices',
  access: 'user',
  scope: 'devices:read',
  answers: { 200: v.array(OwnDevice) },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope'],
})

export const registerDevice = defineRoute({
  method: 'POST',
  path: '/api/devices/register',
  summary: 'Register a device',
  tag: 'Devices',
  access: 'user',
  scope: 'devices:write',
  body: DeviceDetails,
  answers: { 201: OwnDevice },
  errors: [
    'signed_out',
    'invalid_api_key',
    'missing_scope',
    'demo_account',
    'invalid_device',
    'device_limit',
    'server_full',
  ],
  invalid: 'invalid_device',
})

export const updateDevice = defineRoute({
  method: 'PATCH',
  path: '/api/devices/:id',
  summary: 'Change one of the user’s own devices',
  tag: 'Devices',
  access: 'user',
  scope: 'devices:write',
  params: DeviceParams,
  body: DeviceChanges,
  answers: { 200: OwnDevice },
  errors: [
    'signed_out',
    'invalid_api_key',
    'missing_scope',
    'demo_account',
    'invalid_device',
    'not_found',
  ],
  invalid: 'invalid_device',
})

export const deleteDevice = defineRoute({
  method: 'DELETE',
  path: '/api/devices/:id',
  summary: 'Delete one of the user’s own devices, with its tokens',
  tag: 'Devices',
  access: 'user',
  scope: 'devices:write',
  params: DeviceParams,
  answers: { 204: null },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'not_found'],
})

export const createDeviceToken = defineRoute({
  method: 'POST',
  path: '/api/devices/token',
  summary: 'Make a device token; only this answer shows it',
  tag: 'Device tokens',
  access: 'user',
  scope: 'devices:write',
  body: v.strictObject({
    deviceId: v.string(),
    label: v.optional(v.nullable(Label), null),
    scope: v.optional(TokenScope, 'report'),
  }),
  answers: {
    201: v.object({
      id: v.string(),
      token: v.string(),
      label: v.nullable(v.string()),
      scope: TokenScope,
    }),
  },
  errors: [
    'signed_out',
    'invalid_api_key',
    'missing_scope',
    'demo_account',
    'invalid_input',
    'not_found',
    'token_limit',
  ],
})

export const listDeviceTokens = defineRoute({
  method: 'GET',
  path: '/api/devices/:id/tokens',
  summary: 'The tokens of one of the user’s own devices, without their secrets',
  tag: 'Device tokens',
  access: 'user',
  scope: 'devices:read',
  params: DeviceParams,
  answers: { 200: v.array(DeviceToken) },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'not_found'],
})

export const revokeDeviceToken = defineRoute({
  method: 'DELETE',
  path: '/api/devices/tokens/:id',
  summary: 'Revoke a device token',
  tag: 'Device tokens',
  access: 'user',
  scope: 'devices:write',
  params: v.strictObject({ id: v.string() }),
  answers: { 204: null },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'not_found'],
})

export const renewDeviceTokens = defineRoute({
  method: 'POST',
  path: '/api/me/devices/tokens/renew',
  summary: 'Replace all device tokens; only this answer shows the new ones',
  tag: 'Device tokens',
  access: 'user',
  answers: {
    200: v.array(
      v.object({
        deviceId: v.string(),
        deviceLabel: v.string(),
        id: v.string(),
        token: v.string(),
        label: v.nullable(v.string()),
        scope: TokenScope,
      }),
    ),
  },
  errors: ['signed_out', 'demo_account', 'rate_limited'],
})

/**
 * An exit code of 0 means `ok`, any other one `fail`, and a text without a status `ok`. Without any of
 * them, it is a plain heartbeat.
 */
const said = { status: v.optional(HeartbeatStatus), exit: v.optional(ExitCode) }

export const sessionHeartbeat = defineRoute({
  method: 'POST',
  path: '/api/devices/heartbeat',
  summary:
    'Report one of the user’s own devices as alive, with an optional status, by session cookie',
  tag: 'Heartbeats',
  access: 'user',
  query: v.strictObject({ id: v.string(), ...said }),
  body: v.nullish(v.string()),
  bodyType: 'text/plain',
  answers: { 204: null },
  errors: ['signed_out', 'invalid_input', 'not_found', 'overloaded'],
})

export const tokenHeartbeat = defineRoute({
  method: 'POST',
  path: '/api/devices/heartbeat-token',
  summary: 'Report a device as alive, with an optional status, by device token',
  tag: 'Heartbeats',
  access: 'device',
  // Scripts on devices may send parameters that we do not know. They have always been ignored.
  query: v.object(said),
  body: v.nullish(v.string()),
  bodyType: 'text/plain',
  answers: { 204: null },
  errors: ['invalid_token', 'too_large', 'rate_limited', 'overloaded'],
})
