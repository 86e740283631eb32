import type { Route } from '@astropelago/contract/route'
import * as v from 'valibot'
import { respondTo } from './answer-api.ts'

interface StreamAnswer<Message> {
  /** Sends a message to all of the page's readers, as the server would. */
  readonly tell: (message: Message) => void
  /** The number of open connections. */
  readonly open: () => number
}

/** A stream of a route's messages that connects at once and sends what the test says. */
export function answerStream<Message>(
  route: Route,
  schema: v.GenericSchema<Message, unknown>,
): StreamAnswer<Message> {
  const readers = new StreamReaders()
  const send = (message: unknown) => readers.send(`data: ${JSON.stringify(message)}\n\n`)
  let hasTold = false
  respondTo(route.method, route.path, async ({ signal }) => {
    const response = readers.connect(signal)
    if (hasTold) send({ type: 'changed-before' })
    return response
  })
  return {
    tell: (message) => {
      hasTold = true
      send(v.parse(schema, message))
    },
    open: () => readers.count(),
  }
}

/** The page's connections to one event stream. */
export class StreamReaders {
  readonly #readers = new Set<ReadableStreamDefaultController<Uint8Array>>()
  readonly #encoder = new TextEncoder()

  connect(signal: AbortSignal): Response {
    // A page may have left before the answer.
    signal.throwIfAborted()
    const readers = this.#readers
    const body = new ReadableStream<Uint8Array>({
      start: (reader) => {
        readers.add(reader)
        signal.addEventListener('abort', () => {
          if (readers.delete(reader)) reader.error(signal.reason)
        })
      },
      cancel: () => readers.clear(),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  send(event: string): void {
    for (const reader of this.#readers) reader.enqueue(this.#encoder.encode(event))
  }

  count(): number {
    return this.#readers.size
  }

  end(): void {
    for (const reader of this.#readers) reader.close()
    this.#readers.clear()
  }
}
