import type { Outage } from './status.ts'

export interface PresenceRecord {
  readonly deviceKey: number
  readonly lastSeenMs: number
  readonly isOnline: boolean
}

/** Records as columns: a million of them must not become a million objects. */
export interface PresencePage {
  readonly deviceKeys: readonly number[]
  readonly lastSeenMs: readonly number[]
  /** 1 if the last transition on record was to online, else 0. */
  readonly isOnline: readonly number[]
}

export interface HeartbeatGroup {
  readonly atMs: number
  readonly stayed: readonly number[]
  /** Devices that were not online. Their transition is recorded with the heartbeat. */
  readonly cameOnline: readonly number[]
  /** Whether a device came online, so that other servers should learn of it at once. */
  readonly isUrgent?: boolean
}

export interface Flip {
  readonly deviceKey: number
  readonly lastSeenMs: number
  /** The deadline: when the device went offline, however late that is noticed. */
  readonly atMs: number
}

/** Receives durable flips in commit order. A subscriber that must miss none reads flips/flip-store.ts. */
export type FlipListener = (deviceKeys: readonly number[], status: 'online' | 'offline') => void

export interface PresenceEvent {
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

/** Everything durable about presence. What a promise here resolves survives a power cut. */
export interface PresenceStore {
  readonly load: () => AsyncIterable<PresencePage>
  /** Schedules of devices that have their own, as JSON. */
  readonly loadSchedules: () => AsyncIterable<
    readonly { readonly deviceKey: number; readonly schedule: string }[]
  >
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly PresenceRecord[]>
  /** Skips devices that were deleted meanwhile. @returns the time from which the group counts */
  readonly commitHeartbeats: (group: HeartbeatGroup) => Promise<number>
  /** Tidies up after `commitHeartbeats` in small steps. When aborted, the next call does the rest. */
  readonly fold: (signal?: AbortSignal) => Promise<void>
  /** Each only if no later heartbeat came. Also marks `aliveMs`. @returns the keys whose flips were recorded */
  readonly recordOffline: (flips: readonly Flip[], aliveMs: number) => Promise<readonly number[]>
  readonly events: (deviceKey: number) => Promise<readonly PresenceEvent[]>
  readonly lastEvent: (deviceKey: number) => Promise<PresenceEvent | undefined>
  /** When any server was last alive; `now` if another one is, null before the first mark. */
  readonly aliveMark: () => Promise<number | 'now' | null>
  readonly markAlive: (atMs: number) => Promise<void>
  readonly outages: () => Promise<readonly Outage[]>
  /** Also records it permanently, as `recordUnobserved` does. */
  readonly recordOutage: (outage: Outage) => Promise<void>
  /** When one of several servers, or any (null), received nothing. Extends a span that ended just before. */
  readonly recordUnobserved: (outage: Outage, writer: number | null) => Promise<void>
  readonly forgetOutages: (untilMs: number) => Promise<void>
  /** Moves times later than `nowMs` back to `nowMs`. For a server that starts. */
  readonly clampTimes: (nowMs: number) => Promise<void>
}
