import * as v from 'valibot'
import { uptimeWindows } from './history.ts'
import { IslandId } from './island-id.ts'
import { labelMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { Slug } from './slugs.ts'
import { ShortText } from './text-fields.ts'

/** Over how long an uptime is told. */
const BadgeWindow = v.picklist(uptimeWindows, 'A window is 24h, 7d, 30d or 90d.')

const labelMessage = `A label has 1 to ${labelMaxLength} characters, all of them visible.`
/** Stands on the left, in place of what the device or island is called. */
const label = v.exactOptional(ShortText(labelMaxLength, labelMessage))

const SlugParams = v.strictObject({ slug: Slug })
const StatusBadgeQuery = v.strictObject({ label })
const UptimeBadgeQuery = v.strictObject({ label, window: v.optional(BadgeWindow, '30d') })

const tag = 'Embeds'
const svg = {
  method: 'GET',
  tag,
  access: 'anyone',
  answerType: 'image/svg+xml',
  answers: { 200: v.string(), 304: null },
  errors: ['not_found', 'invalid_input', 'rate_limited', 'overloaded'],
} as const

export const deviceStatusBadge = defineRoute({
  ...svg,
  path: '/badges/:id/status.svg',
  summary: 'A picture of a public device’s status',
  params: IslandId,
  query: StatusBadgeQuery,
})

export const deviceUptimeBadge = defineRoute({
  ...svg,
  path: '/badges/:id/uptime.svg',
  summary: 'A picture of a public device’s uptime',
  params: IslandId,
  query: UptimeBadgeQuery,
})

export const islandStatusBadge = defineRoute({
  ...svg,
  path: '/badges/islands/:slug/status.svg',
  summary: 'A picture of whether an island is open',
  params: SlugParams,
  query: StatusBadgeQuery,
})

export const islandUptimeBadge = defineRoute({
  ...svg,
  path: '/badges/islands/:slug/uptime.svg',
  summary: 'A picture of how much of a time an island was open',
  params: SlugParams,
  query: UptimeBadgeQuery,
})

const feed = {
  method: 'GET',
  tag,
  access: 'anyone',
  answerType: 'application/atom+xml',
  answers: { 200: v.string(), 304: null },
  errors: ['not_found', 'rate_limited', 'overloaded'],
} as const

export const deviceFeed = defineRoute({
  ...feed,
  path: '/feeds/:id/status.atom',
  summary: 'When a public device came online and went offline, as Atom',
  params: IslandId,
})

export const islandFeed = defineRoute({
  ...feed,
  path: '/feeds/islands/:slug/status.atom',
  summary: 'When an island opened and closed, as Atom',
  params: SlugParams,
})

/** What people put on pages of their own and into feed readers, by its address below the site's. */
export const embedPaths = {
  deviceStatusBadge: (id: string) => deviceStatusBadge.path.replace(':id', id),
  deviceUptimeBadge: (id: string) => deviceUptimeBadge.path.replace(':id', id),
  deviceFeed: (id: string) => deviceFeed.path.replace(':id', id),
  islandStatusBadge: (slug: string) => islandStatusBadge.path.replace(':slug', slug),
  islandUptimeBadge: (slug: string) => islandUptimeBadge.path.replace(':slug', slug),
  islandFeed: (slug: string) => islandFeed.path.replace(':slug', slug),
} as const

export const readDeviceMetrics = defineRoute({
  method: 'GET',
  path: '/metrics/devices',
  summary: 'One’s own devices for Prometheus, by an API key of scope metrics',
  tag,
  access: 'user',
  scope: 'metrics',
  answerType: 'text/plain',
  answers: { 200: v.string() },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'rate_limited'],
})
