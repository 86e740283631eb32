import type { Status } from '@astropelago/contract/devices'
import type { Clock } from '../../clock.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import { StorageBusy, StorageUnavailable } from '../../storage/storage-error.ts'
import { Topic } from '../../topic.ts'
import { OnlineQueue } from './online-queue.ts'
import { loadRecords } from './load-records.ts'
import type { Flip, PresenceStore } from './presence-store.ts'
import { deadlineMs, statusAt, type Outage, type PresenceRules } from './status.ts'

/** Time between two ticks: how late a flip may be noticed, but never how late it is recorded. */
export const tickMs = 1000
/** A tick this late means that the machine slept or its clock was set, so nothing was heard meanwhile. */
const lateTickMs = 10_000
/** A time this far in the future was written while the clock was wrong. */
const futureMs = 10_000
/** How often the server records that it is alive while nothing else is written. */
const aliveMarkMs = 10_000
/** A server that answers gives a sign of life more often than this. */
const silenceMs = 3000
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
 * so. A subscriber that must miss none, even after a crash, reads the outbox (flips/flip-outbox.ts).
 */
export type FlipListener = (deviceKeys: readonly number[], status: 'online' | 'offline') => void

/**
 * What the server knows about every device's liveness: the state in memory, the group commit of heartbeats
 * and the sweep. The rules [P1] to [P6] are in docs/presence.md.
 */
export class Presence {
  readonly #store: PresenceStore
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #log: PresenceOptions['log']
  readonly #shared: SharedPresence | undefined
  readonly #flips = new Topic<Parameters<FlipListener>>()
  readonly #queue = new OnlineQueue()
  readonly #heartbeats = new KeyedQueue<number>({
    run: (keys) => this.#commit(keys),
    maxWaiting: maxWaitingHeartbeats,
  })
  #outages: Outage[] = []
  /** Devices that another server heard and that the leader has yet to record as online. */
  readonly #heardBy = new Map<number, Heard>()
  /** Up to this time other devices were judged offline, taking earlier heartbeats into account. */
  #judgedMs = 0
  /** The last moment at which a heartbeat would have been heard and kept. */
  #aliveMs: number
  #isCutOff = false
  #lastTickMs: number
  #sweptMs: number | null = null
  /** For each other server, up to when its silence is on record. */
  readonly #recordedSilences = new Map<number, number>()
  #lastMarkMs: number
  #nowMs: number

  private constructor({ store, clock, windowMs, log, shared }: PresenceOptions) {
    this.#store = store
    this.#clock = clock
    this.#windowMs = windowMs
    this.#log = log
    this.#shared = shared
    this.#nowMs = clock()
    this.#aliveMs = this.#nowMs
    this.#lastTickMs = this.#nowMs
    this.#lastMarkMs = this.#nowMs
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
    this.#outages = [...(await this.#store.outages())]
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
    const sinceTickMs = nowMs - this.#lastTickMs
    this.#lastTickMs = nowMs
    try {
      if (sinceTickMs >= lateTickMs && this.#leads()) {
        this.#log.warn({ forMs: sinceTickMs }, 'the machine slept, or its clock was set forward')
        await this.#addOutage({ fromMs: nowMs - sinceTickMs, toMs: nowMs })
      }
      if (this.#isCutOff || nowMs - this.#lastMarkMs >= aliveMarkMs) await this.#markAlive(nowMs)
      if (!this.#leads()) {
        this.#leaveToRecord()
        return
      }
      for (const [key, heard] of this.#heardBy) this.#recordOnline(key, heard)
      await this.#sweep(nowMs)
      await this.#recordSilences()
      this.#sweptMs = nowMs
      await this.#forgetOldOutages()
    } catch (error) {
      // Somebody held a lock for too long. That is no outage, and the next tick tries again.
      if (error instanceof StorageBusy) return
      this.#noteFailure(error)
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
    const mark = await this.#store.aliveMark()
    const aheadMs =
      Math.max(mark === 'now' ? 0 : (mark ?? 0), records.lastSeenMs ?? 0) - this.#now()
    if (aheadMs >= futureMs) {
      await this.#forgetFuture(aheadMs)
      records = await loadRecords(this.#store)
    }
    const clamped = await this.#store.aliveMark()
    let aliveMs = clamped === 'now' ? this.#now() : clamped
    this.#outages = [...(await this.#store.outages())]
    // A committed heartbeat proves as well as a mark that the server was alive.
    if (records.lastSeenMs !== null) aliveMs = Math.max(aliveMs ?? 0, records.lastSeenMs)
    this.#nowMs = Math.max(this.#nowMs, aliveMs ?? 0)
    const nowMs = this.#now()
    if (aliveMs !== null && aliveMs < nowMs) await this.#addOutage({ fromMs: aliveMs, toMs: nowMs })
    await this.#markAlive(nowMs)

    const rules = this.#rules()
    for (const { deviceKey, lastSeenMs, isOnline } of records.longestSilentFirst()) {
      if (isOnline) this.#queue.touch(deviceKey, lastSeenMs)
      // With a longer window than before, devices on record as offline can be online.
      else if (nowMs < deadlineMs(lastSeenMs, rules))
        this.#queue.touchUnrecorded(deviceKey, lastSeenMs)
      else this.#queue.setOffline(deviceKey, lastSeenMs)
    }
  }

  /**
   * Corrects times that were written while the machine's clock was ahead. Otherwise every device would stay
   * online until the clock gets there. It is unknown for how long nobody was heard.
   */
  async #forgetFuture(aheadMs: number): Promise<void> {
    const nowMs = this.#now()
    this.#log.warn({ aheadMs }, 'the clock was ahead when the server last ran, or is behind now')
    await this.#store.clampTimes(nowMs)
    await this.#store.recordOutage({ fromMs: nowMs - this.#windowMs, toMs: nowMs })
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
      await this.#noteAlive(atMs)
    } catch (error) {
      this.#noteFailure(error)
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
    this.#lastMarkMs = nowMs
    await this.#noteAlive(nowMs)
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
    const rules = this.#rules()
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

  async #markAlive(atMs: number): Promise<void> {
    await this.#store.markAlive(atMs)
    this.#lastMarkMs = atMs
    await this.#noteAlive(atMs)
  }

  /** The storage answered. If the server had been cut off, that outage is over. */
  async #noteAlive(atMs: number): Promise<void> {
    // Among several servers it is a silence, which the leader knows about.
    if (this.#isCutOff && this.#leads()) {
      await this.#addOutage({ fromMs: this.#aliveMs, toMs: atMs })
    }
    this.#isCutOff = false
    this.#aliveMs = atMs
  }

  #noteFailure(error: unknown): void {
    if (error instanceof StorageUnavailable) this.#isCutOff = true
  }

  async #addOutage(outage: Outage): Promise<void> {
    await this.#store.recordOutage(outage)
    this.#outages.push(outage)
  }

  /** Records the silences of other servers permanently. A silence that lasts is recorded up to now. */
  async #recordSilences(): Promise<void> {
    for (const [writer, spans] of this.#silences()) {
      for (const { fromMs, toMs } of spans) {
        if (toMs - fromMs <= silenceMs) continue
        if (toMs <= (this.#recordedSilences.get(writer) ?? 0)) continue
        await this.#store.recordUnobserved({ fromMs, toMs }, writer)
        this.#recordedSilences.set(writer, toMs)
      }
    }
  }

  /** After one full window of service each device has either reported or is offline in any case. */
  async #forgetOldOutages(): Promise<void> {
    if (this.#outages.length === 0 || this.#isCutOff) return
    // An outage recorded while the clock was ahead may cover others and end after them.
    const endMs = Math.max(...this.#outages.map(({ toMs }) => toMs))
    if (this.#now() < endMs + this.#windowMs) return
    await this.#store.forgetOutages()
    this.#outages = []
  }

  #rules(): PresenceRules {
    const outages = this.#isCutOff
      ? [...this.#outages, { fromMs: this.#aliveMs, toMs: Number.POSITIVE_INFINITY }]
      : this.#outages
    return { windowMs: this.#windowMs, outages }
  }

  /** The rules for one device, whose last heartbeat one server took. */
  #rulesOf(deviceKey: number): PresenceRules {
    const rules = this.#rules()
    const silences = this.#silences()
    if (silences.size === 0) return rules
    const taker = this.#queue.taker(deviceKey)
    const own = [...silences].filter(([writer]) => taker === writer || taker === undefined)
    const outages = [...rules.outages, ...own.flatMap(([, spans]) => spans)]
    return { ...rules, outages: outages.toSorted((a, b) => a.fromMs - b.fromMs) }
  }

  #silences(): ReadonlyMap<number, readonly Outage[]> {
    return this.#shared?.silences() ?? noSilences
  }

  #leads(): boolean {
    return this.#shared?.leads() ?? true
  }

  #statusHeard(deviceKey: number): Status {
    if (this.lastSeenMs(deviceKey) === null) return 'unknown'
    return this.#queue.isOnline(deviceKey) ? 'online' : 'offline'
  }

  /** The server's clock, which never goes back ([P2]). The queue relies on that order. */
  #now(): number {
    this.#nowMs = Math.max(this.#nowMs, this.#clock())
    return this.#nowMs
  }
}
