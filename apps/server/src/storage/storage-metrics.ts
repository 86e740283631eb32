import type { Metrics } from '../metrics.ts'
import type { Storage } from './storage.ts'

export function storageMetrics(metrics: Metrics, { load }: Storage): void {
  metrics.gauge({
    name: 'astropelago_storage_waiting',
    help: 'Calls of the storage that wait for their turn; on SQLite reads count as writes',
    labels: ['for'],
    read: () =>
      Object.entries(load.waiting()).map(([kind, value]) => ({ labels: { for: kind }, value })),
  })
  metrics.counter({
    name: 'astropelago_storage_errors_total',
    help: 'Calls of the storage that failed since the start, by whether it was gone or full (unavailable), held by another (busy) or the call was wrong',
    labels: ['kind'],
    read: () =>
      Object.entries(load.failures.counts).map(([kind, value]) => ({ labels: { kind }, value })),
  })
}
