import { streamFeed } from '@astropelago/contract/feed'
import { t } from '@lingui/core/macro'
import { routeUrl } from '../fetch-answer.ts'
import type { FeedTransport } from './live-feed.ts'
import { eventStreamSilenceMs, readEventStream } from './read-event-stream.ts'

export const eventStreamTransport: FeedTransport = {
  error: t`SSE error`,
  silenceMs: eventStreamSilenceMs,
  open: (since, handlers) =>
    readEventStream(
      { url: routeUrl(streamFeed, { query: { since } }), credentials: 'omit' },
      handlers,
    ),
}
