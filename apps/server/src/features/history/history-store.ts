import type { TimeSpan } from '../../history/time-spans.ts'

export interface Flip {
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

/** A day that is over on which a device flipped. */
export interface KeptDay {
  /** Its beginning, in UTC. */
  readonly startMs: number
  readonly onlineS: number
  readonly offlineS: number
  readonly unobservedS: number
  readonly flips: number
  /** That of the last flip, and when that was: null where it is not known. */
  readonly status: 'online' | 'offline'
  readonly sinceMs: number | null
}

export interface ClosedDay extends KeptDay {
  readonly deviceKey: number
}

/** What is on record of a device. */
export interface KeptHistory {
  /** In their order; the first one may be from long before what was asked for. */
  readonly days: readonly KeptDay[]
  /** In their order: all since the last of the days, and those of the days that were asked for in detail. */
  readonly flips: readonly Flip[]
}

export interface AskedTime {
  readonly sinceMs: number
  /** Of the days in which these lie each flip is read, and with any of them those of the very first day. */
  readonly detailedMs: readonly number[]
}

export interface DayOfDevice {
  readonly deviceKey: number
  readonly startMs: number
}

/** What a day of a device is made from. */
export interface OpenDay extends DayOfDevice {
  /** What it began with; null where nothing is known of before. */
  readonly before: 'online' | 'offline' | null
  readonly flips: readonly [Flip, ...Flip[]]
}

export interface HistoryStore {
  readonly read: (deviceKey: number, asked: AskedTime) => Promise<KeptHistory>
  /** The same of all devices of a user, oldest first. */
  readonly readOwn: (
    userKey: number,
    asked: AskedTime,
  ) => Promise<
    readonly { readonly deviceKey: number; readonly id: string; readonly kept: KeptHistory }[]
  >
  /** The newest flips of a device from `sinceMs` on: those before a time, and at that time those of a lesser status. */
  readonly newestFlips: (
    deviceKey: number,
    page: {
      readonly sinceMs: number
      readonly beforeMs: number
      readonly beforeStatus: string
      readonly limit: number
    },
  ) => Promise<readonly Flip[]>
  /** When nobody could hear devices, as far as it lasted beyond `sinceMs`; in order, and apart. */
  readonly unobserved: (sinceMs: number) => Promise<readonly TimeSpan[]>
  /** Days without a flip are left out. */
  readonly readOpenDays: (days: readonly DayOfDevice[]) => Promise<readonly OpenDay[]>
  /** In the place of what they were, if they were kept already. Devices that are gone are passed over. */
  readonly writeDays: (days: readonly ClosedDay[]) => Promise<void>
  /**
   * Days that began before `untilMs`, in steps, but for the last one of each device: that is what it was then.
   * Times without a server that were over by then go too.
   * @returns how many rows it was this time: with fewer than `limit` there are no more
   */
  readonly deleteOld: (untilMs: number, limit: number) => Promise<number>
  /** How many days are kept of a user's devices, and those: a device at a time. */
  readonly countOf: (userKey: number) => Promise<number>
  readonly readOf: (
    userKey: number,
  ) => AsyncIterable<{ readonly deviceId: string; readonly days: readonly KeptDay[] }>
}
