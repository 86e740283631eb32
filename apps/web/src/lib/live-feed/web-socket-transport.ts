import { liveFeed } from '@astropelago/contract/feed'
import { t } from '@lingui/core/macro'
import { routeUrl } from '../fetch-answer.ts'
import type { FeedTransport } from './live-feed.ts'

export const webSocketTransport: FeedTransport = {
  error: t`WebSocket error`,
  // Browsers answer the server's pings without telling the page, so silence may mean a dead connection.
  silenceMs: 60_000,
  open: (since, { onOpen, onMessages, onEnd }) => {
    const url = new URL(routeUrl(liveFeed, { query: { since } }), location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url)
    const closing = new AbortController()
    const { signal } = closing
    socket.addEventListener('open', onOpen, { signal })
    socket.addEventListener(
      'message',
      ({ data }: MessageEvent<unknown>) => onMessages([String(data)]),
      { signal },
    )
    // It follows an error too.
    socket.addEventListener('close', () => onEnd(0), { signal })
    return () => {
      closing.abort()
      socket.close()
    }
  },
}
