import * as v from 'valibot'
import { CheckStatus } from './checks.ts'
import { Status } from './devices.ts'
import { IslandPause } from './islands.ts'
import { frameHostsPerStatusPage, nameMaxLength, statusPageSubjectsMax } from './limits.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'

const titleMessage = `A title has 1 to ${nameMaxLength} characters, all of them visible.`
const hostMessage =
  'Name a host such as wall.example.org, with a port where it has one. *.example.org names all hosts below it.'

/**
 * As CSP accepts it: labels of letters, digits and inner hyphens, optionally after an asterisk, and with a
 * port.
 */
const frameHostPattern =
  /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*(?::\d{1,5})?$/

/** A host that may show the page in a frame. It becomes lower case. */
export const FrameHost = v.pipe(
  v.string(hostMessage),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(253, hostMessage),
  v.regex(frameHostPattern, hostMessage),
)

function ids(message: string) {
  return v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(64)), message),
    v.maxLength(statusPageSubjectsMax, message),
    v.check((all) => new Set(all).size === all.length, message),
  )
}

const devicesMessage = `A status page shows at most ${statusPageSubjectsMax} devices, each of them once.`
const islandsMessage = `A status page shows at most ${statusPageSubjectsMax} islands, each of them once.`
const checksMessage = `A status page shows at most ${statusPageSubjectsMax} checks, each of them once.`
const frameHostsMessage = `At most ${frameHostsPerStatusPage} hosts may show it in a frame, each of them once.`

/** The owner's choice. The page leaves out what not everybody may see. */
export const StatusPageSettings = v.object({
  isOn: v.boolean(),
  /** Null: the owner's username. */
  title: v.nullable(v.string()),
  /** Ids of the owner's devices, in order. */
  devices: v.array(v.string()),
  /** Ids of the owner's islands, in order. */
  islands: v.array(v.string()),
  /** Ids of the owner's checks, in order. */
  checks: v.optional(v.array(v.string()), []),
  frameHosts: v.array(v.string()),
})
export type StatusPageSettings = v.InferOutput<typeof StatusPageSettings>

/** Absent fields stay as they are. */
export const StatusPageChanges = v.strictObject({
  isOn: v.exactOptional(v.boolean()),
  title: v.exactOptional(v.nullable(ShortText(nameMaxLength, titleMessage))),
  devices: v.exactOptional(ids(devicesMessage)),
  islands: v.exactOptional(ids(islandsMessage)),
  checks: v.exactOptional(ids(checksMessage)),
  frameHosts: v.exactOptional(
    v.pipe(
      v.array(FrameHost, frameHostsMessage),
      v.maxLength(frameHostsPerStatusPage, frameHostsMessage),
      v.check((hosts) => new Set(hosts).size === hosts.length, frameHostsMessage),
    ),
  ),
})
export type StatusPageChanges = v.InferOutput<typeof StatusPageChanges>

/** Its history: for each day, the share of the observed time in which it was online, open or up. */
const Past = {
  /** Since when it has its status; null if unknown. ISO 8601 in UTC. */
  since: v.nullable(v.string()),
  /** The share of the observed time in the last 90 days, from 0 to 1; null if none was observed. */
  uptime: v.nullable(v.number()),
  /** The observed share of the last 90 days, from 0 to 1. */
  observed: v.number(),
  /** The last 90 days, oldest first, today last; null for a day without observations. */
  days: v.array(v.nullable(v.number())),
}

export const StatusPage = v.object({
  username: v.string(),
  title: v.string(),
  /** The last day, in UTC: YYYY-MM-DD. */
  today: v.string(),
  devices: v.array(v.object({ id: v.string(), label: v.string(), status: Status, ...Past })),
  islands: v.array(
    v.object({
      slug: v.string(),
      name: v.string(),
      isOpen: v.boolean(),
      /** Null if it is not paused. */
      pause: v.nullable(IslandPause),
      /** Whether a device, a check or the relay shows if it is open. Without one, it has no history. */
      isWatched: v.boolean(),
      ...Past,
    }),
  ),
  checks: v.array(v.object({ id: v.string(), name: v.string(), status: CheckStatus, ...Past })),
})
export type StatusPage = v.InferOutput<typeof StatusPage>

export const getStatusPageSettings = defineRoute({
  method: 'GET',
  path: '/api/me/status-page',
  summary: 'What the user’s own status page shows, and which hosts may show it in a frame',
  tag: 'Status pages',
  access: 'user',
  answers: { 200: StatusPageSettings },
  errors: ['signed_out'],
})

export const updateStatusPage = defineRoute({
  method: 'PATCH',
  path: '/api/me/status-page',
  summary:
    'Turn the user’s own status page on or off, or choose what it shows; only the user’s own subjects count',
  tag: 'Status pages',
  access: 'user',
  body: StatusPageChanges,
  answers: { 200: StatusPageSettings },
  errors: ['signed_out', 'demo_account', 'invalid_input', 'rate_limited'],
})

export const getStatusPage = defineRoute({
  method: 'GET',
  path: '/api/status/:username',
  summary: 'A user’s status page, the same for everybody; as HTML, it is at /status/:username',
  tag: 'Status pages',
  access: 'anyone',
  params: v.strictObject({ username: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 200: StatusPage, 304: null },
  errors: ['not_found', 'rate_limited', 'overloaded'],
})
