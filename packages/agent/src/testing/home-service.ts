import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { listen, portOf } from './listen.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A service at home. Each test gets paths of its own on it. */
export class HomeService {
  readonly server = http.createServer({ maxHeaderSize: 65_536 })
  readonly sockets = new Set<Socket>()
  readonly #handlers = new Map<string, Handler>()
  #count = 0

  private constructor() {
    this.server.on('request', (request, response) => {
      const handler = this.#handlers.get(request.url?.split('?', 1)[0] ?? '')
      if (handler === undefined) response.writeHead(404).end()
      else handler(request, response)
    })
    this.server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
  }

  static async start(): Promise<HomeService> {
    const service = new HomeService()
    await listen(service.server)
    return service
  }

  get port(): number {
    return portOf(this.server)
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** @returns the path at which the handler answers */
  serve(handler: Handler): string {
    this.#count += 1
    const path = `/test-${this.#count}`
    this.#handlers.set(path, handler)
    return path
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }
}
