import { createHash, timingSafeEqual } from 'node:crypto'
import { readMetrics } from '@astropelago/contract/health'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import type { Metrics } from '../metrics.ts'
import type { Serve } from './serve-route.ts'

interface MetricsRoutesOptions {
  readonly serve: Serve
  readonly metrics: Metrics
  /** Undefined: nobody reads them. */
  readonly token: string | undefined
}

export async function metricsRoutes(
  app: FastifyInstance,
  { serve, metrics, token }: MetricsRoutesOptions,
) {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`)
  serve(app, readMetrics, async ({ request, reply }) => {
    // Whoever lacks the token isn't told that there is something to read.
    const given = digest(request.headers.authorization ?? '')
    if (expected === undefined || !timingSafeEqual(given, expected)) {
      throw new DomainError('not_found')
    }
    reply.type(metrics.contentType).send(await metrics.text())
    return undefined
  })
}

/** Digests have one length, as a comparison in constant time needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
