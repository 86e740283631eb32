import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** A body that brings as much, such as a large upload, gets as much time again: 1 Mbit/s with 30 s. */
const enoughBytes = 4_000_000

/** Node's `requestTimeout` would apply to islands' hosts too. @returns what to call once headers arrived */
export function cutSlowBodies(
  server: Server,
  { maxMs, checkMs }: { readonly maxMs: number; readonly checkMs: number },
): (request: IncomingMessage) => void {
  const watched = new Map<
    IncomingMessage,
    { readonly sinceMs: number; readonly bytesRead: number }
  >()
  const watch = (request: IncomingMessage) => {
    watched.set(request, { sinceMs: performance.now(), bytesRead: request.socket.bytesRead })
  }
  whileListening(server, checkMs, () => {
    const untilMs = performance.now() - maxMs
    for (const [request, { sinceMs, bytesRead }] of watched) {
      if (sinceMs > untilMs) return
      watched.delete(request)
      // Node's types do not say that a request can lose its connection.
      const { socket }: { readonly socket: Socket | null } = request
      if (request.complete || socket === null || socket.destroyed) continue
      if (socket.bytesRead - bytesRead >= enoughBytes) {
        watch(request)
        continue
      }
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      if (!server.emit('clientError', error, socket)) socket.destroy()
    }
  })
  return (request) => {
    if (!hasBody(request)) return
    watch(request)
    request.once('end', () => watched.delete(request))
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
