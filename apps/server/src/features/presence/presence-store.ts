import type { Outage } from './status.ts'

export interface PresenceRecord {
  readonly deviceKey: number
  readonly lastSeenMs: number
  /** Whether the last transition on record was to online. */
  readonly isOnline: boolean
}

/** Records as columns: a million of them must not become a million objects. */
export interface PresencePage {
  readonly deviceKeys: readonly number[]
  readonly lastSeenMs: readonly number[]
  /** 1 where the last transition on record was to online, else 0. */
  readonly isOnline: readonly number[]
}

export interface HeartbeatGroup {
  readonly atMs: number
  /** Those that were online already. */
  readonly stayed: readonly number[]
  /** Those that were not: their transition is recorded with the heartbeat. */
  readonly cameOnline: readonly number[]
  /** Whether other servers should hear of it at once: somebody came online by it, whoever records that. */
  readonly isUrgent?: boolean
}

export interface Flip {
  readonly deviceKey: number
  /** The heartbeat on which the flip was decided. */
  readonly lastSeenMs: number
  /** The deadline: when the device went offline, however late that is noticed. */
  readonly atMs: number
}

export interface PresenceEvent {
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

/** Everything durable about presence. What a promise here resolves survives a power cut. */
export interface PresenceStore {
  /** All devices that ever reported, a page at a time. */
  readonly load: () => AsyncIterable<PresencePage>
  /** In the order of their keys. */
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly PresenceRecord[]>
  /**
   * Devices that were deleted meanwhile are passed over.
   * @returns when the group counts as heard
   */
  readonly commitHeartbeats: (group: HeartbeatGroup) => Promise<number>
  /**
   * Tidies up behind `commitHeartbeats`, in small steps between which others get their turn. When it
   * is aborted it ends after its step, and the next one does the rest.
   */
  readonly fold: (signal?: AbortSignal) => Promise<void>
  /**
   * Records flips to offline, each only if no heartbeat came after the one it was decided on.
   * Marks the server as alive at `aliveMs` in the same transaction.
   * @returns the keys of those that were recorded
   */
  readonly recordOffline: (flips: readonly Flip[], aliveMs: number) => Promise<readonly number[]>
  readonly events: (deviceKey: number) => Promise<readonly PresenceEvent[]>
  readonly lastEvent: (deviceKey: number) => Promise<PresenceEvent | undefined>
  /** When a server was last known to be alive: now where another one is; null before the first mark. */
  readonly aliveMark: () => Promise<number | 'now' | null>
  readonly markAlive: (atMs: number) => Promise<void>
  readonly outages: () => Promise<readonly Outage[]>
  /** Puts it on record for good too, as `recordUnobserved` does. */
  readonly recordOutage: (outage: Outage) => Promise<void>
  /**
   * Notes for good when nothing was heard: by one server of several, or with null by none. One that goes on
   * shortly after another of the same is one with it.
   */
  readonly recordUnobserved: (outage: Outage, writer: number | null) => Promise<void>
  readonly forgetOutages: () => Promise<void>
  /** What is said to have been after `nowMs` was at `nowMs`. For a server that starts. */
  readonly clampTimes: (nowMs: number) => Promise<void>
}
