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
import { socketPair } from './socket-pair.ts'

/** An agent writes what it has in pieces; nobody waits for a larger message to be whole. */
const messageMaxBytes = 1024 * 1024

const webSockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: messageMaxBytes,
  handleProtocols: (offered) =>
    offered.has(relayWebSocketProtocol) ? relayWebSocketProtocol : false,
})

/** A line of each answer that opens a WebSocket, by its request. */
const extraHeaders = new WeakMap<IncomingMessage, string>()
webSockets.on('headers', (headers, request) => {
  const line = extraHeaders.get(request)
  if (line !== undefined) headers.push(line)
})

interface TakenConnection extends UpgradedConnection {
  /** Of the islands that it carries, for the agent to tell. */
  readonly slugs: readonly string[]
}

/**
 * Says yes to an agent's connection and calls `take` with the bytes that go over it from then on: the
 * connection itself, or what WebSocket messages hold. A handshake that is none is refused here.
 */
export function openWire(
  request: IncomingMessage,
  { socket, head, protocol, slugs }: TakenConnection,
  take: (wire: Socket) => void,
): void {
  // What was about to be a request may not take as long as a visit does.
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
  // It goes on to `close`, which tells enough.
  messages.on('error', () => undefined)
  try {
    const [wire, end] = await socketPair()
    pipeline(messages, end, messages, () => end.destroy())
    take(wire)
  } catch {
    messages.destroy()
  }
}
