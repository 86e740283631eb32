import type { Metrics } from '../../metrics.ts'
import { webSocketFrames } from './feed-encoding.ts'
import type { Feed } from './feed.ts'

/** How far each may be behind is bounded (`unreadBytesMax`): the sum tells of a network that is too slow. */
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
