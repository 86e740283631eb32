import type { FastifyInstance } from 'fastify'
import { PostgresCluster } from '../../cluster/postgres-cluster.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { batchMs, PublicMessages } from '../../public-messages.ts'
import { feedMetrics, lagOf } from './feed-metrics.ts'
import { feedRoutes, type FeedList } from './feed-routes.ts'
import { Feed } from './feed.ts'
import { postgresFeedStore } from './postgres-feed-store.ts'
import { SharedFeed } from './shared-feed.ts'

/** Proxies cut connections that are idle for a while, nginx after 60 s. */
const beatMs = 15_000

interface FeedRoutesParts {
  readonly serve: Serve
  readonly list: FeedList
  readonly ownOrigin: OwnOrigin
  readonly limits: Pick<RateLimits, 'isExempt'>
}

/** While nothing changes, the progress of all servers' changes is recorded this often. */
const noteToldMs = 5000

/** The live feed. Features that have something for everybody send it here. */
export async function feedFeature({ storage, cluster, log, schedule, metrics }: FeatureBase) {
  const onError = (error: unknown) =>
    log.error({ err: error }, 'messages of the live feed were not written')
  const shared =
    storage.kind === 'postgres' && cluster instanceof PostgresCluster
      ? {
          cluster,
          feed: await SharedFeed.open({ store: postgresFeedStore(storage), cluster, onError }),
        }
      : undefined
  const feed = shared?.feed.feed ?? new Feed()
  feedMetrics(metrics, feed)
  schedule.every(beatMs, 'the live feed did not beat', async () => feed.beat())
  const reach = async (since: string) => await shared?.feed.reach(since)
  const told = shared?.feed ?? feed
  const messages = new PublicMessages({
    feed: told,
    afterBatchTime: (seal) => setTimeout(seal, batchMs).unref(),
    recordSent: lagOf(told, { metrics, cluster }),
  })
  return {
    messages,
    /** Begins to share the feed with other servers, once everything that they may send is listened to. */
    share: async () => {
      if (shared === undefined) return
      await shared.cluster.start(schedule, shared.feed)
      schedule.every(noteToldMs, 'what was told was not noted', async () => {
        messages.seal()
        await shared.feed.noteTold()
      })
    },
    routes: (app: FastifyInstance, parts: FeedRoutesParts) =>
      feedRoutes(app, { ...parts, feed, reach }),
  }
}
