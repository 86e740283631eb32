import { healthz, readyz } from '@astropelago/contract/health'
import type { FastifyInstance } from 'fastify'
import type { Serve } from './serve-route.ts'

interface HealthOptions {
  readonly serve: Serve
  /** Resolves when the storage answers. */
  readonly ping: () => Promise<void>
}

export async function healthRoutes(app: FastifyInstance, { serve, ping }: HealthOptions) {
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
}
