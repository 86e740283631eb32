import { setImmediate as endOfTurn } from 'node:timers/promises'
import { historyDays, stripDays } from '@astropelago/contract/history'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import { dayMs, dayStart, type DayTotals, type TimeSpan } from '../../history/time-spans.ts'
import { windowsMs } from '../../history/uptimes.ts'
import type { Presence } from '../presence/public.ts'
import { timeOfDevice, type TimeOfDevice } from './device-history.ts'
import type { HistoryStore, StoredHistory } from './history-store.ts'

export interface VisibleDevice {
  readonly deviceKey: number
  readonly visibleFromMs: number
}

/** The record changes with each flip, which this server may learn of earlier. */
const cachedForMs = 5000
const devicesCached = 1000
const devicesPerTurn = 200

interface CachedRead {
  readonly atMs: number
  readonly visibleFromMs: number
  readonly stored: Promise<StoredHistory>
}

interface ReadHistoryParts {
  readonly store: Pick<HistoryStore, 'read' | 'readOwn' | 'unobserved'>
  readonly clock: Clock
  readonly presence: Pick<Presence, 'present'>
}

export type ReadHistory = ReturnType<typeof readHistory>

/** An answer reads the flips of a few days at most, and one row for each other day. */
export function readHistory({ store, clock, presence }: ReadHistoryParts) {
  let outages: { readonly atMs: number; readonly spans: Promise<readonly TimeSpan[]> } | undefined
  const reads = new LRUCache<number, CachedRead>(atMostEntries(devicesCached))

  const readUnobserved = async (): Promise<readonly TimeSpan[]> => {
    const nowMs = clock()
    if (outages === undefined || !isFresh(outages, nowMs)) {
      const spans = store.unobserved(firstDay(nowMs))
      const reading = { atMs: nowMs, spans }
      outages = reading
      spans.catch(() => {
        if (outages === reading) outages = undefined
      })
    }
    return await outages.spans
  }

  const readStored = async ({ deviceKey, visibleFromMs }: VisibleDevice, nowMs: number) => {
    const cached = reads.get(deviceKey)
    if (cached && isFresh(cached, nowMs) && cached.visibleFromMs === visibleFromMs) {
      return await cached.stored
    }
    const detailedMs = [visibleFromMs, ...Object.values(windowsMs).map((forMs) => nowMs - forMs)]
    const stored = store.read(deviceKey, { sinceMs: firstDay(nowMs), detailedMs })
    const reading = { atMs: nowMs, visibleFromMs, stored }
    reads.set(deviceKey, reading)
    stored.catch(() => {
      if (reads.peek(deviceKey) === reading) reads.delete(deviceKey)
    })
    return await stored
  }

  return {
    readUnobserved,

    forget: (deviceKeys: readonly number[]): void => {
      for (const key of deviceKeys) reads.delete(key)
    },

    of: async (device: VisibleDevice): Promise<TimeOfDevice> => {
      const nowMs = clock()
      const [stored, unobserved] = await Promise.all([readStored(device, nowMs), readUnobserved()])
      return timeOfDevice({
        stored,
        unobserved,
        present: presence.present(device.deviceKey),
        visibleFromMs: device.visibleFromMs,
        sinceMs: firstDay(nowMs),
        nowMs,
      })
    },

    ofOwn: async (userKey: number) => {
      const nowMs = clock()
      const sinceMs = dayStart(nowMs) - (stripDays - 1) * dayMs
      const [devices, unobserved] = await Promise.all([
        store.readOwn(userKey, { sinceMs, detailedMs: [] }),
        readUnobserved(),
      ])
      const strips: { readonly id: string; readonly days: readonly DayTotals[] }[] = []
      for (const { deviceKey, id, stored } of devices) {
        const present = presence.present(deviceKey)
        const time = timeOfDevice({ stored, unobserved, present, visibleFromMs: 0, sinceMs, nowMs })
        strips.push({ id, days: time.days(stripDays) })
        if (strips.length % devicesPerTurn === 0) await endOfTurn()
      }
      return strips
    },
  }
}

function firstDay(nowMs: number): number {
  return dayStart(nowMs - historyDays * dayMs)
}

function isFresh({ atMs }: { readonly atMs: number }, nowMs: number): boolean {
  return nowMs - atMs < cachedForMs && dayStart(atMs) === dayStart(nowMs)
}
