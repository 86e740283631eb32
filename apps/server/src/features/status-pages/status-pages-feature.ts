import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { PageFonts } from '../../http/drawn-pages.ts'
import type { OwnDataKind } from '../../own-data.ts'
import { statusPageDrawing } from './draw-status-page.ts'
import { CachedPages } from './cached-pages.ts'
import { statusPageReader, type StatusPageReaderDeps } from './read-status-page.ts'
import { sqlStatusPagesStore } from './sql-status-pages-store.ts'
import { statusPagesRoutes, type StatusPagesRoutesOptions } from './status-pages-routes.ts'

interface StatusPagesFeatureOptions {
  readonly config: Pick<Config, 'siteName'>
  readonly fonts: PageFonts
  readonly presence: Pick<StatusPageReaderDeps, 'status' | 'statusSince'> & {
    readonly listen: (listener: (deviceKeys: readonly number[]) => void) => void
  }
  readonly devices: {
    readonly listShown: StatusPageReaderDeps['listDevices']
    readonly listOwn: (userKey: number) => Promise<readonly { readonly id: string }[]>
    /** Reports changes of private devices too. */
    readonly listen: (listener: (deviceKey: number) => void) => void
  }
  readonly islands: {
    readonly listShown: StatusPageReaderDeps['listIslands']
    readonly listHostedIds: (userKey: number) => Promise<readonly string[]>
    /** Reports changes on this server and on others. */
    readonly listenChanges: (listener: (islandKey: number) => void) => void
  }
  readonly history: { readonly readDevice: StatusPageReaderDeps['readDevicePast'] }
}

/** Status pages: users show everybody how their devices and islands are doing. */
export function statusPagesFeature(
  { storage, clock }: Pick<FeatureBase, 'storage' | 'clock'>,
  { config, fonts, presence, devices, islands, history }: StatusPagesFeatureOptions,
) {
  const store = sqlStatusPagesStore(storage.db)
  const drawing = statusPageDrawing(fonts, config.siteName)
  const reader = statusPageReader({
    store,
    clock,
    listDevices: devices.listShown,
    status: (deviceKey) => presence.status(deviceKey),
    statusSince: (deviceKey) => presence.statusSince(deviceKey),
    readDevicePast: history.readDevice,
    listIslands: islands.listShown,
  })
  const pages = new CachedPages(reader, drawing)
  devices.listen((key) => pages.forgetThing('devices', key))
  presence.listen((keys) => pages.noteFlips(keys))
  islands.listenChanges((key) => pages.forgetThing('islands', key))

  const ownData: OwnDataKind = {
    kind: 'statusPage',
    count: async (userKey) => ((await store.find(userKey)) === undefined ? 0 : 1),
    text: () => 'a status page',
    read: async function* (userKey) {
      const settings = await store.find(userKey)
      if (settings !== undefined) yield JSON.stringify(settings)
    },
  }

  return {
    ownData,
    /**
     * Call this when a user is disabled, enabled or deleted. Pages do not say whose they are, so all are
     * dropped.
     */
    noteOwnerChange: () => pages.forgetAll(),
    routes: (app: FastifyInstance, { serve }: Pick<StatusPagesRoutesOptions, 'serve'>) =>
      statusPagesRoutes(app, {
        serve,
        store,
        pages,
        drawing,
        listOwnIds: async (userKey) => {
          const [own, hosted] = await Promise.all([
            devices.listOwn(userKey),
            islands.listHostedIds(userKey),
          ])
          return { devices: new Set(own.map(({ id }) => id)), islands: new Set(hosted) }
        },
      }),
  }
}
