import { EventEmitter } from 'node:events'
import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { relayProtocol, connectRelay } from '@astropelago/contract/relay'
import { liveFeed } from '@astropelago/contract/feed'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const protocolsOf: ReadonlyMap<string, readonly string[]> = new Map([
  [liveFeed.path, ['websocket']],
  [connectRelay.path, [relayProtocol, 'websocket']],
])

export interface UpgradedConnection {
  readonly socket: Socket
  readonly head: Buffer
  /** In lower case. */
  readonly protocol: string
}

/** Elsewhere `Upgrade` is ignored: curl offers HTTP/2 by it and still expects its answer. */
export function isUpgrade({ method, url = '', headers }: IncomingMessage): boolean {
  const protocol = headers.upgrade?.toLowerCase()
  if (protocol === undefined || method !== 'GET') return false
  return protocolsOf.get(url.split('?', 1)[0] ?? '')?.includes(protocol) === true
}

export class ProtocolUpgrades {
  /** Emits `upgrade` for the live feed's WebSockets, as a server would. */
  readonly webSockets = new EventEmitter()
  readonly #connections = new WeakMap<IncomingMessage, UpgradedConnection>()

  /** Call it with each upgrade that is not for another host. */
  take(app: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
    const protocol = request.headers.upgrade?.toLowerCase() ?? ''
    if (request.url?.split('?', 1)[0] !== connectRelay.path) {
      this.webSockets.emit('upgrade', request, socket, head)
      return
    }
    socket.on('error', () => socket.destroy())
    this.#connections.set(request, { socket, head, protocol })
    app.routing(request, answerOn(request, socket))
  }

  accept(request: FastifyRequest, reply: FastifyReply): UpgradedConnection | undefined {
    const connection = this.#connections.get(request.raw)
    if (connection === undefined) return undefined
    this.#connections.delete(request.raw)
    reply.hijack()
    reply.raw.detachSocket(connection.socket)
    return connection
  }

  isOffered(request: FastifyRequest): boolean {
    return this.#connections.has(request.raw)
  }
}

/** @param headers more lines of the answer */
export function switchProtocols(
  { socket, head }: Pick<UpgradedConnection, 'socket' | 'head'>,
  protocol: string,
  headers: readonly string[],
): void {
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', `Upgrade: ${protocol}`]
  socket.write([...lines, ...headers, '\r\n'].join('\r\n'))
  if (head.length > 0) socket.unshift(head)
}

/** An answer on a connection that was about to leave HTTP. It ends with the answer unless it is detached. */
export function answerOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    // Ending it would leave it half open for a client that never hangs up: no HTTP timeout watches it.
    socket.destroySoon()
  })
  return response
}
