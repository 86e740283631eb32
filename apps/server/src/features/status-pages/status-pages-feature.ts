import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { PageFonts } from '../../http/drawn-pages.ts'
import type { OwnDataKind } from '../../own-data.ts'
import { statusPageDrawing } from './draw-status-page.ts'
import { KeptPages } from './kept-pages.ts'
import { statusPageReader, type StatusPageReaderDeps } from './read-status-page.ts'
import { sqlStatusPagesStore } from './sql-status-pages-store.ts'
import { statusPagesRoutes, type StatusPagesRoutesOptions } from './status-pages-routes.ts'

interface StatusPagesFeatureOptions extends Omit<StatusPageReaderDeps, 'store' | 'clock'> {
  readonly fonts: PageFonts
  readonly listOwnDevices: (userKey: number) => Promise<readonly { readonly id: string }[]>
  readonly listOwnIslands: (userKey: number) => Promise<readonly string[]>
  /** Of changes of devices, be they private. */
  readonly listenDevices: (listener: (deviceKey: number) => void) => void
  readonly listenFlips: (listener: (deviceKeys: readonly number[]) => void) => void
  readonly siteName: string
  /** Of changes of islands, on this server and on others. */
  readonly listenIslands: (listener: (islandKey: number) => void) => void
}

/** Pages by which users let everybody see how what is theirs does. */
export function statusPagesFeature(
  { storage, clock }: Pick<FeatureBase, 'storage' | 'clock'>,
  options: StatusPagesFeatureOptions,
) {
  const { listOwnDevices, listOwnIslands, listenDevices, listenFlips, listenIslands } = options
  const store = sqlStatusPagesStore(storage.db)
  const drawing = statusPageDrawing(options.fonts, options.siteName)
  const pages = new KeptPages(statusPageReader({ ...options, store, clock }), drawing)
  listenDevices((key) => pages.forgetThing('devices', key))
  listenFlips((keys) => pages.noteFlips(keys))
  listenIslands((key) => pages.forgetThing('islands', key))

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
    /** To be called when a user was turned off or on, or is gone: which one, a page does not say. */
    noteOwnerChange: () => pages.forgetAll(),
    routes: (app: FastifyInstance, { serve }: Pick<StatusPagesRoutesOptions, 'serve'>) =>
      statusPagesRoutes(app, {
        serve,
        store,
        pages,
        drawing,
        listOwnIds: async (userKey) => {
          const [devices, islands] = await Promise.all([
            listOwnDevices(userKey),
            listOwnIslands(userKey),
          ])
          return { devices: new Set(devices.map(({ id }) => id)), islands: new Set(islands) }
        },
      }),
  }
}
