import type { ReportStatus, Status } from '@astropelago/contract/devices'
import { readDeviceMetrics } from '@astropelago/contract/embeds'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../http/serve-route.ts'
import { badgeRoutes, type BadgeRoutesOptions } from './badge-routes.ts'
import { feedRoutes, type FeedRoutesOptions } from './feed-routes.ts'
import { mapRoutes, type MapRoutesOptions } from './maps/map-routes.ts'
import { metricsType, writeDeviceMetrics } from './device-metrics.ts'

export interface EmbedsRoutesParts extends BadgeRoutesOptions, FeedRoutesOptions {
  readonly maps: Omit<MapRoutesOptions, 'serve' | 'publicUrl'>
  readonly serve: Serve
  readonly listOwn: (
    userKey: number,
  ) => Promise<readonly { readonly key: number; readonly id: string; readonly label: string }[]>
  readonly status: (deviceKey: number) => Status
  readonly lastSeenMs: (deviceKey: number) => number | null
  /** The devices' latest reports. */
  readonly readReports: (
    deviceKeys: readonly number[],
  ) => Promise<readonly { readonly deviceKey: number; readonly status: ReportStatus }[]>
}

export async function embedsRoutes(app: FastifyInstance, parts: EmbedsRoutesParts): Promise<void> {
  const { serve, listOwn, status, lastSeenMs, readReports } = parts
  badgeRoutes(app, parts)
  feedRoutes(app, parts)
  mapRoutes(app, { ...parts.maps, serve, publicUrl: parts.publicUrl })

  serve(app, readDeviceMetrics, async ({ user, reply }) => {
    const devices = await listOwn(user.userKey)
    const reports = await readReports(devices.map(({ key }) => key))
    const said = new Map(reports.map((report) => [report.deviceKey, report.status]))
    const text = writeDeviceMetrics(
      devices.map(({ key, id, label }) => ({
        id,
        label,
        status: status(key),
        lastSeenMs: lastSeenMs(key),
        said: said.get(key),
      })),
    )
    reply.type(metricsType).send(text)
    return undefined
  })
}
