import type { Clock } from '../../clock.ts'
import type { Metrics } from '../../metrics.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { Presence } from '../presence/public.ts'

/** Counting a million devices takes PostgreSQL 50 ms, so the number is cached. */
const countedMs = 10_000

interface DevicesMetricsParts {
  readonly countAll: () => Promise<number>
  readonly presence: Pick<Presence, 'count'>
  readonly clock: Clock
}

export function devicesMetrics(metrics: Metrics, parts: DevicesMetricsParts): void {
  const { countAll, presence, clock } = parts
  let total = 0
  let countedAtMs = Number.NEGATIVE_INFINITY
  const readTotal = async () => {
    if (clock() - countedAtMs < countedMs) return
    countedAtMs = clock()
    try {
      total = await countAll()
    } catch (error) {
      // Keep the last number, so that the other metrics can be read while the storage is unavailable.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
  metrics.gauge({
    name: 'astropelago_devices',
    help: 'Devices of all users by status, on every server the same ones',
    labels: ['status'],
    read: async () => {
      await readTotal()
      const { online, offline } = presence.count()
      const unknown = Math.max(0, total - online - offline)
      return Object.entries({ online, offline, unknown }).map(([status, value]) => ({
        labels: { status },
        value,
      }))
    },
  })
}
