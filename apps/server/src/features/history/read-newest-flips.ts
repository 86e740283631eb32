import type { Clock } from '../../clock.ts'
import { newestPosition } from '../../page-position.ts'
import type { HistoryStore } from './history-store.ts'
import type { ReadHistory, VisibleDevice } from './read-history.ts'

interface ReadNewestFlipsDeps {
  readonly store: Pick<HistoryStore, 'newestFlips'>
  readonly history: Pick<ReadHistory, 'of'>
  readonly clock: Clock
}

/** The newest recorded flips of a device that the caller may see, and whether they include the last one. */
export function readNewestFlips({ store, history, clock }: ReadNewestFlipsDeps) {
  return async (device: VisibleDevice, limit: number) => {
    const { firstMs, unrecorded } = await history.of(device)
    // A first flip at this very moment has no time yet.
    const sinceMs = Math.max(device.visibleFromMs, firstMs ?? clock())
    const { atMs: beforeMs, id: beforeStatus } = newestPosition
    const page = { sinceMs, beforeMs, beforeStatus, limit }
    const flips = await store.newestFlips(device.deviceKey, page)
    return { flips, areAllOnRecord: unrecorded === null }
  }
}
