import type { Route } from '@astropelago/contract/route'
import * as v from 'valibot'
import { respondTo } from './answer-api.ts'

interface StreamAnswer<Message> {
  /** Tells every reader of the page, as the server would. */
  readonly tell: (message: Message) => void
  /** How many connections the page has open. */
  readonly open: () => number
}

/** A stream of a route's messages that connects at once and says what the test tells it to. */
export function answerStream<Message>(
  route: Route,
  schema: v.GenericSchema<Message, unknown>,
): StreamAnswer<Message> {
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const encoder = new TextEncoder()
  respondTo(route.method, route.path, async ({ signal }) => {
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
  })
  return {
    tell: (message) => {
      const event = encoder.encode(`data: ${JSON.stringify(v.parse(schema, message))}\n\n`)
      for (const reader of readers) reader.enqueue(event)
    },
    open: () => readers.size,
  }
}
