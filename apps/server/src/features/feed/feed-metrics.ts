import type { Cluster } from '../../cluster/cluster.ts'
import type { Metrics } from '../../metrics.ts'
import { webSocketFrames } from './feed-encoding.ts'
import type { Feed } from './feed.ts'
import type { PublicFeed } from '../../public-messages.ts'

/** Each reader's backlog is bounded (`unreadBytesMax`). The sum shows a network that is too slow. */
export function feedMetrics(metrics: Metrics, feed: Feed): void {
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
    read: () => feed.sentCount,
  })
  metrics.counter({
    name: 'astropelago_feed_ended_total',
    help: 'Subscribers that the server told to come again, by why',
    labels: ['reason'],
    read: () =>
      Object.entries(feed.endedCounts).map(([reason, value]) => ({ labels: { reason }, value })),
  })
}

/** Records how long changes took to reach everybody. Only the leader measures it. */
export function lagOf(
  feed: Pick<PublicFeed, 'settled' | 'isSettled'>,
  { metrics, cluster }: { readonly metrics: Metrics; readonly cluster: Pick<Cluster, 'leads'> },
): (sinceMs: number) => void {
  const noteTime = metrics.timings({
    name: 'astropelago_feed_lag_seconds',
    help: 'From a change of what is public to its being sent to subscribers, by the server that leads',
    buckets: [0.1, 0.2, 0.3, 0.5, 0.75, 1, 2.5, 5, 10],
  })
  const noteWhenSettled = async (sinceMs: number) => {
    await feed.settled()
    if (feed.isSettled()) noteTime((performance.now() - sinceMs) / 1000)
  }
  return (sinceMs) => {
    if (cluster.leads()) void noteWhenSettled(sinceMs)
  }
}
