import type { IncomingMessage, Server } from 'node:http'

/**
 * Cuts requests whose bodies take too long, as Node's `requestTimeout` does. That one applies to all
 * requests of a server, but on hosts of islands a body may take its time.
 */
export class SlowBodies {
  readonly #server: Server
  readonly #maxMs: number
  readonly #sinceMs = new Map<IncomingMessage, number>()

  constructor(
    server: Server,
    { maxMs, checkMs }: { readonly maxMs: number; readonly checkMs: number },
  ) {
    this.#server = server
    this.#maxMs = maxMs
    whileListening(server, checkMs, () => this.#cut())
  }

  /** Call it when the headers of a request have arrived. */
  watch(request: IncomingMessage): void {
    if (!hasBody(request)) return
    this.#sinceMs.set(request, performance.now())
    request.once('end', () => this.#sinceMs.delete(request))
  }

  #cut(): void {
    const untilMs = performance.now() - this.#maxMs
    for (const [request, sinceMs] of this.#sinceMs) {
      // In order of arrival.
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

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** A server that never listens, such as a test's or the command line's, never reports that it is closed. */
export function whileListening(server: Server, intervalMs: number, task: () => void): void {
  server.once('listening', () => {
    const timer = setInterval(task, intervalMs)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  })
}
