import { createHash, timingSafeEqual } from 'node:crypto'
import { healthz, readMetrics, readyz } from '@astropelago/contract/health'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import type { Metrics } from '../metrics.ts'
import type { Serve } from './serve-route.ts'

export async function healthRoutes(
  app: FastifyInstance,
  {
    serve,
    ping,
    metrics,
    metricsToken,
  }: {
    readonly serve: Serve
    readonly ping: () => Promise<void>
    readonly metrics: Metrics
    readonly metricsToken: string | undefined
  },
) {
  // Monitors often ask by HEAD every few seconds. A log line for each would hide everything else.
  const options = { answersHead: true, isQuiet: true }
  serve(app, healthz, async () => ({ status: 200, body: { status: 'alive' } }), options)
  serve(
    app,
    readyz,
    async () => {
      await ping()
      return { status: 200, body: { status: 'ready' } }
    },
    options,
  )

  const expected = metricsToken === undefined ? undefined : digest(`Bearer ${metricsToken}`)
  serve(app, readMetrics, async ({ request, reply }) => {
    // Callers without the token don't learn that the route exists.
    const given = digest(request.headers.authorization ?? '')
    if (expected === undefined || !timingSafeEqual(given, expected)) {
      throw new DomainError('not_found')
    }
    reply.type(metrics.contentType).send(await metrics.text())
    return undefined
  })
}

/** Digests have equal lengths, which a comparison in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
