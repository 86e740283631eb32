/**
 * How messages go over one kind of connection. What is made here is written to the sockets as it is,
 * so that a batch is one write of the same bytes for each reader.
 */
export interface FeedEncoding {
  /** @param sequence From which a reader goes on that has this message. */
  readonly message: (json: Buffer, sequence: string | undefined) => Buffer
  /** What may be written in one go, of whole messages. */
  readonly batch: (messages: readonly Buffer[]) => Buffer
  /** Says nothing but that the connection lives. */
  readonly beat: Buffer
}

const comment = Buffer.from(':\n\n')

/** Server-sent events (WHATWG HTML, 9.2) as HTTP/1.0 sends them: until the connection ends. */
export const eventStream: FeedEncoding = {
  message: (json, sequence) => {
    const id = sequence === undefined ? '' : `id: ${sequence}\n`
    return Buffer.concat([Buffer.from(`${id}data: `), json, Buffer.from('\n\n')])
  },
  batch: (messages) => Buffer.concat(messages),
  beat: comment,
}

/** The same as chunks of an HTTP/1.1 body (RFC 9112, 7.1). */
export const chunkedEventStream: FeedEncoding = {
  message: (json, sequence) => eventStream.message(json, sequence),
  batch: (messages) => chunk(messages),
  beat: chunk([comment]),
}

function chunk(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, Buffer.from('\r\n')])
}

/** The first byte of a frame (RFC 6455, 5.2): the last of its message, and what it is. */
const finalText = 0x81
const finalPing = 0x89

/** Unmasked WebSocket frames, one for each message. Who reads by WebSocket finds the sequence in it. */
export const webSocketFrames: FeedEncoding = {
  message: (json) => Buffer.concat([frameHeader(json.length), json]),
  batch: (messages) => Buffer.concat(messages),
  beat: Buffer.from([finalPing, 0]),
}

function frameHeader(length: number): Buffer {
  if (length < 126) return Buffer.from([finalText, length])
  if (length < 1 << 16) {
    const header = Buffer.from([finalText, 126, 0, 0])
    header.writeUInt16BE(length, 2)
    return header
  }
  const header = Buffer.from([finalText, 127, 0, 0, 0, 0, 0, 0, 0, 0])
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}
