import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import {
  agentIslandHeader,
  relayProtocol,
  relayWebSocketProtocol,
} from '@astropelago/contract/relay'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { switchProtocols, type UpgradedConnection } from '../../../http/protocol-upgrades.ts'
import { socketPair } from '../session-over.ts'

/** Agents write in pieces, and a larger message would have to be buffered whole. */
const messageMaxBytes = 1024 * 1024

const webSockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: messageMaxBytes,
  handleProtocols: (offered) =>
    offered.has(relayWebSocketProtocol) ? relayWebSocketProtocol : false,
})

const extraHeaders = new WeakMap<IncomingMessage, string>()
webSockets.on('headers', (headers, request) => {
  const line = extraHeaders.get(request)
  if (line !== undefined) headers.push(line)
})

interface TakenConnection extends UpgradedConnection {
  readonly slugs: readonly string[]
}

/**
 * Accepts an agent's connection and calls `take` with the byte stream that follows: the connection itself,
 * or the contents of WebSocket messages. An invalid WebSocket handshake is refused here.
 */
export function openWire(
  request: IncomingMessage,
  { socket, head, protocol, slugs }: TakenConnection,
  take: (wire: Socket) => void,
): void {
  // The timeout for reading a request must not limit the connection.
  socket.setTimeout(0)
  socket.setNoDelay(true)
  const carried = `${agentIslandHeader}: ${slugs.join(', ')}`
  if (protocol === 'websocket') {
    extraHeaders.set(request, carried)
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      void takeMessages(createWebSocketStream(webSocket), take)
    })
    return
  }
  switchProtocols({ socket, head }, relayProtocol, carried, () => take(socket))
}

async function takeMessages(messages: Duplex, take: (wire: Socket) => void): Promise<void> {
  // `close` follows and is enough.
  messages.on('error', () => undefined)
  try {
    const [wire, end] = await socketPair()
    pipeline(messages, end, messages, () => end.destroy())
    take(wire)
  } catch {
    messages.destroy()
  }
}
