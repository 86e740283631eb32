import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../metrics.ts'
import type { ChangeSubscriber } from '../storage/change-log.ts'
import type { ChangeTopic } from '../storage/schema.ts'
import type { Storage } from '../storage/storage.ts'
import { alone, type Cluster } from './cluster.ts'
import { PostgresCluster } from './postgres-cluster.ts'
import { postgresClusterStore } from './postgres-cluster-store.ts'

/** This server as one of those that share its storage. Call it before anything is loaded from there. */
export async function joinCluster({
  storage,
  log,
  metrics,
}: {
  readonly storage: Storage
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  readonly metrics: Metrics
}): Promise<Cluster | PostgresCluster> {
  const cluster =
    storage.kind === 'postgres'
      ? await PostgresCluster.join({
          instance: storage.instance,
          store: postgresClusterStore(storage),
          log,
        })
      : alone
  metrics.gauge({
    name: 'astropelago_servers',
    help: 'Servers that share the storage, as this one knows them',
    read: () => cluster.size(),
  })
  metrics.gauge({
    name: 'astropelago_server_leads',
    help: '1 on the server that judges devices and gives the feed its order, 0 on all others',
    read: () => (cluster.leads() ? 1 : 0),
  })
  metrics.gauge({
    name: 'astropelago_server_behind_seconds',
    help: 'How old what this server knows of the others is; past 1 it answers 503',
    read: () => cluster.behindMs() / 1000,
  })
  return cluster
}

export type Changes = ReturnType<typeof changesOf>

export function changesOf({ changes }: Pick<Storage, 'changes'>, cluster: Cluster) {
  return {
    /** Own changes arrive between their commit and the answer to their caller, others' within a second. */
    subscribe: (topic: ChangeTopic, subscriber: ChangeSubscriber): void => {
      changes.subscribe(topic, subscriber)
      cluster.onRow(topic, subscriber)
    },
  }
}
