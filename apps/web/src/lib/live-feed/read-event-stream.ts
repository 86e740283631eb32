import { createParser } from 'eventsource-parser'

interface EventStreamHandlers {
  readonly onOpen: () => void
  /** The texts of messages, in order. */
  readonly onMessages: (texts: readonly string[]) => void
  /** Something came that shows that the connection lives. */
  readonly onBeat: () => void
  /** The connection is over, or never came about. The server may have said how long to stay away. */
  readonly onEnd: (retryAfterMs: number) => void
}

interface EventStreamRequest {
  readonly url: string
  readonly credentials: RequestCredentials
}

/**
 * Reads server-sent events by fetch: an EventSource reconnects by itself without jitter, hides the
 * server's beats, by which a dead connection is told from a quiet one, and the status of a refusal.
 * @returns what closes it, without a word from then on
 */
export function readEventStream(
  request: EventStreamRequest,
  handlers: EventStreamHandlers,
): () => void {
  const closing = new AbortController()
  void read(request, closing.signal, handlers)
  return () => closing.abort()
}

async function read(
  { url, credentials }: EventStreamRequest,
  signal: AbortSignal,
  handlers: EventStreamHandlers,
): Promise<void> {
  let retryAfterMs = 0
  try {
    const response = await fetch(url, {
      credentials,
      cache: 'no-store',
      // It is never over: among the urgent ones it would be what a page that loads still waits for.
      priority: 'low',
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
  { onOpen, onMessages, onBeat }: EventStreamHandlers,
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
