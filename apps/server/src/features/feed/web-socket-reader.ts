import type { Duplex } from 'node:stream'
import type { ServerWebSocket } from '../../http/web-sockets.ts'
import { webSocketFrames } from './feed-encoding.ts'
import type { FeedReader } from './feed.ts'

/** Close codes: https://www.iana.org/assignments/websocket/websocket.xhtml */
const closeCodes = { reload: 1000, slow: 1013, shutdown: 1001, unwanted: 1008 } as const

/**
 * A reader at the other end of a WebSocket. Frames are written to the connection itself: they are
 * whole and unmasked, and `ws`, without compression, writes its own ones whole too.
 */
export function webSocketReader(socket: ServerWebSocket, connection: Duplex): FeedReader {
  // Who answers no ping until the next one is gone, whatever the network says.
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
