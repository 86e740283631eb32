import { createHash, timingSafeEqual } from 'node:crypto'
import { readMetrics } from '@astropelago/contract/health'
import { collectDefaultMetrics, Counter, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import type { Serve } from './serve-route.ts'

export interface Metrics {
  readonly notePageLoad: (loadMs: number) => void
  readonly noteFlips: (deviceKeys: readonly number[], status: 'online' | 'offline') => void
  /** In Prometheus' text format. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** The figures of one server. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const pageLoads = new Histogram({
    name: 'astropelago_page_load_seconds',
    help: 'From the start of a page to the notice that it has loaded, as browsers report it',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const flips = new Counter({
    name: 'astropelago_flips_total',
    help: 'Changes of devices’ status since the start, by the status that they changed to',
    labelNames: ['status'],
    registers: [registry],
  })
  for (const status of ['online', 'offline'] as const) flips.inc({ status }, 0)
  let isCollecting = false
  return {
    notePageLoad: (loadMs) => pageLoads.observe(loadMs / 1000),
    noteFlips: (deviceKeys, status) => flips.inc({ status }, deviceKeys.length),
    text: async () => {
      // The process is watched from the first time on that somebody reads about it.
      if (!isCollecting) collectDefaultMetrics({ register: registry })
      isCollecting = true
      return await registry.metrics()
    },
    contentType: registry.contentType,
  }
}

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
