import { healthz } from '@astropelago/contract/health'
import type { FastifyInstance } from 'fastify'
import type { Cluster } from '../cluster/cluster.ts'

/**
 * A server that was cut off from the others does not answer from memory what they may have changed: it
 * reads first, or refuses. Pages and files it goes on to serve, and that it lives it says.
 */
export function waitUntilCurrent(
  app: FastifyInstance,
  cluster: Pick<Cluster, 'isCurrent' | 'whenCurrent'>,
): void {
  app.addHook('onRequest', async ({ routeOptions: { config } }) => {
    if (config.route === undefined || config.route === healthz || cluster.isCurrent()) return
    // For all but operators it is a path that leads nowhere, which serve-route tells before it waits.
    if (config.route.access === 'operator') return
    await cluster.whenCurrent()
  })
}
