import type { Duplex } from 'node:stream'
import type { EventStreamEncoding } from '../../http/event-stream.ts'
import { pingFrame, type ServerWebSocket, textFrame } from '../../http/web-sockets.ts'
import type { FeedReader } from './feed.ts'

/** Close codes: https://www.iana.org/assignments/websocket/websocket.xhtml */
const closeCodes = { reload: 1000, slow: 1013, shutdown: 1001, unwanted: 1008 } as const

/** One for each message. Their JSON contains the sequence. */
export const webSocketFrames: EventStreamEncoding = {
  message: textFrame,
  batch: (messages) => Buffer.concat(messages),
  beat: pingFrame,
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
