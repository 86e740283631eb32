import { writeDay } from '../../history/time-spans.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import type { HistoryStore } from './history-store.ts'

/** For the export of an account: the days of its devices, one device at a time. */
export function ownHistoryData(store: Pick<HistoryStore, 'countOf' | 'readOf'>): OwnDataKind {
  return {
    kind: 'deviceDays',
    count: store.countOf,
    text: (count) => `${counted(count, 'day', 'days')} of their history`,
    read: async function* (userKey) {
      for await (const { deviceId, days } of store.readOf(userKey)) {
        yield JSON.stringify({
          device: deviceId,
          days: days.map((day) => ({
            day: writeDay(day.startMs),
            onlineS: day.onlineS,
            offlineS: day.offlineS,
            unobservedS: day.unobservedS,
            flips: day.flips,
            status: day.status,
            since: day.sinceMs === null ? null : new Date(day.sinceMs).toISOString(),
          })),
        })
      }
    },
  }
}
