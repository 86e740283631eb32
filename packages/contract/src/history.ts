import * as v from 'valibot'
import { Status } from './devices.ts'
import { defineRoute } from './route.ts'

/** How far back a history goes, and how long single status changes are kept. */
export const historyDays = 90
/** How long a device's daily rows are kept. */
export const deviceRetentionDays = 730
/** Days in the strips of device lists. */
export const stripDays = 30
/** Events per page of a history. */
export const historyPageLength = 30

/** One day in UTC. Its seconds add up to the whole day, or to the time since midnight for today. */
export const Day = v.object({
  /** Such as 2030-01-31. */
  day: v.string(),
  onlineS: v.number(),
  offlineS: v.number(),
  /**
   * Time in which the server could not hear the device, before it first reported, or hidden from the
   * reader.
   */
  unobservedS: v.number(),
  /** How often its status changed. */
  flips: v.number(),
  /** The last status of the day; `unknown` if nothing was observed. */
  status: Status,
})
export type Day = v.InferOutput<typeof Day>

export const uptimeWindows = ['24h', '7d', '30d', '90d'] as const

/** The uptime of a device or an island in a window that ends now. */
export const Uptime = v.object({
  window: v.picklist(uptimeWindows),
  /** The share of the observed time, from 0 to 1; null if none was observed. */
  uptime: v.nullable(v.number()),
  /** The observed share of the window, from 0 to 1. */
  observed: v.number(),
})
export type Uptime = v.InferOutput<typeof Uptime>

const SpanStatus = v.picklist(['online', 'offline', 'unobserved'])

/** A time without changes. */
export const Span = v.object({ from: v.string(), to: v.string(), status: SpanStatus })
export type Span = v.InferOutput<typeof Span>

/** A change of status, or a time in which the server could not hear the device. */
export const HistoryEvent = v.variant('kind', [
  v.object({ kind: v.literal('online'), at: v.string() }),
  v.object({ kind: v.literal('offline'), at: v.string() }),
  v.object({ kind: v.literal('unobserved'), at: v.string(), until: v.string() }),
])
export type HistoryEvent = v.InferOutput<typeof HistoryEvent>

/** The history of a device. Times are ISO 8601 in UTC. */
export const DeviceHistory = v.object({
  /** At most 90 days, oldest first. The first one with anything to show comes first, today last. */
  days: v.array(Day),
  /** The last 24 hours without a gap, oldest first. */
  spans: v.array(Span),
  /** Newest first. */
  events: v.array(HistoryEvent),
  /** For the next page of events; null if there are no more. */
  next: v.nullable(v.string()),
})
export type DeviceHistory = v.InferOutput<typeof DeviceHistory>

export const DeviceUptime = v.object({
  status: Status,
  /** Since when it has its status; null if unknown or hidden from the reader. */
  since: v.nullable(v.string()),
  /** One for each of `uptimeWindows`, in that order. */
  windows: v.array(Uptime),
})
export type DeviceUptime = v.InferOutput<typeof DeviceUptime>

const DeviceParams = v.strictObject({ id: v.string() })

export const getDeviceHistory = defineRoute({
  method: 'GET',
  path: '/api/devices/:id/history',
  summary:
    'The history of the user’s own device, or of a public one since it became public; later pages have only events',
  tag: 'History',
  access: 'anyone',
  scope: 'devices:read',
  params: DeviceParams,
  query: v.strictObject({
    /** The `next` of the previous page. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: { 200: DeviceHistory },
  errors: [
    'invalid_api_key',
    'missing_scope',
    'not_found',
    'invalid_input',
    'rate_limited',
    'overloaded',
  ],
})

export const getDeviceUptime = defineRoute({
  method: 'GET',
  path: '/api/devices/:id/uptime',
  summary:
    'The uptime of a public device or the user’s own in the last 24 hours, 7, 30 and 90 days',
  tag: 'History',
  access: 'anyone',
  scope: 'devices:read',
  params: DeviceParams,
  answers: { 200: DeviceUptime },
  errors: ['invalid_api_key', 'missing_scope', 'not_found', 'rate_limited', 'overloaded'],
})

export const listDeviceStrips = defineRoute({
  method: 'GET',
  path: '/api/me/devices/strips',
  summary: 'The last 30 days of each of the user’s own devices, oldest first',
  tag: 'History',
  access: 'user',
  scope: 'devices:read',
  answers: { 200: v.array(v.object({ id: v.string(), days: v.array(Day) })) },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'overloaded'],
})
