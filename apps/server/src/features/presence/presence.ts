import type { Status } from '@astropelago/contract/devices'
import type { Clock } from '../../clock.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import { StorageBusy, StorageUnavailable } from '../../storage/storage-error.ts'
import { Topic } from '../../topic.ts'
import { OnlineQueue } from './online-queue.ts'
import { loadRecords } from './load-records.ts'
import type { Flip, PresenceStore } from './presence-store.ts'
import { ServerOutages } from './server-outages.ts'
import { deadlineMs, statusAt, type Outage, type PresenceRules } from './status.ts'

/** Time between two ticks: how late a flip may be noticed, but never how late it is recorded. */
export const tickMs = 1000
/** Flips in one transaction, so that heartbeats get their turn between two transactions. */
const flipsPerCommit = 500
const maxWaitingHeartbeats = 50_000
const noSilences: ReadonlyMap<number, readonly Outage[]> = new Map()

export interface PresenceOptions {
  readonly store: PresenceStore
  readonly clock: Clock
  readonly windowMs: number
  readonly log: { readonly warn: (details: object, text: string) => void }
  /** Given if several servers share a storage. Without it this server is alone. */
  readonly shared?: SharedPresence
}

/** This server among others. One of them leads, and only the leader decides who flipped. */
export interface SharedPresence {
  readonly writer: number
  readonly leads: () => boolean
  /**
   * For each other server, when it could not reach the storage. Its devices may have reported more than it
   * could record.
   */
  readonly silences: () => ReadonlyMap<number, readonly Outage[]>
}

/** Heartbeats that another server took, or that no living server knows about. */
interface HeardGroup {
  readonly writer: number
  readonly atMs: number
  readonly deviceKeys: Iterable<number>
}

/** Who took a heartbeat, if that is known, and when. */
interface Heard {
  readonly writer: number | undefined
  readonly atMs: number
}

/**
 * Receives devices that flipped together, after the flips are durable and in the order in which they became
 * so. A subscriber that must miss none, even after a crash, reads the stored flips (flips/flip-store.ts).
 */
export type FlipListener = (deviceKeys: readonly number[], status: 'online' | 'offline') => void

/**
 * What the server knows about every device's liveness: the state in memory, the group commit of heartbeats
 * and the sweep. The rules [P1] to [P6] are in docs/presence.md.
 */
export class Presence {
  readonly #store: PresenceStore
  readonly #clock: Clock
  readonly #shared: SharedPresence | undefined
  readonly #flips = new Topic<Parameters<FlipListener>>()
  readonly #queue = new OnlineQueue()
  readonly #heartbeats = new KeyedQueue<number>({
    run: (keys) => this.#commit(keys),
    maxWaiting: maxWaitingHeartbeats,
  })
  readonly #outages: ServerOutages
  /** Devices that another server heard and that the leader has yet to record as online. */
  readonly #heardBy = new Map<number, Heard>()
  /** Up to this time other devices were judged offline, taking earlier heartbeats into account. */
  #judgedMs = 0
  #sweptMs: number | null = null
  #nowMs: number

  private constructor({ store, clock, windowMs, log, shared }: PresenceOptions) {
    this.#store = store
    this.#clock = clock
    this.#shared = shared
    this.#nowMs = clock()
    this.#outages = new ServerOutages({
      store,
      now: (atLeastMs) => this.#now(atLeastMs),
      windowMs,
      log,
      leads: () => this.#leads(),
      silences: () => shared?.silences() ?? noSilences,
    })
  }

  /** Loads everything on record. The time since the server was last alive counts as an outage ([P5]). */
  static async load(options: PresenceOptions): Promise<Presence> {
    const presence = new Presence(options)
    await presence.#load()
    return presence
  }

  listen(listener: FlipListener): void {
    this.#flips.subscribe(listener)
  }

  /**
   * Reports a device as alive now. Resolves when that survives a power cut ([P3]).
   * @throws DomainError `overloaded`; StorageUnavailable
   */
  heartbeat(deviceKey: number): Promise<void> {
    return this.#heartbeats.add(deviceKey)
  }

  status(deviceKey: number): Status {
    // The other servers wait for the leader, which knows more about silences.
    if (!this.#leads()) return this.#statusHeard(deviceKey)
    return statusAt(this.#now(), this.lastSeenMs(deviceKey), this.#rulesOf(deviceKey))
  }

  /** The status, and when the device took it; null if that is not on record, or no longer. */
  async statusSince(
    deviceKey: number,
  ): Promise<{ readonly status: Status; readonly sinceMs: number | null }> {
    const event = await this.#store.lastEvent(deviceKey)
    const status = this.status(deviceKey)
    // Its deadline has passed, but the sweep has not recorded that yet ([P2]).
    const dueMs = status === 'offline' ? this.#dueMs(deviceKey) : null
    return { status, sinceMs: dueMs ?? (event?.status === status ? event.atMs : null) }
  }

  /**
   * The status, and since when, if the last flip is not on record yet. Null if the device never reported.
   */
  present(
    deviceKey: number,
  ): { readonly status: 'online' | 'offline'; readonly unrecordedMs: number } | null {
    const lastSeenMs = this.lastSeenMs(deviceKey)
    const status = this.status(deviceKey)
    if (lastSeenMs === null || status === 'unknown') return null
    return { status, unrecordedMs: (status === 'offline' && this.#dueMs(deviceKey)) || lastSeenMs }
  }

  #dueMs(deviceKey: number): number | null {
    const lastSeenMs = this.lastSeenMs(deviceKey)
    if (lastSeenMs === null || !this.#queue.isOnline(deviceKey)) return null
    return deadlineMs(lastSeenMs, this.#rulesOf(deviceKey))
  }

  /** Up to this time all flips and outages are on record. Null if this server does not judge devices. */
  recordedUntilMs(): number | null {
    return this.#leads() ? this.#sweptMs : null
  }

  lastSeenMs(deviceKey: number): number | null {
    return this.#queue.lastSeenMs(deviceKey)
  }

  /** Counts all devices that ever reported. */
  count(): { readonly online: number; readonly offline: number } {
    const { onlineCount, knownCount } = this.#queue
    return { online: onlineCount, offline: knownCount - onlineCount }
  }

  /** How many heartbeats wait for the next commit. */
  get waitingCount(): number {
    return this.#heartbeats.waitingCount
  }

  /** Forgets a deleted device. */
  forget(deviceKey: number): void {
    this.#heardBy.delete(deviceKey)
    this.#queue.forget(deviceKey)
  }

  /**
   * Takes heartbeats that another server received. Devices that came online by them are published here at
   * once; the leader records that first.
   */
  hear({ writer, atMs, deviceKeys }: HeardGroup): void {
    const cameOnline: number[] = []
    for (const key of deviceKeys) {
      const lastSeenMs = this.#queue.lastSeenMs(key) ?? Number.NEGATIVE_INFINITY
      const isOnRecord = this.#queue.isOnRecord(key)
      // Known already, or from before the last judgement. The leader knew about it and decides.
      if (lastSeenMs > atMs || (!isOnRecord && (lastSeenMs === atMs || atMs < this.#judgedMs)))
        continue
      if (!isOnRecord) cameOnline.push(key)
      if (isOnRecord || !this.#leads()) this.#queue.touch(key, atMs, writer)
    }
    if (cameOnline.length === 0) return
    if (!this.#leads()) this.#flips.publish(cameOnline, 'online')
    else for (const key of cameOnline) this.#recordOnline(key, { writer, atMs })
  }

  /** Takes the leader's judgement that devices are offline. */
  hearOffline(deviceKeys: readonly number[], judgedMs: number): void {
    this.#judgedMs = Math.max(this.#judgedMs, judgedMs)
    const flipped = deviceKeys.filter((key) => {
      const lastSeenMs = this.#queue.lastSeenMs(key)
      if (!this.#queue.isOnline(key) || lastSeenMs === null || lastSeenMs >= judgedMs) return false
      this.#queue.setOffline(key, lastSeenMs)
      return true
    })
    if (flipped.length > 0) this.#flips.publish(flipped, 'offline')
  }

  /**
   * Takes over from the previous leader.
   * @param heardKeys devices with heartbeats since the previous leader last recorded its progress
   */
  async lead(heardKeys: Iterable<number>): Promise<void> {
    this.#sweptMs = null
    await this.#outages.reload()
    // Otherwise a heartbeat whose commit is under way would not be published as a flip back.
    const missing = await this.#heartbeats.alone(() => this.#setOfflineUnrecorded(heardKeys))
    for (const key of missing) {
      const atMs = this.#queue.lastSeenMs(key) ?? 0
      this.#recordOnline(key, { writer: this.#queue.taker(key), atMs })
    }
  }

  /** @returns the keys that are online here, but not on record as online */
  async #setOfflineUnrecorded(heardKeys: Iterable<number>): Promise<readonly number[]> {
    const keys = [...new Set(heardKeys)].filter((key) => this.#queue.isOnline(key))
    const records = await this.#store.read(keys)
    const online = new Set(
      records.filter((record) => record.isOnline).map(({ deviceKey }) => deviceKey),
    )
    const missing = keys.filter((key) => !online.has(key))
    for (const key of missing) this.#queue.setOffline(key, this.#queue.lastSeenMs(key) ?? 0)
    if (missing.length > 0) this.#flips.publish(missing, 'offline')
    return missing
  }

  /**
   * Call it every `tickMs`. Records that the server is alive, and flips devices that were silent for too
   * long.
   */
  async tick(): Promise<void> {
    const nowMs = this.#now()
    try {
      await this.#outages.beginTick(nowMs)
      if (!this.#leads()) {
        this.#leaveToRecord()
        return
      }
      for (const [key, heard] of this.#heardBy) this.#recordOnline(key, heard)
      await this.#sweep(nowMs)
      await this.#outages.recordSilences()
      this.#sweptMs = nowMs
      await this.#outages.forgetOld()
    } catch (error) {
      // Somebody held a lock for too long. That is no outage, and the next tick tries again.
      if (error instanceof StorageBusy) return
      this.#outages.noteFailure(error)
      throw error
    }
  }

  /** Waits for heartbeats under way and records the time, so that the next start knows the gap. */
  async stop(): Promise<void> {
    await this.#heartbeats.settled()
    try {
      await this.#store.markAlive(this.#now())
    } catch (error) {
      // Then the previous mark counts, and the gap is longer.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }

  async #load(): Promise<void> {
    let records = await loadRecords(this.#store)
    if (await this.#outages.correctFuture(records.lastSeenMs)) {
      records = await loadRecords(this.#store)
    }
    await this.#outages.load(records.lastSeenMs)
    const nowMs = this.#now()
    const { rules } = this.#outages
    for (const { deviceKey, lastSeenMs, isOnline } of records.longestSilentFirst()) {
      if (isOnline) this.#queue.touch(deviceKey, lastSeenMs)
      // With a longer window than before, devices on record as offline can be online.
      else if (nowMs < deadlineMs(lastSeenMs, rules))
        this.#queue.touchUnrecorded(deviceKey, lastSeenMs)
      else this.#queue.setOffline(deviceKey, lastSeenMs)
    }
  }

  async #commit(deviceKeys: ReadonlySet<number>): Promise<void> {
    const all = [...deviceKeys]
    const flipping = all.filter((key) => !this.#queue.isOnRecord(key))
    // Only the leader records flips. It reads these heartbeats like all others.
    const isLeading = this.#leads()
    const group = isLeading
      ? { stayed: all.filter((key) => this.#queue.isOnRecord(key)), cameOnline: flipping }
      : { stayed: all, cameOnline: [] }
    let atMs = this.#now()
    try {
      atMs = await this.#store.commitHeartbeats({
        atMs,
        ...group,
        isUrgent: flipping.length > 0,
      })
      await this.#outages.noteAlive(atMs)
    } catch (error) {
      this.#outages.noteFailure(error)
      throw error
    }
    // Check again: another server may have said meanwhile that some are offline.
    const cameOnline: number[] = []
    for (const key of deviceKeys) {
      if (!this.#queue.isOnRecord(key)) cameOnline.push(key)
      this.#queue.touch(key, atMs, this.#heardBy.get(key)?.writer ?? this.#shared?.writer)
      if (isLeading) this.#heardBy.delete(key)
    }
    if (cameOnline.length === 0) return
    if (isLeading || !this.#leads()) this.#flips.publish(cameOnline, 'online')
    else {
      // This server began to lead meanwhile and has to record them itself.
      for (const key of cameOnline) {
        this.#queue.setOffline(key, atMs)
        this.#recordOnline(key, { writer: this.#shared?.writer, atMs })
      }
    }
  }

  /** Records it by a heartbeat of its own, since another server took the original one. */
  #recordOnline(deviceKey: number, heard: Heard): void {
    this.#heardBy.set(deviceKey, heard)
    // The next tick tries again.
    this.heartbeat(deviceKey).catch(() => undefined)
  }

  /**
   * The next leader records them, even if that is this server. Until then it knows them like any other
   * server.
   */
  #leaveToRecord(): void {
    const cameOnline: number[] = []
    for (const [key, { writer, atMs }] of this.#heardBy) {
      if (this.#queue.isOnRecord(key) || atMs < this.#judgedMs) continue
      this.#queue.touch(key, atMs, writer)
      cameOnline.push(key)
    }
    this.#heardBy.clear()
    if (cameOnline.length > 0) this.#flips.publish(cameOnline, 'online')
  }

  /** Whether the leader has yet to record devices that others heard. */
  isRecording(): boolean {
    return this.#heardBy.size > 0
  }

  /**
   * Flips devices that are due now. Those that come due meanwhile are left to the next tick, which may find
   * an outage.
   */
  async #sweep(untilMs: number): Promise<void> {
    // Otherwise a heartbeat whose commit is under way would not be published as a flip back.
    while (await this.#heartbeats.alone(() => this.#flipDue(untilMs))) continue
  }

  /** @returns whether there may be more to flip */
  async #flipDue(untilMs: number): Promise<boolean> {
    const flips = this.#dueFlips(untilMs)
    if (flips.length === 0) return false
    const nowMs = this.#now()
    const flipped = new Set(await this.#store.recordOffline(flips, nowMs))
    await this.#outages.noteMark(nowMs)
    const overruled: number[] = []
    for (const { deviceKey, lastSeenMs } of flips) {
      if (flipped.has(deviceKey)) this.#queue.setOffline(deviceKey, lastSeenMs)
      else overruled.push(deviceKey)
    }
    if (flipped.size > 0) this.#flips.publish([...flipped], 'offline')
    if (overruled.length > 0) await this.#reread(overruled)
    return true
  }

  #dueFlips(untilMs: number): Flip[] {
    const { rules } = this.#outages
    const rulesByTaker = new Map<number | undefined, PresenceRules>()
    const flips: Flip[] = []
    for (const deviceKey of this.#queue.longestSilentFirst()) {
      const lastSeenMs = this.#queue.lastSeenMs(deviceKey)
      if (lastSeenMs === null) continue
      const atMs = deadlineMs(lastSeenMs, rules)
      if (atMs > untilMs || flips.length >= flipsPerCommit) break
      // Its heartbeat is here, but not durable yet.
      if (this.#heartbeats.has(deviceKey)) continue
      const taker = this.#queue.taker(deviceKey)
      const ownRules = rulesByTaker.get(taker) ?? this.#rulesOf(deviceKey)
      rulesByTaker.set(taker, ownRules)
      const dueMs = deadlineMs(lastSeenMs, ownRules)
      if (dueMs <= untilMs) flips.push({ deviceKey, lastSeenMs, atMs: dueMs })
    }
    return flips
  }

  /** Another server took a heartbeat, or the device was deleted. The record decides ([P6]). */
  async #reread(deviceKeys: readonly number[]): Promise<void> {
    const records = await this.#store.read(deviceKeys)
    const found = new Map(records.map((record) => [record.deviceKey, record]))
    for (const key of deviceKeys) {
      const record = found.get(key)
      if (record === undefined) this.#queue.forget(key)
      else if (!record.isOnline) this.#queue.touchUnrecorded(key, record.lastSeenMs)
      else this.#queue.touch(key, record.lastSeenMs)
    }
  }

  #rulesOf(deviceKey: number): PresenceRules {
    return this.#outages.rulesOf(this.#queue.taker(deviceKey))
  }

  #leads(): boolean {
    return this.#shared?.leads() ?? true
  }

  #statusHeard(deviceKey: number): Status {
    if (this.lastSeenMs(deviceKey) === null) return 'unknown'
    return this.#queue.isOnline(deviceKey) ? 'online' : 'offline'
  }

  /** The server's clock, which never goes back ([P2]). The queue relies on that order. */
  #now(atLeastMs = 0): number {
    this.#nowMs = Math.max(this.#nowMs, atLeastMs, this.#clock())
    return this.#nowMs
  }
}
