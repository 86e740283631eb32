import { createParser } from 'eventsource-parser'
import type { TransportHandlers } from './live-connection.ts'

/** The server sends a beat every 15 s. */
export const eventStreamSilenceMs = 20_000

interface EventStreamRequest {
  readonly url: string
  readonly credentials: RequestCredentials
}

/**
 * Reads server-sent events through fetch. An EventSource would reconnect without jitter, and hide both the
 * status of a refusal and the server's beats, which tell a dead connection from a quiet one.
 * @returns closes it; no handler is called afterwards
 */
export function readEventStream(
  request: EventStreamRequest,
  handlers: TransportHandlers,
): () => void {
  const closing = new AbortController()
  void read(request, closing.signal, handlers)
  return () => closing.abort()
}

async function read(
  { url, credentials }: EventStreamRequest,
  signal: AbortSignal,
  handlers: TransportHandlers,
): Promise<void> {
  let retryAfterMs = 0
  try {
    const response = await fetch(url, {
      credentials,
      cache: 'no-store',
      // The stream never ends. At a higher priority, a loading page would wait for it.
      priority: 'low',
      headers: { Accept: 'text/event-stream' },
      signal,
    })
    retryAfterMs = 1000 * (Number(response.headers.get('retry-after')) || 0)
    if (response.ok && response.body !== null) await readBody(response.body, signal, handlers)
    else await response.body?.cancel()
  } catch {
    // The browser logs it to the console. It is handled like the end of a stream.
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
