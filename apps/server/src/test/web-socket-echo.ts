import { once } from 'node:events'
import type { Server } from 'node:http'
import { Agent } from 'node:https'
import { WebSocket, WebSocketServer } from 'ws'

/**
 * Accepts every WebSocket of a server and echoes its messages.
 * @returns a function that ends all of them
 */
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
  /** Host name in the handshake and in the request. */
  readonly name: string
  readonly ca: string
  readonly message: Buffer
  readonly closeCode: number
}

/**
 * Sends a message over TLS.
 * @returns the echo, and the code with which the connection ended
 */
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
