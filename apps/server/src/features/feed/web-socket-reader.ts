import type { Duplex } from 'node:stream'
import type { EventStreamEncoding } from '../../http/event-stream.ts'
import type { ServerWebSocket } from '../../http/web-sockets.ts'
import type { FeedReader } from './feed.ts'

/** Close codes: https://www.iana.org/assignments/websocket/websocket.xhtml */
const closeCodes = { reload: 1000, slow: 1013, shutdown: 1001, unwanted: 1008 } as const
/** The first byte of a frame (RFC 6455, 5.2): the final fragment of a message, and its opcode. */
const finalText = 0x81
const finalPing = 0x89

/** Unmasked WebSocket frames, one for each message. Their JSON contains the sequence. */
export const webSocketFrames: EventStreamEncoding = {
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

/** Writes frames to the connection directly: they are whole and unmasked, like those of `ws`. */
export function webSocketReader(socket: ServerWebSocket, connection: Duplex): FeedReader {
  // Drops a peer that has not answered one ping when the next is due.
  let isPongAwaited = false
  socket.on('pong', () => {
    isPongAwaited = false
  })
  socket.on('message', () => socket.close(closeCodes.unwanted, 'unwanted'))
  return {
    encoding: webSocketFrames,
    write: (bytes) => {
      if (bytes === webSocketFrames.beat) {
        if (isPongAwaited) return socket.terminate()
        isPongAwaited = true
      }
      connection.write(bytes)
    },
    unreadBytes: () => connection.writableLength,
    end: (reason) => socket.close(closeCodes[reason], reason),
    destroy: () => socket.terminate(),
  }
}
