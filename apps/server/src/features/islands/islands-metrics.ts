import type { Clock } from '../../clock.ts'
import type { Metrics, Sample } from '../../metrics.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { IslandsStore } from './islands-store.ts'

/** More frequent reads get the same numbers. */
const countedMs = 10_000

interface IslandsMetricsParts {
  readonly store: Pick<IslandsStore, 'countByState'>
  readonly clock: Clock
}

export function islandsMetrics(metrics: Metrics, { store, clock }: IslandsMetricsParts): void {
  let samples: readonly Sample[] = []
  let countedAtMs = Number.NEGATIVE_INFINITY
  const countAll = async () => {
    if (clock() - countedAtMs < countedMs) return
    countedAtMs = clock()
    try {
      const counts = Object.entries(await store.countByState())
      samples = counts.map(([state, value]) => ({ labels: { state }, value }))
    } catch (error) {
      // Metrics are often read while the storage is down. Keep the last counts.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
  metrics.gauge({
    name: 'astropelago_islands',
    help: 'Islands of all users by what they are to others, on every server the same ones',
    labels: ['state'],
    read: async () => {
      await countAll()
      return samples
    },
  })
}
