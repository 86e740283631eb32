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
  /** 1 if the last transition on record was to online, else 0. */
  readonly isOnline: readonly number[]
}

export interface HeartbeatGroup {
  readonly atMs: number
  /** Devices that were online already. */
  readonly stayed: readonly number[]
  /** Devices that were not online. Their transition is recorded with the heartbeat. */
  readonly cameOnline: readonly number[]
  /**
   * Whether other servers should learn of the group at once because a device came online, whoever records
   * that.
   */
  readonly isUrgent?: boolean
}

export interface Flip {
  readonly deviceKey: number
  /** The heartbeat on which the flip was decided. */
  readonly lastSeenMs: number
  /** The deadline: when the device went offline, however late that is noticed. */
  readonly atMs: number
}

/**
 * Receives devices that flipped together, after the flips are durable and in the order in which they became
 * so. A subscriber that must miss none, even after a crash, reads the stored flips (flips/flip-store.ts).
 */
export type FlipListener = (deviceKeys: readonly number[], status: 'online' | 'offline') => void

export interface PresenceEvent {
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

/** Everything durable about presence. What a promise here resolves survives a power cut. */
export interface PresenceStore {
  /** All devices that ever reported, a page at a time. */
  readonly load: () => AsyncIterable<PresencePage>
  /** In the order of the keys. */
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly PresenceRecord[]>
  /**
   * Skips devices that were deleted meanwhile.
   * @returns the time from which the group counts as heard
   */
  readonly commitHeartbeats: (group: HeartbeatGroup) => Promise<number>
  /**
   * Tidies up after `commitHeartbeats` in small steps, so that others get their turn between them. When
   * aborted, it ends after the current step, and the next call does the rest.
   */
  readonly fold: (signal?: AbortSignal) => Promise<void>
  /**
   * Records flips to offline, each only if no heartbeat came after the one it was decided on. Marks the
   * server as alive at `aliveMs` in the same transaction.
   * @returns the keys whose flips were recorded
   */
  readonly recordOffline: (flips: readonly Flip[], aliveMs: number) => Promise<readonly number[]>
  readonly events: (deviceKey: number) => Promise<readonly PresenceEvent[]>
  readonly lastEvent: (deviceKey: number) => Promise<PresenceEvent | undefined>
  /**
   * When a server was last known to be alive. That is now if another server is alive, and null before the
   * first mark.
   */
  readonly aliveMark: () => Promise<number | 'now' | null>
  readonly markAlive: (atMs: number) => Promise<void>
  readonly outages: () => Promise<readonly Outage[]>
  /** Also records it permanently, as `recordUnobserved` does. */
  readonly recordOutage: (outage: Outage) => Promise<void>
  /**
   * Records permanently when nothing was heard by one of several servers, or with null by any. A span that
   * begins shortly after another of the same server extends it.
   */
  readonly recordUnobserved: (outage: Outage, writer: number | null) => Promise<void>
  readonly forgetOutages: () => Promise<void>
  /** Moves times later than `nowMs` back to `nowMs`. For a server that starts. */
  readonly clampTimes: (nowMs: number) => Promise<void>
}
