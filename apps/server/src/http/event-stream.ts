import type { FastifyReply } from 'fastify'

/** How long a browser waits before it connects again, when nobody told it otherwise. */
const retryMs = 3000
export const eventStreamRetry = `retry: ${retryMs}\n\n`

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // nginx holds answers back to fill its buffers, unless it is told not to.
  'x-accel-buffering': 'no',
} as const

/** How messages go over a stream. What is made here may be written to many, and must not be changed. */
export interface EventStreamEncoding {
  /** @param sequence From which a reader goes on that has this message. */
  readonly message: (json: Buffer, sequence: string | undefined) => Buffer
  /** What may be written in one go, of whole messages. */
  readonly batch: (messages: readonly Buffer[]) => Buffer
  /** Says nothing but that the connection lives. */
  readonly beat: Buffer
}

const comment = Buffer.from(':\n\n')

/** Server-sent events (WHATWG HTML, 9.2) as HTTP/1.0 sends them: until the connection ends. */
export const eventStream: EventStreamEncoding = {
  message: (json, sequence) => {
    const id = sequence === undefined ? '' : `id: ${sequence}\n`
    return Buffer.concat([Buffer.from(`${id}data: `), json, Buffer.from('\n\n')])
  },
  batch: (messages) => Buffer.concat(messages),
  beat: comment,
}

/** The same as chunks of an HTTP/1.1 body (RFC 9112, 7.1). */
export const chunkedEventStream: EventStreamEncoding = {
  message: (json, sequence) => eventStream.message(json, sequence),
  batch: (messages) => chunk(messages),
  beat: chunk([comment]),
}

function chunk(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, Buffer.from('\r\n')])
}

/** Who reads a stream. */
export interface EventStreamReader {
  readonly encoding: EventStreamEncoding
  readonly write: (bytes: Buffer) => void
  /** What was written and did not leave yet. */
  readonly unreadBytes: () => number
  /** Ends the connection after all that was written. */
  readonly end: () => void
  /** Drops the connection with all that was written. */
  readonly destroy: () => void
}

/** Begins a stream of server-sent events on a reply, past Fastify, and hands its reader out. */
export function openEventStream(reply: FastifyReply): EventStreamReader {
  reply.hijack().headers(eventStreamHeaders)
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.flushHeaders()
  const { socket } = raw
  // HTTP/1.0, which proxies still speak, knows no chunks: there the end of the connection ends it.
  const encoding = raw.chunkedEncoding ? chunkedEventStream : eventStream
  const reader: EventStreamReader = {
    encoding,
    write: (bytes) => void socket?.write(bytes),
    unreadBytes: () => socket?.writableLength ?? 0,
    end: () => raw.end(),
    destroy: () => void socket?.destroy(),
  }
  reader.write(encoding.batch([Buffer.from(eventStreamRetry)]))
  return reader
}
