import type { Duplex } from 'node:stream'
import type { ServerWebSocket } from '../../http/web-sockets.ts'
import { webSocketFrames } from './feed-encoding.ts'
import type { FeedReader } from './feed.ts'

/** Close codes: https://www.iana.org/assignments/websocket/websocket.xhtml */
const closeCodes = { reload: 1000, slow: 1013, shutdown: 1001, unwanted: 1008 } as const

/**
 * A reader at the other end of a WebSocket. Frames are written to the connection directly. They are whole
 * and unmasked, and so are those that `ws` writes without compression.
 */
export function webSocketReader(socket: ServerWebSocket, connection: Duplex): FeedReader {
  // Drops a peer that has not answered one ping when the next is due, whatever the network reports.
  let isPongAwaited = false
  socket.on('pong', () => {
    isPongAwaited = false
  })
  // Readers have nothing to say here.
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
