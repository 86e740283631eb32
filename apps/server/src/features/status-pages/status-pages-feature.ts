import { statusPageSubjectsMax } from '@astropelago/contract/limits'
import type { StatusPageSettings } from '@astropelago/contract/status-pages'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { PageFonts } from '../../http/drawn-pages.ts'
import type { Serve } from '../../http/serve-route.ts'
import { ownList } from '../../own-data.ts'
import type { DatabaseTransaction } from '../../storage/storage.ts'
import type { ChecksFeature } from '../checks/public.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Presence } from '../presence/public.ts'
import { statusPageDrawing } from './draw-status-page.ts'
import { CachedPages } from './cached-pages.ts'
import { statusPageReader, type StatusPageSources } from './read-status-page.ts'
import { changePage, sqlStatusPagesStore } from './sql-status-pages-store.ts'
import { defaultSettings, statusPagesRoutes } from './status-pages-routes.ts'

interface StatusPagesFeatureOptions extends StatusPageSources {
  readonly config: Pick<Config, 'siteName'>
  readonly fonts: PageFonts
  readonly presence: StatusPageSources['presence'] & Pick<Presence, 'listen'>
  readonly devices: Pick<DevicesFeature, 'listShown' | 'listOwn' | 'listen'>
  readonly islands: Pick<IslandsFeature, 'listShown' | 'listHostedIds' | 'listenShown'>
  readonly checks: Pick<ChecksFeature['shown'], 'listShown' | 'listOwn'>
}

export function statusPagesFeature(
  { storage, changes, clock }: Pick<FeatureBase, 'storage' | 'changes' | 'clock'>,
  { config, fonts, ...sources }: StatusPagesFeatureOptions,
) {
  const { presence, devices, islands, checks } = sources
  const store = sqlStatusPagesStore(storage.db)
  const drawing = statusPageDrawing(fonts, config.siteName)
  const pages = new CachedPages(statusPageReader({ ...sources, store, clock }), drawing)
  changes.subscribe('users', ({ keys }) => pages.forgetOwners(keys))
  // Reports changes of private devices too.
  devices.listen((key) => pages.forgetSubject('devices', key))
  presence.listen((keys) => pages.markFlipped(keys))
  islands.listenShown((key, kind) => {
    if (kind !== 'open') pages.forgetSubject('islands', key)
  })

  changes.subscribe('checks', ({ keys }) => {
    for (const key of keys) pages.forgetSubject('checks', key)
  })

  const listOwnIds = async (userKey: number) => {
    const [own, hosted, ownChecks] = await Promise.all([
      devices.listOwn(userKey),
      islands.listHostedIds(userKey),
      checks.listOwn(userKey),
    ])
    return { devices: idsOf(own), islands: new Set(hosted), checks: idsOf(ownChecks) }
  }

  return {
    ownData: ownList({
      kind: 'statusPage',
      text: () => 'a status page',
      list: async (userKey) => {
        const settings = await store.find(userKey)
        return settings === undefined ? [] : [settings]
      },
    }),
    /** For checks that come with a status page from another program. */
    imports: {
      find: async (userKey: number) => (await store.find(userKey)) ?? defaultSettings,
      /** Adds to what the page shows, and gives it the title if it has none. */
      addChecks: async (
        transaction: DatabaseTransaction,
        userKey: number,
        added: Pick<StatusPageSettings, 'checks'> & { readonly title: string },
      ) => {
        await changePage(transaction, userKey, (before = defaultSettings) => {
          const all = [...new Set([...before.checks, ...added.checks])]
          const title = before.title ?? added.title
          return { ...before, title, checks: all.slice(0, statusPageSubjectsMax) }
        })
      },
      forget: (userKey: number) => pages.forgetOwners([userKey]),
    },
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      statusPagesRoutes(app, { serve, store, pages, drawing, listOwnIds }),
  }
}

function idsOf(subjects: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(subjects.map(({ id }) => id))
}
