import { createHash, timingSafeEqual } from 'node:crypto'
import { readMetrics } from '@astropelago/contract/health'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import type { Metrics } from '../metrics.ts'
import type { Serve } from './serve-route.ts'

interface MetricsRoutesOptions {
  readonly serve: Serve
  readonly metrics: Metrics
  /** Undefined keeps the route closed. */
  readonly token: string | undefined
}

export async function metricsRoutes(
  app: FastifyInstance,
  { serve, metrics, token }: MetricsRoutesOptions,
) {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`)
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
