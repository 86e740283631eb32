import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { Serve } from '../../http/serve-route.ts'
import { feedRoutes, type FeedList } from './feed-routes.ts'
import { Feed } from './feed.ts'
import type { SharedFeed } from './shared-feed.ts'

/** Proxies cut connections on which nothing came for a while, nginx after 60 s. */
const beatMs = 15_000

interface FeedRoutesParts {
  readonly serve: Serve
  readonly list: FeedList
  readonly ownOrigin: OwnOrigin
  readonly isExempt: (request: FastifyRequest) => boolean
}

/**
 * The live feed: whoever has something to tell everybody sends it here.
 * @param shared where several servers have one
 */
export function feedFeature({ schedule }: FeatureBase, shared?: SharedFeed) {
  const feed = shared?.feed ?? new Feed()
  schedule.every(beatMs, 'the live feed did not beat', async () => feed.beat())
  const reach = async (since: string) => await shared?.reach(since)
  return {
    feed: shared ?? feed,
    routes: (app: FastifyInstance, parts: FeedRoutesParts) =>
      feedRoutes(app, { ...parts, feed, reach }),
  }
}
