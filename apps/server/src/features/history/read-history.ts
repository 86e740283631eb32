import { setImmediate as endOfTurn } from 'node:timers/promises'
import { historyDays, stripDays, uptimeWindows, type Uptime } from '@astropelago/contract/history'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import { dayMs, dayStart, type DayTotals, type TimeSpan } from '../../history/time-spans.ts'
import { timeOfDevice, type Present, type TimeOfDevice } from './device-history.ts'
import type { HistoryStore, StoredHistory } from './history-store.ts'

/** A device whose history somebody asks for. */
export interface VisibleDevice {
  readonly deviceKey: number
  /** Since when it has been public, for others; 0 for its owner. */
  readonly visibleFromMs: number
}

export const windowsMs: Readonly<Record<Uptime['window'], number>> = {
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': historyDays * dayMs,
}

/** The record changes with each flip. This server may hear about the flip earlier. */
const cachedForMs = 5000
const devicesKept = 1000
/** How many devices' strips are made before others get their turn. */
const devicesInTurn = 200

interface ReadHistoryDeps {
  readonly store: Pick<HistoryStore, 'read' | 'readOwn' | 'unobserved'>
  readonly clock: Clock
  readonly present: (deviceKey: number) => Present
}

export type ReadHistory = ReturnType<typeof readHistory>

/**
 * Reads the history of devices. An answer reads the flips of a few days at most, and one row for each other
 * day.
 */
export function readHistory({ store, clock, present }: ReadHistoryDeps) {
  let outages: { readonly atMs: number; readonly spans: Promise<readonly TimeSpan[]> } | undefined
  const read = new LRUCache<number, KeptRead>(atMostEntries(devicesKept))

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

  const readKept = async ({ deviceKey, visibleFromMs }: VisibleDevice, nowMs: number) => {
    const known = read.get(deviceKey)
    if (known && isFresh(known, nowMs) && known.visibleFromMs === visibleFromMs)
      return await known.kept
    const detailedMs = [visibleFromMs, ...Object.values(windowsMs).map((forMs) => nowMs - forMs)]
    const kept = store.read(deviceKey, { sinceMs: firstDay(nowMs), detailedMs })
    const reading = { atMs: nowMs, visibleFromMs, kept }
    read.set(deviceKey, reading)
    kept.catch(() => {
      if (read.peek(deviceKey) === reading) read.delete(deviceKey)
    })
    return await kept
  }

  return {
    /** When nobody could hear devices in the last 90 days. In order, without overlaps. */
    readUnobserved,

    noteFlips: (deviceKeys: readonly number[]): void => {
      for (const key of deviceKeys) read.delete(key)
    },

    of: async (device: VisibleDevice): Promise<TimeOfDevice> => {
      const nowMs = clock()
      const [kept, unobserved] = await Promise.all([readKept(device, nowMs), readUnobserved()])
      return timeOfDevice({
        kept,
        unobserved,
        present: present(device.deviceKey),
        visibleFromMs: device.visibleFromMs,
        sinceMs: firstDay(nowMs),
        nowMs,
      })
    },

    /** The last days of each device of a user, oldest first. */
    ofOwn: async (userKey: number) => {
      const nowMs = clock()
      const stripMs = dayStart(nowMs) - (stripDays - 1) * dayMs
      const [devices, unobserved] = await Promise.all([
        store.readOwn(userKey, { sinceMs: stripMs, detailedMs: [] }),
        readUnobserved(),
      ])
      const strips: { readonly id: string; readonly days: readonly DayTotals[] }[] = []
      for (const { deviceKey, id, kept } of devices) {
        const known = { kept, unobserved, present: present(deviceKey), visibleFromMs: 0, nowMs }
        const time = timeOfDevice({ ...known, sinceMs: stripMs })
        strips.push({ id, days: time.days(stripDays) })
        if (strips.length % devicesInTurn === 0) await endOfTurn()
      }
      return strips
    },
  }
}

interface KeptRead {
  readonly atMs: number
  readonly visibleFromMs: number
  readonly kept: Promise<StoredHistory>
}

function firstDay(nowMs: number): number {
  return dayStart(nowMs - historyDays * dayMs)
}

function isFresh({ atMs }: { readonly atMs: number }, nowMs: number): boolean {
  return nowMs - atMs < cachedForMs && dayStart(atMs) === dayStart(nowMs)
}

/** The uptime in each window, in the order of the windows. */
export function uptimesOf(time: TimeOfDevice): Uptime[] {
  return uptimeWindows.map((window) => {
    const { uptime, observed } = time.share(windowsMs[window])
    return { window, uptime, observed }
  })
}
