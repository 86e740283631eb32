import type { TimeSpan } from '../../history/time-spans.ts'

export interface Flip {
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

export interface StoredDay {
  readonly startMs: number
  readonly onlineS: number
  readonly offlineS: number
  readonly unobservedS: number
  readonly flips: number
  /** Status and time of the last flip; null if unknown. */
  readonly status: 'online' | 'offline'
  readonly sinceMs: number | null
}

export interface ClosedDay extends StoredDay {
  readonly deviceKey: number
}

export interface StoredHistory {
  /** In order. The first day may be from long before the span that was asked for. */
  readonly days: readonly StoredDay[]
  /** In order: all flips since the last stored day, and those of days that were asked for in detail. */
  readonly flips: readonly Flip[]
}

export interface AskedTime {
  readonly sinceMs: number
  /** The days to read flip by flip. If there are any, so is the device's first day. */
  readonly detailedMs: readonly number[]
}

export interface DayOfDevice {
  readonly deviceKey: number
  readonly startMs: number
}

export interface OpenDay extends DayOfDevice {
  /** The status at its beginning; null if nothing is known before it. */
  readonly before: 'online' | 'offline' | null
  readonly flips: readonly [Flip, ...Flip[]]
}

export interface HistoryStore {
  readonly read: (deviceKey: number, asked: AskedTime) => Promise<StoredHistory>
  readonly readOwn: (
    userKey: number,
    asked: AskedTime,
  ) => Promise<
    readonly { readonly deviceKey: number; readonly id: string; readonly stored: StoredHistory }[]
  >
  /** The newest flips of a device before a position: a time, and at that time a lesser status. */
  readonly newestFlips: (
    deviceKey: number,
    page: {
      readonly sinceMs: number
      readonly beforeMs: number
      readonly beforeStatus: string
      readonly limit: number
    },
  ) => Promise<readonly Flip[]>
  /** When no server could receive heartbeats, after `sinceMs`. In order, without overlaps. */
  readonly unobserved: (sinceMs: number) => Promise<readonly TimeSpan[]>
  readonly readOpenDays: (days: readonly DayOfDevice[]) => Promise<readonly OpenDay[]>
  /** Replaces days that are stored already. Skips devices that were deleted. */
  readonly writeDays: (days: readonly ClosedDay[]) => Promise<void>
  /** Keeps each device's last day before `untilMs`, which holds its status. Also deletes outages over by then. */
  readonly deleteOld: (untilMs: number, limit: number) => Promise<number>
  readonly countOf: (userKey: number) => Promise<number>
  readonly readOf: (
    userKey: number,
  ) => AsyncIterable<{ readonly deviceId: string; readonly days: readonly StoredDay[] }>
}
