import type { EventStreamEncoding } from '../../http/event-stream.ts'

/**
 * How messages travel over one kind of connection. The result is written to sockets unchanged, so a batch
 * is one write of the same bytes for each reader.
 */
export type FeedEncoding = EventStreamEncoding

/** The first byte of a frame (RFC 6455, 5.2): the final fragment of a message, and its opcode. */
const finalText = 0x81
const finalPing = 0x89

/**
 * Unmasked WebSocket frames, one for each message. They contain the sequence for readers on a WebSocket.
 */
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
