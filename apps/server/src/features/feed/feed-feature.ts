import type { FastifyInstance } from 'fastify'
import { PostgresCluster } from '../../cluster/postgres-cluster.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { Metrics } from '../../metrics.ts'
import { batchMs, PublicMessages, type PublicFeed } from '../../public-messages.ts'
import { feedRoutes, type FeedRoutesParts } from './feed-routes.ts'
import { Feed } from './feed.ts'
import { postgresFeedStore } from './postgres-feed-store.ts'
import { SharedFeed } from './shared-feed.ts'
import { webSocketFrames } from './web-socket-reader.ts'

/** Proxies cut connections that are idle for a while, nginx after 60 s. */
const beatMs = 15_000
const recordSentMs = 5000

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
  const publicFeed = shared?.feed ?? feed
  const messages = new PublicMessages({
    feed: publicFeed,
    afterBatchTime: (seal) => setTimeout(seal, batchMs).unref(),
    recordSent: lagOf(publicFeed, { metrics, cluster }),
  })
  return {
    messages,
    feed,
    reach,
    /** Begins to share the feed with other servers, once everything that they may send is subscribed to. */
    share: async () => {
      if (shared === undefined) return
      await shared.cluster.start(schedule, shared.feed)
      schedule.every(recordSentMs, 'the progress of the live feed was not recorded', async () => {
        messages.seal()
        await shared.feed.recordSent()
      })
    },
    routes: (app: FastifyInstance, parts: FeedRoutesParts) =>
      feedRoutes(app, { ...parts, feed, reach }),
  }
}

/** Each reader's backlog is bounded (`unreadBytesMax`). The sum shows a network that is too slow. */
function feedMetrics(metrics: Metrics, feed: Feed): void {
  metrics.gauge({
    name: 'astropelago_feed_subscribers',
    help: 'Connections that listen to the live feed of this server',
    labels: ['protocol'],
    read: () => {
      let webSocket = 0
      for (const { encoding } of feed.readers()) if (encoding === webSocketFrames) webSocket += 1
      return [
        { labels: { protocol: 'sse' }, value: feed.readerCount - webSocket },
        { labels: { protocol: 'websocket' }, value: webSocket },
      ]
    },
  })
  metrics.gauge({
    name: 'astropelago_feed_unread_bytes',
    help: 'What was written to all subscribers and did not leave yet',
    read: () => {
      let bytes = 0
      for (const reader of feed.readers()) bytes += reader.unreadBytes()
      return bytes
    },
  })
  metrics.counter({
    name: 'astropelago_feed_messages_total',
    help: 'Messages of the live feed since the start, each counted once for all subscribers',
    read: () => feed.counts.sent,
  })
  metrics.counter({
    name: 'astropelago_feed_ended_total',
    help: 'Subscribers that the server told to come again, by why',
    labels: ['reason'],
    read: () =>
      Object.entries(feed.counts.ended).map(([reason, value]) => ({ labels: { reason }, value })),
  })
}

function lagOf(
  feed: Pick<PublicFeed, 'settled' | 'isSettled'>,
  { metrics, cluster }: Pick<FeatureBase, 'metrics' | 'cluster'>,
): (sinceMs: number) => void {
  const record = metrics.timings({
    name: 'astropelago_feed_lag_seconds',
    help: 'From a change of what is public to its being sent to subscribers, by the server that leads',
    buckets: [0.1, 0.2, 0.3, 0.5, 0.75, 1, 2.5, 5, 10],
  })
  const recordWhenSettled = async (sinceMs: number) => {
    await feed.settled()
    if (feed.isSettled()) record((performance.now() - sinceMs) / 1000)
  }
  return (sinceMs) => {
    if (cluster.leads()) void recordWhenSettled(sinceMs)
  }
}
