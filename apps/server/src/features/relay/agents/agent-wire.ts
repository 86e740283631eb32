import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { relayProtocol, relayWebSocketProtocol } from '@astropelago/contract/relay'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { switchProtocols, type UpgradedConnection } from '../../../http/protocol-upgrades.ts'

/** Agents write in pieces, and a larger message would have to be buffered whole. */
const messageMaxBytes = 1024 * 1024

const webSockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: messageMaxBytes,
  handleProtocols: (offered) =>
    offered.has(relayWebSocketProtocol) ? relayWebSocketProtocol : false,
})

const extraHeaders = new WeakMap<IncomingMessage, readonly string[]>()
webSockets.on('headers', (headers, request) => headers.push(...(extraHeaders.get(request) ?? [])))

interface TakenConnection extends UpgradedConnection {
  /** More lines of the 101. */
  readonly headers: readonly string[]
}

/**
 * Accepts an agent's connection and calls `take` with the bytes that follow: the connection itself, or the
 * contents of WebSocket messages. An invalid WebSocket handshake is refused here.
 */
export function openWire(
  request: IncomingMessage,
  { socket, head, protocol, headers }: TakenConnection,
  take: (wire: Duplex) => void,
): void {
  // The timeout for reading a request must not limit the connection.
  socket.setTimeout(0)
  socket.setNoDelay(true)
  if (protocol === 'websocket') {
    extraHeaders.set(request, headers)
    webSockets.handleUpgrade(request, socket, head, (webSocket) =>
      take(createWebSocketStream(webSocket)),
    )
    return
  }
  switchProtocols({ socket, head }, relayProtocol, headers)
  take(socket)
}
