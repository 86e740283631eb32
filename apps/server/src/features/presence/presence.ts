import type { Status } from '@astropelago/contract/devices'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import { StorageBusy, StorageUnavailable } from '../../storage/storage-error.ts'
import { Topic } from '../../topic.ts'
import { deadlineRule, type DeadlineRule } from './deadline-rule.ts'
import { OnlineQueue } from './online-queue.ts'
import { loadRecords } from './load-records.ts'
import type { FlipListener, PresenceStore } from './presence-store.ts'
import {
  currentState,
  firstState,
  type Following,
  type FromOthers,
  type PresenceState,
  type SharedPresence,
  type Taken,
} from './presence-state.ts'
import { createServerOutages, type ServerOutages } from './server-outages.ts'
import { deadlineMs, statusAt, type Outage, type PresenceRules } from './status.ts'
import { createSweeper } from './sweeper.ts'

/** Time between two ticks: how late a flip may be noticed, but never how late it is recorded. */
export const tickMs = 1000
const maxWaitingHeartbeats = 50_000
/** Schedules that are kept once for all devices that have the same one. */
const sharedSchedules = 10_000
const noSilences: ReadonlyMap<number, readonly Outage[]> = new Map()

export interface PresenceOptions {
  readonly store: PresenceStore
  readonly clock: Clock
  readonly windowMs: number
  readonly log: { readonly warn: (details: object, text: string) => void }
  /** Given if several servers share a storage. Without it this server is alone. */
  readonly shared?: SharedPresence
}

interface TakenGroup {
  readonly writer: number
  readonly atMs: number
  readonly deviceKeys: Iterable<number>
}

/** Liveness in memory, the group commit of heartbeats, and the sweep: [P1] to [P6] of docs/presence.md. */
export class Presence {
  readonly #store: PresenceStore
  readonly #clock: Clock
  readonly #flips = new Topic<Parameters<FlipListener>>()
  readonly #queue = new OnlineQueue()
  readonly #heartbeats = new KeyedQueue<number>({
    run: (keys) => this.#commit(keys),
    maxWaiting: maxWaitingHeartbeats,
  })
  readonly #outages: ServerOutages
  readonly #ownRules = new Map<number, DeadlineRule>()
  readonly #rulesBySchedule = new LRUCache<string, DeadlineRule>(atMostEntries(sharedSchedules))
  readonly #sweep: (untilMs: number) => Promise<void>
  #lastState: PresenceState
  #nowMs: number

  private constructor({ store, clock, windowMs, log, shared }: PresenceOptions) {
    this.#store = store
    this.#clock = clock
    this.#nowMs = clock()
    this.#lastState = firstState(shared)
    const now = (atLeastMs?: number) => this.#now(atLeastMs)
    this.#outages = createServerOutages({
      store,
      now,
      windowMs,
      log,
      judges: () => this.#state.kind !== 'following',
      silences: () => shared?.silences() ?? noSilences,
      oldestOwnMs: () => this.#queue.oldestApartMs(),
    })
    this.#sweep = createSweeper({
      store,
      queue: this.#queue,
      heartbeats: this.#heartbeats,
      outages: this.#outages,
      rulesOf: (deviceKey) => this.#rulesOf(deviceKey),
      flips: this.#flips,
      now,
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

  /** Resolves when it is durable ([P3]). @throws DomainError `overloaded`; StorageUnavailable */
  heartbeat(deviceKey: number): Promise<void> {
    return this.#heartbeats.add(deviceKey)
  }

  status(deviceKey: number): Status {
    const lastSeenMs = this.lastSeenMs(deviceKey)
    if (lastSeenMs === null) return 'unknown'
    // Only the leader knows about all silences.
    if (this.#state.kind === 'following')
      return this.#queue.isOnline(deviceKey) ? 'online' : 'offline'
    return statusAt(this.#now(), lastSeenMs, this.#rulesOf(deviceKey))
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

  /** Null if the device never reported. `unrecordedMs` counts if the last flip is not on record yet. */
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
    const state = this.#state
    return state.kind === 'following' ? null : state.sweptMs
  }

  lastSeenMs(deviceKey: number): number | null {
    return this.#queue.lastSeenMs(deviceKey)
  }

  count(): { readonly online: number; readonly offline: number } {
    const { onlineCount, knownCount } = this.#queue
    return { online: onlineCount, offline: knownCount - onlineCount }
  }

  get waitingCount(): number {
    return this.#heartbeats.waitingCount
  }

  /** Whether it has a schedule of its own. */
  isScheduled(deviceKey: number): boolean {
    return this.#ownRules.has(deviceKey)
  }

  /** When the next heartbeat is expected; null if the device has no schedule, or is not online. */
  expectedMs(deviceKey: number): number | null {
    const rule = this.#ownRules.get(deviceKey)
    const lastSeenMs = this.lastSeenMs(deviceKey)
    if (rule === undefined || lastSeenMs === null || this.status(deviceKey) !== 'online')
      return null
    return deadlineMs(lastSeenMs, this.#rulesOf(deviceKey)) - rule.graceMs
  }

  /** The time since its last heartbeat is judged anew ([P13]). @param schedule as JSON */
  async setSchedule(deviceKey: number, schedule: string | null): Promise<void> {
    if (this.#ownRules.get(deviceKey) === this.#ruleOf(schedule)) return
    // Not while the sweep judges it by the earlier schedule.
    await this.#heartbeats.alone(async () => this.#judgeAnew(deviceKey, schedule))
  }

  #judgeAnew(deviceKey: number, schedule: string | null): void {
    this.#keepSchedule(deviceKey, schedule)
    const lastSeenMs = this.lastSeenMs(deviceKey)
    if (lastSeenMs === null || this.#queue.isOnline(deviceKey)) return
    if (this.#now() >= deadlineMs(lastSeenMs, this.#rulesOf(deviceKey))) return
    this.#queue.touchUnrecorded(deviceKey, lastSeenMs)
    this.#flips.publish([deviceKey], 'online')
  }

  #keepSchedule(deviceKey: number, schedule: string | null): void {
    const rule = this.#ruleOf(schedule)
    if (rule === undefined) this.#ownRules.delete(deviceKey)
    else this.#ownRules.set(deviceKey, rule)
    this.#queue.setApart(deviceKey, rule !== undefined)
  }

  #ruleOf(schedule: string | null): DeadlineRule | undefined {
    if (schedule === null) return undefined
    const known = this.#rulesBySchedule.get(schedule)
    if (known !== undefined) return known
    const rule = deadlineRule(schedule)
    this.#rulesBySchedule.set(schedule, rule)
    return rule
  }

  forget(deviceKey: number): void {
    this.#lastState.others?.unrecorded.delete(deviceKey)
    this.#ownRules.delete(deviceKey)
    this.#queue.forget(deviceKey)
  }

  /** Devices that came online by them are published here at once, on the leader after they are recorded. */
  receiveHeartbeats({ writer, atMs, deviceKeys }: TakenGroup): void {
    const { kind, others } = this.#state
    if (others === undefined) return
    const cameOnline: number[] = []
    for (const key of deviceKeys) {
      const lastSeenMs = this.#queue.lastSeenMs(key) ?? Number.NEGATIVE_INFINITY
      const isOnRecord = this.#queue.isOnRecord(key)
      // Known already, or from before the last judgement. The leader knew about it and decides.
      if (lastSeenMs > atMs || (!isOnRecord && (lastSeenMs === atMs || atMs < others.judgedMs)))
        continue
      if (!isOnRecord) cameOnline.push(key)
      if (isOnRecord || kind === 'following') this.#queue.touch(key, atMs, writer)
    }
    if (cameOnline.length === 0) return
    if (kind === 'following') this.#flips.publish(cameOnline, 'online')
    else for (const key of cameOnline) this.#recordOnline(key, { writer, atMs }, others)
  }

  receiveOffline(deviceKeys: readonly number[], judgedMs: number): void {
    const { others } = this.#lastState
    if (others !== undefined) others.judgedMs = Math.max(others.judgedMs, judgedMs)
    const flipped = deviceKeys.filter((key) => {
      const lastSeenMs = this.#queue.lastSeenMs(key)
      if (!this.#queue.isOnline(key) || lastSeenMs === null || lastSeenMs >= judgedMs) return false
      this.#queue.setOffline(key, lastSeenMs)
      return true
    })
    if (flipped.length > 0) this.#flips.publish(flipped, 'offline')
  }

  /** @param reportedKeys devices with heartbeats since the previous leader last recorded its progress */
  async lead(reportedKeys: Iterable<number>): Promise<void> {
    const { others } = this.#lastState
    if (others === undefined) return
    this.#lastState = { kind: 'leading', others, sweptMs: null }
    await this.#outages.reload()
    // Otherwise a heartbeat whose commit is under way would not be published as a flip back.
    const missing = await this.#heartbeats.alone(() => this.#setOfflineUnrecorded(reportedKeys))
    for (const key of missing) {
      const atMs = this.#queue.lastSeenMs(key) ?? 0
      this.#recordOnline(key, { writer: this.#queue.taker(key), atMs }, others)
    }
  }

  async #setOfflineUnrecorded(reportedKeys: Iterable<number>): Promise<readonly number[]> {
    const keys = [...new Set(reportedKeys)].filter((key) => this.#queue.isOnline(key))
    const records = await this.#store.read(keys)
    const online = new Set(
      records.filter((record) => record.isOnline).map(({ deviceKey }) => deviceKey),
    )
    const missing = keys.filter((key) => !online.has(key))
    for (const key of missing) this.#queue.setOffline(key, this.#queue.lastSeenMs(key) ?? 0)
    if (missing.length > 0) this.#flips.publish(missing, 'offline')
    return missing
  }

  /** Call it every `tickMs`. Flips devices that were silent for too long. */
  async tick(): Promise<void> {
    const nowMs = this.#now()
    try {
      await this.#outages.beginTick(nowMs)
      const state = this.#state
      if (state.kind === 'following') {
        this.#leaveToNextLeader(state)
        return
      }
      for (const [key, taken] of state.others?.unrecorded ?? []) {
        this.#recordOnline(key, taken, state.others)
      }
      await this.#sweep(nowMs)
      await this.#outages.recordSilences()
      state.sweptMs = nowMs
      await this.#outages.forgetOld()
    } catch (error) {
      // Another session held a lock for too long. That is no outage, and the next tick tries again.
      if (error instanceof StorageBusy) return
      this.#outages.reportFailure(error)
      throw error
    }
  }

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
    for await (const page of this.#store.loadSchedules()) {
      for (const { deviceKey, schedule } of page) this.#keepSchedule(deviceKey, schedule)
    }
    let records = await loadRecords(this.#store)
    if (await this.#outages.correctFuture(records.lastSeenMs)) {
      records = await loadRecords(this.#store)
    }
    await this.#outages.load(records.lastSeenMs)
    const nowMs = this.#now()
    for (const { deviceKey, lastSeenMs, isOnline } of records.longestSilentFirst()) {
      if (isOnline) this.#queue.touch(deviceKey, lastSeenMs)
      // With a longer window than before, devices on record as offline can be online.
      else if (nowMs < deadlineMs(lastSeenMs, this.#rulesOf(deviceKey)))
        this.#queue.touchUnrecorded(deviceKey, lastSeenMs)
      else this.#queue.setOffline(deviceKey, lastSeenMs)
    }
  }

  async #commit(deviceKeys: ReadonlySet<number>): Promise<void> {
    const all = [...deviceKeys]
    const flipping = all.filter((key) => !this.#queue.isOnRecord(key))
    // Only a server that judges devices records flips. The leader reads these heartbeats like all others.
    const before = this.#state
    const group =
      before.kind === 'following'
        ? { stayed: all, cameOnline: [] }
        : { stayed: all.filter((key) => this.#queue.isOnRecord(key)), cameOnline: flipping }
    let atMs = this.#now()
    try {
      atMs = await this.#store.commitHeartbeats({
        atMs,
        ...group,
        isUrgent: flipping.length > 0,
      })
      await this.#outages.confirmAlive(atMs)
    } catch (error) {
      this.#outages.reportFailure(error)
      throw error
    }
    // Check again: another server may have judged some offline meanwhile.
    const { others } = before
    const writer = others?.server.writer
    const cameOnline: number[] = []
    for (const key of deviceKeys) {
      if (!this.#queue.isOnRecord(key)) cameOnline.push(key)
      this.#queue.touch(key, atMs, others?.unrecorded.get(key)?.writer ?? writer)
      if (before.kind === 'leading') before.others.unrecorded.delete(key)
    }
    if (cameOnline.length === 0) return
    const hasBegunToLead = before.kind === 'following' && this.#state.kind === 'leading'
    if (!hasBegunToLead) this.#flips.publish(cameOnline, 'online')
    else {
      for (const key of cameOnline) {
        this.#queue.setOffline(key, atMs)
        this.#recordOnline(key, { writer, atMs }, others)
      }
    }
  }

  /** Records it by a heartbeat of its own, since another server took the original one. */
  #recordOnline(deviceKey: number, taken: Taken, others: FromOthers | undefined): void {
    others?.unrecorded.set(deviceKey, taken)
    this.heartbeat(deviceKey).catch(() => undefined)
  }

  /** The next leader, even this server, records them. Until then they count like heartbeats of any other. */
  #leaveToNextLeader({ others: { unrecorded, judgedMs } }: Following): void {
    const cameOnline: number[] = []
    for (const [key, { writer, atMs }] of unrecorded) {
      if (this.#queue.isOnRecord(key) || atMs < judgedMs) continue
      this.#queue.touch(key, atMs, writer)
      cameOnline.push(key)
    }
    unrecorded.clear()
    if (cameOnline.length > 0) this.#flips.publish(cameOnline, 'online')
  }

  isRecording(): boolean {
    return (this.#lastState.others?.unrecorded.size ?? 0) > 0
  }

  #rulesOf(deviceKey: number): PresenceRules {
    return this.#outages.rulesOf(this.#queue.taker(deviceKey), this.#ownRules.get(deviceKey))
  }

  get #state(): PresenceState {
    this.#lastState = currentState(this.#lastState)
    return this.#lastState
  }

  /** The server's clock, which never goes back ([P2]). The queue relies on that order. */
  #now(atLeastMs = 0): number {
    this.#nowMs = Math.max(this.#nowMs, atLeastMs, this.#clock())
    return this.#nowMs
  }
}
