import {
  listPagesReviews,
  passPagesReview,
  previewPagesReview,
} from '@astropelago/contract/hosted-pages'
import { reviewsListed } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import { byLabel } from '../../metrics.ts'
import { createRelayAddress } from '../../relay-address.ts'
import { inSteps } from '../../steps.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { AccountsFeature } from '../accounts/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import { createDeploying } from './deploying.ts'
import { PageContents } from './page-contents.ts'
import { createReadRules } from './page-rules.ts'
import { pagesRoutes } from './pages-routes.ts'
import { createPreviews } from './previews.ts'
import { createServePages } from './serve-pages.ts'
import { sqlDeploymentsStore } from './sql-deployments-store.ts'
import { sqlPreviewsStore } from './sql-previews-store.ts'
import { readTemplate } from './templates.ts'
import { UnpackThread } from './unpack/unpack-thread.ts'

const sweepMs = 5 * 60_000
/** A deployment that is not complete after an hour never will be. */
const abandonedMs = 3_600_000
/** 4 MiB. Each is deleted on its own, and a heartbeat waits for one at most. */
const chunksInStep = 16

export function hostedPagesFeature(
  base: FeatureBase,
  {
    config,
    islands,
    accounts,
  }: {
    readonly config: Config
    readonly islands: Pick<IslandsFeature, 'findHosted' | 'lounge'>
    readonly accounts: Pick<AccountsFeature, 'sessionHashOf'>
  },
) {
  const { storage, clock, cluster, log, metrics, schedule } = base
  const { publicUrl, pages } = config
  const store = sqlDeploymentsStore(storage)
  const previewsStore = sqlPreviewsStore(storage.db)
  const thread = new UnpackThread()
  const deploying = createDeploying({ store, thread, clock, config })
  const contents = new PageContents(store, pages.memoryBytes)
  const relayAddress = createRelayAddress(config)
  const servePages = createServePages(contents, (error) => {
    if (!(error instanceof StorageUnavailable)) log.error({ err: error }, 'a page was not read')
  })
  const previews = createPreviews({
    store: previewsStore,
    servePages,
    relayAddress,
    publicUrl,
    clock,
    sessionHashOf: accounts.sessionHashOf,
  })

  schedule.everyOnLeader(sweepMs, 'unused pages were not deleted', async (signal) => {
    await store.deleteAbandoned(clock() - abandonedMs)
    await previewsStore.deleteExpired(clock())
    await inSteps(async () => (await store.deleteUnused(chunksInStep)) === chunksInStep, { signal })
  })
  metrics.counter({
    name: 'astropelago_pages_reads_total',
    help: 'Contents of hosted pages that visitors asked for since the start, by where they were',
    labels: ['from'],
    read: () => byLabel('from', { memory: contents.hits, database: contents.misses }),
  })
  metrics.gauge({
    name: 'astropelago_pages_memory_bytes',
    help: 'Contents of hosted pages that this server has in memory, at most PAGES_MEMORY',
    read: () => contents.bytesInMemory,
  })

  return {
    servePages,
    /** Who writes what on an island by `spark`, as its pages say. */
    readRules: createReadRules(contents),
    previews,
    figures: store.figures,
    /** Gives the Community Lounge its pages, unless somebody has decided otherwise. */
    makeLounge: async () => {
      if (!config.hostsPages || relayAddress('') === null) return
      const lounge = await islands.lounge.findEmpty()
      if (lounge === undefined) return
      const { key, name } = lounge
      const limits = pages.perIsland
      const target = { key, isTrusted: true, allowsHttps: true, hosts: [], limits }
      try {
        await deploying.deployTemplate(target, await readTemplate('chat-room', name))
        await islands.lounge.host(key)
      } catch (error) {
        // The server starts all the same, and the next start tries again.
        log.warn({ err: error }, 'the Community Lounge got no pages')
      }
    },
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      app.addHook('onClose', () => thread.close())
      const { findHosted } = islands
      const parts = { serve, store, deploying, contents, previews, config, clock, cluster }
      await pagesRoutes(app, { ...parts, relayAddress, findHosted })

      serve(app, listPagesReviews, async () => {
        const found = await store.listInReview(reviewsListed)
        const body = found.map(
          ({ deploymentId, createdMs, suspicion, host, isListed, ...rest }) => ({
            deployment: deploymentId,
            at: isoTime(createdMs),
            island: { id: rest.islandId, slug: rest.slug, name: rest.name },
            host,
            why: suspicion,
            isListed,
          }),
        )
        return { status: 200, body }
      })

      serve(
        app,
        previewPagesReview,
        async ({ params, operator, request }) => {
          const found = await store.findInReview(params.deployment)
          // The command line has no browser to show it in.
          if (found === undefined || operator.userKey === null) throw new DomainError('not_found')
          return { status: 201, body: { address: await previews.makeTicket(found, request) } }
        },
        {
          audit: ({ params }) => ({
            action: 'pages.previewed',
            subject: `deployment:${params.deployment}`,
          }),
        },
      )

      serve(
        app,
        passPagesReview,
        async ({ params }) => {
          if (!(await store.pass(params.deployment, clock()))) throw new DomainError('not_found')
          return { status: 204 }
        },
        {
          audit: ({ params }) => ({
            action: 'pages.passed',
            subject: `deployment:${params.deployment}`,
          }),
        },
      )
    },
  }
}
