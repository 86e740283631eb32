import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What the server uses of a WebSocket of the `ws` package, which ships no types. */
export interface ServerWebSocket {
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
  readonly on: (event: 'message' | 'pong' | 'close', listener: () => void) => unknown
}

export interface WebSocketRoute {
  readonly beforeUpgrade: (request: FastifyRequest) => Promise<void>
  readonly accept: (socket: ServerWebSocket, request: FastifyRequest) => void
}

/** Our clients send nothing. A close frame has a code and at most 123 bytes. */
const messageMaxBytes = 125

/** Register it before the routes that take WebSockets, whose upgrades the emitter emits. */
export async function webSockets(app: FastifyInstance, upgrades: EventEmitter): Promise<void> {
  // Nothing but its event is used of what it takes for a server.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const server = upgrades as Server
  await app.register(websocket, {
    options: { server, maxPayload: messageMaxBytes, perMessageDeflate: false },
    errorHandler: (error, socket: ServerWebSocket, request) => {
      request.log.info({ err: error }, 'a WebSocket failed')
      socket.terminate()
    },
    // The code that holds the sockets ends them, and says why.
    preClose: (done) => done(),
  })
}

/** The first byte of a frame (RFC 6455, 5.2): the final fragment of a message, and its opcode. */
const finalText = 0x81
const finalPing = 0x89
export const pingFrame = Buffer.from([finalPing, 0])

/** An unmasked frame, made once for all readers of a message. */
export function textFrame(text: Buffer): Buffer {
  return Buffer.concat([frameHeader(text.length), text])
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
