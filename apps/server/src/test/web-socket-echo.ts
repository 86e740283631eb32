import { once } from 'node:events'
import type { Server } from 'node:http'
import { Agent } from 'node:https'
import { WebSocket, WebSocketServer } from 'ws'

/** Takes every WebSocket of a server and sends back what comes. @returns what ends all of them */
export function echoWebSockets(server: Server, maxBytes: number): () => void {
  const sockets = new WebSocketServer({ server, maxPayload: maxBytes })
  sockets.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  )
  return () => {
    for (const socket of sockets.clients) socket.terminate()
  }
}

interface EchoAsked {
  readonly port: string
  /** Whom the handshake and the request name. */
  readonly name: string
  readonly ca: string
  readonly message: Buffer
  readonly closeCode: number
}

/** What came back of a message by TLS, and with which code the connection ended. */
export async function askEcho({ port, name, ca, message, closeCode }: EchoAsked) {
  const socket = new WebSocket(`wss://127.0.0.1:${port}/`, {
    agent: new Agent({ ca, servername: name }),
    headers: { host: `${name}:${port}` },
  })
  await once(socket, 'open')
  socket.send(message)
  const [echoed]: Buffer[] = await once(socket, 'message')
  socket.close(closeCode)
  const [code]: number[] = await once(socket, 'close')
  return { echoed, code }
}
