import { streamFeed } from '@astropelago/contract/feed'
import { createParser } from 'eventsource-parser'
import { routeUrl } from '../call.ts'
import type { FeedTransport, TransportHandlers } from './feed-connection.ts'

/**
 * Server-sent events, read by fetch: an EventSource reconnects by itself without jitter, hides the
 * server's beats, by which a dead connection is told from a quiet one, and the status of a refusal.
 */
export const eventStreamTransport: FeedTransport = {
  error: 'SSE error',
  // The server beats every 15 s.
  silenceMs: 20_000,
  open: (since, handlers) => {
    const closing = new AbortController()
    void read(routeUrl(streamFeed, { query: { since } }), closing.signal, handlers)
    return () => closing.abort()
  },
}

async function read(url: string, signal: AbortSignal, handlers: TransportHandlers): Promise<void> {
  let retryAfterMs = 0
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      cache: 'no-store',
      headers: { Accept: 'text/event-stream' },
      signal,
    })
    retryAfterMs = 1000 * (Number(response.headers.get('retry-after')) || 0)
    if (response.ok && response.body !== null) await readBody(response.body, signal, handlers)
    else await response.body?.cancel()
  } catch {
    // The browser's console has it; what follows from it is the same as for a stream that ends.
  }
  if (!signal.aborted) handlers.onEnd(retryAfterMs)
}

async function readBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
  { onOpen, onMessages, onBeat }: TransportHandlers,
): Promise<void> {
  onOpen()
  let texts: string[] = []
  const parser = createParser({ onEvent: ({ data }) => texts.push(data) })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || signal.aborted) return
    onBeat()
    parser.feed(value)
    if (texts.length > 0) onMessages(texts)
    texts = []
  }
}
