import { streamFeed } from '@astropelago/contract/feed'
import { routeUrl } from '../call.ts'
import type { FeedTransport } from './feed-connection.ts'
import { readEventStream } from './read-event-stream.ts'

export const eventStreamTransport: FeedTransport = {
  error: 'SSE error',
  // The server sends a beat every 15 s.
  silenceMs: 20_000,
  open: (since, handlers) =>
    readEventStream(
      { url: routeUrl(streamFeed, { query: { since } }), credentials: 'omit' },
      handlers,
    ),
}
