import type { FastifyInstance } from 'fastify'
import { refuseWhileClosing } from './error-handler.ts'

const idleCheckMs = 50
/** A request that has not arrived completely by then gets no answer. */
const graceMs = 5000

/** Closes the server once all it accepted is answered. Later requests meanwhile get 503. */
export function drainConnections(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('onRequest', async (request, reply) =>
    isClosing ? refuseWhileClosing(request, reply) : undefined,
  )
  app.addHook('preClose', async () => {
    isClosing = true
    // Otherwise there is no 'close' to wait for.
    if (!app.server.listening) return
    const idleCheck = setInterval(() => app.server.closeIdleConnections(), idleCheckMs)
    const grace = setTimeout(() => app.server.closeAllConnections(), graceMs)
    app.server.once('close', () => {
      clearInterval(idleCheck)
      clearTimeout(grace)
    })
    idleCheck.unref()
    grace.unref()
  })
}
