import type { FastifyBaseLogger } from 'fastify'
import type { AuditLog } from './audit-log.ts'
import type { Clock } from './clock.ts'
import type { Changes } from './cluster/cluster-feature.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { Metrics } from './metrics.ts'
import type { Schedule } from './schedule.ts'
import type { Storage } from './storage/storage.ts'

export interface FeatureBase {
  readonly storage: Storage
  readonly cluster: Cluster
  readonly changes: Changes
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly schedule: Schedule
  readonly metrics: Metrics
  readonly audit: AuditLog
}
