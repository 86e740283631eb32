import type { PresenceRecord, PresenceStore } from './presence-store.ts'

const firstCapacity = 1024

export interface LoadedRecords {
  /** When any device last reported; null if none ever did. */
  readonly lastSeenMs: number | null
  readonly longestSilentFirst: () => Iterable<PresenceRecord>
}

/** Loads everything on record. A million devices take 17 bytes each instead of an object. */
export async function loadRecords({ load }: Pick<PresenceStore, 'load'>): Promise<LoadedRecords> {
  let deviceKeys = new Int32Array(firstCapacity)
  let lastSeenMs = new Float64Array(firstCapacity)
  let isOnline = new Uint8Array(firstCapacity)
  let count = 0
  for await (const page of load()) {
    const total = count + page.deviceKeys.length
    if (total > deviceKeys.length) {
      const capacity = Math.max(total, deviceKeys.length * 2)
      deviceKeys = widened(deviceKeys, new Int32Array(capacity))
      lastSeenMs = widened(lastSeenMs, new Float64Array(capacity))
      isOnline = widened(isOnline, new Uint8Array(capacity))
    }
    deviceKeys.set(page.deviceKeys, count)
    lastSeenMs.set(page.lastSeenMs, count)
    isOnline.set(page.isOnline, count)
    count = total
  }
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  order.sort((a, b) => (lastSeenMs[a] ?? 0) - (lastSeenMs[b] ?? 0))
  const newest = order.at(-1)

  return {
    lastSeenMs: newest === undefined ? null : (lastSeenMs[newest] ?? null),
    *longestSilentFirst() {
      for (const i of order) {
        yield {
          deviceKey: deviceKeys[i] ?? 0,
          lastSeenMs: lastSeenMs[i] ?? 0,
          isOnline: isOnline[i] === 1,
        }
      }
    },
  }
}

function widened<Column extends { set: (other: Column) => void }>(from: Column, to: Column) {
  to.set(from)
  return to
}
