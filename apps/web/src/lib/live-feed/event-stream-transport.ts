import { streamFeed } from '@astropelago/contract/feed'
import { routeUrl } from '../call.ts'
import type { FeedTransport } from './feed-connection.ts'
import { readEventStream } from './read-event-stream.ts'

/** Server-sent events. */
export const eventStreamTransport: FeedTransport = {
  error: 'SSE error',
  // The server beats every 15 s.
  silenceMs: 20_000,
  open: (since, handlers) =>
    readEventStream(
      { url: routeUrl(streamFeed, { query: { since } }), credentials: 'omit' },
      handlers,
    ),
}
