import type { IncomingMessage, Server } from 'node:http'

/**
 * Cuts requests whose bodies are too long on their way, as Node's own `requestTimeout` does. That one is
 * for all requests of a server, and on hosts of islands a body may take its time.
 */
export class SlowBodies {
  readonly #server: Server
  readonly #maxMs: number
  readonly #sinceMs = new Map<IncomingMessage, number>()

  constructor(
    server: Server,
    { maxMs, lookMs }: { readonly maxMs: number; readonly lookMs: number },
  ) {
    this.#server = server
    this.#maxMs = maxMs
    // One that never listens, as a test's or the command line's own, never says that it is closed.
    server.once('listening', () => {
      const look = setInterval(() => this.#cut(), lookMs)
      look.unref()
      server.once('close', () => clearInterval(look))
    })
  }

  /** To be called when the headers of a request have come. */
  watch(request: IncomingMessage): void {
    if (!hasBody(request)) return
    this.#sinceMs.set(request, performance.now())
    request.once('end', () => this.#sinceMs.delete(request))
  }

  #cut(): void {
    const untilMs = performance.now() - this.#maxMs
    for (const [request, sinceMs] of this.#sinceMs) {
      // In the order in which they came.
      if (sinceMs > untilMs) return
      this.#sinceMs.delete(request)
      if (request.complete || request.socket.destroyed) continue
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      if (!this.#server.emit('clientError', error, request.socket)) request.socket.destroy()
    }
  }
}

/** Whether something follows a request's headers. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
