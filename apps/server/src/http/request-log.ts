import type { FastifyInstance } from 'fastify'

/**
 * One line for each answer, with the path but never the query, headers or body, which may contain tokens,
 * cookies and passwords. Heartbeats are not logged: there are thousands a second.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.isQuiet === true) return
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
      },
      'request',
    )
  })
}
