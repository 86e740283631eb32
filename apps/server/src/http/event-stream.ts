import type { FastifyReply } from 'fastify'

const retryMs = 3000
export const eventStreamRetry = `retry: ${retryMs}\n\n`

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // nginx buffers answers unless it is told not to.
  'x-accel-buffering': 'no',
} as const

export interface StreamMessage {
  readonly type: string
  readonly key: number
  readonly json: Buffer
  readonly sequence: string
}

/** Encodes messages for a stream. The result may be written to many readers and must not be changed. */
export interface EventStreamEncoding {
  /** @param sequence the position from which a reader with this message goes on */
  readonly message: (json: Buffer, sequence: string | undefined) => Buffer
  readonly batch: (messages: readonly Buffer[]) => Buffer
  /** Encodes a batch otherwise than message by message. */
  readonly translate?: (messages: readonly StreamMessage[]) => Buffer
  /** Contains nothing. It only shows that the connection is alive. */
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

export function chunk(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, Buffer.from('\r\n')])
}

export interface EventStreamReader {
  readonly encoding: EventStreamEncoding
  readonly write: (bytes: Buffer) => void
  readonly unreadBytes: () => number
  readonly end: () => void
  readonly destroy: () => void
}

export function openEventStream(reply: FastifyReply): EventStreamReader {
  reply.hijack().headers(eventStreamHeaders)
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.flushHeaders()
  const { socket } = raw
  // HTTP/1.0, which some proxies still speak, has no chunks. The connection's end ends the stream.
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
