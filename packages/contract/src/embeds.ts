import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { labelMaxLength, slugMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'

/** What others show of public devices and listed islands, on their own pages and in their own programs. */

/** Over how long an uptime is told. */
export const BadgeWindow = v.picklist(
  ['24h', '7d', '30d', '90d'],
  'A window is 24h, 7d, 30d or 90d.',
)
export type BadgeWindow = v.InferOutput<typeof BadgeWindow>

const labelMessage = `A label has 1 to ${labelMaxLength} characters, all of them visible.`
/** Stands on the left, in place of what the device or island is called. */
const label = v.exactOptional(ShortText(labelMaxLength, labelMessage))

const SlugParams = v.strictObject({ slug: v.pipe(v.string(), v.maxLength(slugMaxLength)) })
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
  summary: 'A picture of how much of the time an island was open',
  params: SlugParams,
  query: UptimeBadgeQuery,
})

const atom = {
  method: 'GET',
  tag,
  access: 'anyone',
  answerType: 'application/atom+xml',
  answers: { 200: v.string(), 304: null },
  errors: ['not_found', 'rate_limited', 'overloaded'],
} as const

export const deviceAtomFeed = defineRoute({
  ...atom,
  path: '/feeds/devices/:id.atom',
  summary: 'When a public device went online and offline, newest first, as an Atom feed',
  params: IslandId,
})

export const islandAtomFeed = defineRoute({
  ...atom,
  path: '/feeds/islands/:slug.atom',
  summary: 'When an island opened and closed, newest first, as an Atom feed',
  params: SlugParams,
})

const map = {
  method: 'GET',
  tag,
  access: 'anyone',
  errors: ['rate_limited', 'overloaded'],
} as const

/** https://www.rfc-editor.org/rfc/rfc7946 */
const GeoJson = v.object({
  type: v.literal('FeatureCollection'),
  features: v.array(
    v.object({
      type: v.literal('Feature'),
      id: v.string(),
      geometry: v.object({
        type: v.literal('Point'),
        /** Longitude and latitude. */
        coordinates: v.array(v.number()),
      }),
      properties: v.object({
        name: v.string(),
        status: v.string(),
        link: v.nullable(v.string()),
      }),
    }),
  ),
})

export const devicesGeoJson = defineRoute({
  ...map,
  path: '/maps/devices.geojson',
  summary: 'The public devices as GeoJSON, last seen first',
  answerType: 'application/geo+json',
  answers: { 200: GeoJson, 304: null },
})

const Time = v.string()

/** What Freifunk's older maps read, as yanic writes it. */
const NodesJson = v.object({
  version: v.literal(2),
  timestamp: Time,
  nodes: v.array(
    v.object({
      firstseen: Time,
      lastseen: Time,
      flags: v.object({ online: v.boolean(), gateway: v.boolean() }),
      statistics: v.object({ node_id: v.string(), clients: v.number() }),
      nodeinfo: v.object({
        node_id: v.string(),
        hostname: v.string(),
        location: v.object({ latitude: v.number(), longitude: v.number() }),
      }),
    }),
  ),
})

export const nodesJson = defineRoute({
  ...map,
  path: '/maps/nodes.json',
  summary: 'The public devices as nodes.json, version 2',
  answers: { 200: NodesJson, 304: null },
})

/** What meshviewer reads: https://github.com/freifunk/meshviewer */
const MeshviewerJson = v.object({
  timestamp: Time,
  nodes: v.array(
    v.object({
      node_id: v.string(),
      hostname: v.string(),
      firstseen: Time,
      lastseen: Time,
      is_online: v.boolean(),
      is_gateway: v.boolean(),
      location: v.object({ latitude: v.number(), longitude: v.number() }),
      clients: v.number(),
      clients_wifi24: v.number(),
      clients_wifi5: v.number(),
      clients_other: v.number(),
      addresses: v.array(v.string()),
    }),
  ),
  links: v.array(v.never()),
})

export const meshviewerJson = defineRoute({
  ...map,
  path: '/maps/meshviewer.json',
  summary: 'The public devices as meshviewer.json',
  answers: { 200: MeshviewerJson, 304: null },
})

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
