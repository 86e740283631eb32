import type { FastifyReply } from 'fastify'
import { chunkedEventStream, eventStream } from './feed-encoding.ts'
import type { FeedReader } from './feed.ts'

/** How long a browser waits before it connects again, when nobody told it otherwise. */
const retryMs = 3000
export const eventStreamRetry = `retry: ${retryMs}\n\n`

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // nginx holds answers back to fill its buffers, unless it is told not to.
  'x-accel-buffering': 'no',
} as const

/** Begins a stream of server-sent events on a reply, past Fastify, and hands its reader out. */
export function openEventStream(reply: FastifyReply): FeedReader {
  reply.hijack().headers(eventStreamHeaders)
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.flushHeaders()
  const { socket } = raw
  // HTTP/1.0, which proxies still speak, knows no chunks: there the end of the connection ends it.
  const encoding = raw.chunkedEncoding ? chunkedEventStream : eventStream
  const reader: FeedReader = {
    encoding,
    write: (bytes) => void socket?.write(bytes),
    unreadBytes: () => socket?.writableLength ?? 0,
    end: () => raw.end(),
    destroy: () => void socket?.destroy(),
  }
  reader.write(encoding.batch([Buffer.from(eventStreamRetry)]))
  return reader
}
