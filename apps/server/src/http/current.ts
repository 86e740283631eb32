import { healthz } from '@astropelago/contract/health'
import type { FastifyInstance } from 'fastify'
import type { Cluster } from '../cluster/cluster.ts'

/**
 * A server that was cut off from the others does not answer from memory, which they may have outdated: it
 * reads first, or refuses. It still serves pages and files, and says that it is alive.
 */
export function waitUntilCurrent(
  app: FastifyInstance,
  cluster: Pick<Cluster, 'isCurrent' | 'whenCurrent'>,
): void {
  app.addHook('onRequest', async ({ routeOptions: { config } }) => {
    if (config.route === undefined || config.route === healthz || cluster.isCurrent()) return
    // For everybody but operators the path does not exist, which serve-route says before it waits.
    if (config.route.access === 'operator') return
    await cluster.whenCurrent()
  })
}
