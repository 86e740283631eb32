import type { IncomingMessage, Server } from 'node:http'

/** Node's `requestTimeout` would apply to islands' hosts too. @returns what to call once headers arrived */
export function cutSlowBodies(
  server: Server,
  { maxMs, checkMs }: { readonly maxMs: number; readonly checkMs: number },
): (request: IncomingMessage) => void {
  const sinceMs = new Map<IncomingMessage, number>()
  whileListening(server, checkMs, () => {
    const untilMs = performance.now() - maxMs
    for (const [request, arrivedMs] of sinceMs) {
      if (arrivedMs > untilMs) return
      sinceMs.delete(request)
      if (request.complete || request.socket.destroyed) continue
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      if (!server.emit('clientError', error, request.socket)) request.socket.destroy()
    }
  })
  return (request) => {
    if (!hasBody(request)) return
    sinceMs.set(request, performance.now())
    request.once('end', () => sinceMs.delete(request))
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
