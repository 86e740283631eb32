import type { FastifyInstance } from 'fastify'

const idleCheckMs = 50
/** Who has not sent the whole of a request by then gets no answer. */
const graceMs = 5000

/**
 * Lets the server close as soon as everything it accepted is answered. Connections that are idle when
 * it begins to close are closed by Fastify; those that turn idle after that would stay open for their
 * keep-alive time.
 */
export function drainConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    // Without a listening server there is no 'close' to wait for, and nobody to answer.
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
