import * as v from 'valibot'
import { Status } from './devices.ts'
import { uptimeWindows } from './history.ts'
import { IslandId } from './island-id.ts'
import { labelMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { Slug } from './slugs.ts'
import { ShortText } from './text-fields.ts'

/** The time that an uptime covers. */
const BadgeWindow = v.picklist(uptimeWindows, 'A window is 24h, 7d, 30d or 90d.')

const labelMessage = `A label has 1 to ${labelMaxLength} characters, all of them visible.`
/** Replaces the name on the left of the badge. */
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
  summary: 'A badge with a public device’s status',
  params: IslandId,
  query: StatusBadgeQuery,
})

export const deviceUptimeBadge = defineRoute({
  ...svg,
  path: '/badges/:id/uptime.svg',
  summary: 'A badge with a public device’s uptime',
  params: IslandId,
  query: UptimeBadgeQuery,
})

export const islandStatusBadge = defineRoute({
  ...svg,
  path: '/badges/islands/:slug/status.svg',
  summary: 'A badge that shows whether an island is open',
  params: SlugParams,
  query: StatusBadgeQuery,
})

export const islandUptimeBadge = defineRoute({
  ...svg,
  path: '/badges/islands/:slug/uptime.svg',
  summary: 'A badge with an island’s uptime',
  params: SlugParams,
  query: UptimeBadgeQuery,
})

export const checkStatusBadge = defineRoute({
  ...svg,
  path: '/badges/checks/:id/status.svg',
  summary: 'A badge with a public check’s status',
  params: IslandId,
  query: StatusBadgeQuery,
})

export const checkUptimeBadge = defineRoute({
  ...svg,
  path: '/badges/checks/:id/uptime.svg',
  summary: 'A badge with a public check’s uptime',
  params: IslandId,
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

export const checkFeed = defineRoute({
  ...feed,
  path: '/feeds/checks/:id/status.atom',
  summary: 'When a public check came up and went down, as Atom',
  params: IslandId,
})

const map = {
  method: 'GET',
  tag,
  access: 'anyone',
  errors: ['rate_limited', 'overloaded'],
} as const

const Coordinate = v.number()

export const devicesGeoJson = defineRoute({
  ...map,
  path: '/embeds/devices.geojson',
  summary: 'The public devices as GeoJSON, at most the 100,000 last seen',
  answerType: 'application/geo+json',
  answers: {
    200: v.object({
      type: v.literal('FeatureCollection'),
      features: v.array(
        v.object({
          type: v.literal('Feature'),
          id: v.string(),
          geometry: v.object({
            type: v.literal('Point'),
            /** Longitude and latitude, as coarse as its owner chose. */
            coordinates: v.tuple([Coordinate, Coordinate]),
          }),
          properties: v.object({
            label: v.string(),
            status: Status,
            link: v.nullable(v.string()),
            /** The device's page on this site. */
            page: v.string(),
          }),
        }),
      ),
    }),
    304: null,
  },
})

const Location = v.object({ latitude: Coordinate, longitude: Coordinate })
const seen = {
  /** Since when it has been public. */
  firstseen: v.string(),
  /** For online devices, the time when this was made. */
  lastseen: v.string(),
}

export const devicesMeshviewer = defineRoute({
  ...map,
  path: '/embeds/meshviewer.json',
  summary: 'The public devices that have ever reported, for Freifunk’s meshviewer',
  answers: {
    200: v.object({
      timestamp: v.string(),
      nodes: v.array(
        v.object({
          ...seen,
          node_id: v.string(),
          hostname: v.string(),
          is_online: v.boolean(),
          is_gateway: v.boolean(),
          location: Location,
          clients: v.number(),
          clients_wifi24: v.number(),
          clients_wifi5: v.number(),
          clients_other: v.number(),
          addresses: v.array(v.string()),
          firmware: v.object({}),
          autoupdater: v.object({ enabled: v.boolean() }),
          nproc: v.number(),
          loadavg: v.number(),
          memory_usage: v.number(),
        }),
      ),
      links: v.array(v.never()),
    }),
    304: null,
  },
})

export const devicesNodesJson = defineRoute({
  ...map,
  path: '/embeds/nodes.json',
  summary: 'The same devices as a nodes.json of version 2',
  answers: {
    200: v.object({
      version: v.literal(2),
      timestamp: v.string(),
      nodes: v.array(
        v.object({
          ...seen,
          flags: v.object({ online: v.boolean(), gateway: v.boolean() }),
          statistics: v.object({ node_id: v.string(), clients: v.number() }),
          nodeinfo: v.object({
            node_id: v.string(),
            hostname: v.string(),
            location: Location,
            network: v.object({ mac: v.string(), addresses: v.array(v.string()) }),
            hardware: v.object({}),
            software: v.object({}),
          }),
        }),
      ),
    }),
    304: null,
  },
})

/** Older meshviewers load it along with nodes.json, and show nothing without it. */
export const devicesGraphJson = defineRoute({
  ...map,
  path: '/embeds/graph.json',
  summary: 'The links between the nodes of nodes.json, of which there are none',
  answers: {
    200: v.object({
      version: v.literal(1),
      batadv: v.object({
        directed: v.boolean(),
        nodes: v.array(v.never()),
        links: v.array(v.never()),
        graph: v.null(),
      }),
    }),
    304: null,
  },
})

/** Paths of what people embed in their own pages and add to feed readers. */
export const embedPaths = {
  deviceStatusBadge: (id: string) => deviceStatusBadge.path.replace(':id', id),
  deviceUptimeBadge: (id: string) => deviceUptimeBadge.path.replace(':id', id),
  deviceFeed: (id: string) => deviceFeed.path.replace(':id', id),
  islandStatusBadge: (slug: string) => islandStatusBadge.path.replace(':slug', slug),
  islandUptimeBadge: (slug: string) => islandUptimeBadge.path.replace(':slug', slug),
  islandFeed: (slug: string) => islandFeed.path.replace(':slug', slug),
  checkStatusBadge: (id: string) => checkStatusBadge.path.replace(':id', id),
  checkUptimeBadge: (id: string) => checkUptimeBadge.path.replace(':id', id),
  checkFeed: (id: string) => checkFeed.path.replace(':id', id),
} as const

export const readDeviceMetrics = defineRoute({
  method: 'GET',
  path: '/metrics/devices',
  summary: 'The user’s own devices and checks for Prometheus, with an API key of scope metrics',
  tag,
  access: 'user',
  scope: 'metrics',
  answerType: 'text/plain',
  answers: { 200: v.string() },
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'rate_limited'],
})
