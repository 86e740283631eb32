import type { EventStreamEncoding } from '../../http/event-stream.ts'

/**
 * How messages go over one kind of connection. What is made by it is written to the sockets as it is,
 * so that a batch is one write of the same bytes for each reader.
 */
export type FeedEncoding = EventStreamEncoding

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
