import type { FastifyBaseLogger } from 'fastify'
import type { Storage } from '../storage/storage.ts'
import { alone, type Cluster } from './cluster.ts'
import { PostgresCluster } from './postgres-cluster.ts'
import { postgresClusterStore } from './postgres-cluster-store.ts'

/** This server among those on its storage; to be called before anything is loaded from that. */
export async function joinCluster(
  storage: Storage,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<Cluster | PostgresCluster> {
  if (storage.kind !== 'postgres') return alone
  const { instance } = storage
  return await PostgresCluster.join({ instance, store: postgresClusterStore(storage), log })
}
