import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { KeyedQueue } from '../keyed-queue.ts'
import type { Schedule } from '../schedule.ts'
import type { PostgresInstance } from '../storage/postgres-storage.ts'
import { StorageUnavailable } from '../storage/storage-error.ts'
import type { ChangeTopic } from '../storage/schema.ts'
import { Topic } from '../topic.ts'
import { ChangeReader } from './change-reader.ts'
import { changesPageSize, type ClusterStore, type Cursors } from './cluster-store.ts'
import type { Change, ChangeListener, Cluster } from './cluster.ts'
import { createLeadership, type Leadership } from './leadership.ts'
import { createLiveServers, type LiveServers } from './live-servers.ts'

/** Other servers are read this often even if none of them wakes this one. */
const readMs = 250
const renewMs = 1000
/** Waking the others takes a lock on the whole database, so it happens at most this often. */
const wakeMs = 50
const currentMs = 1000
/** A follower that is cut off for this long starts anew: the obstacle may be its own. */
const cutOffMaxMs = 60_000
const measureMs = 30_000
const pruneMs = 60_000

export interface FeedReader {
  /** Resolves with what publishes the messages. */
  readonly read: (upTo: number) => Promise<() => void>
  readonly sendAway: () => void
}

type Role =
  | { readonly kind: 'following'; readonly doesAnotherLead: boolean }
  /** It has the lease, reads what the previous leader may not have handled, and then leads. */
  | { readonly kind: 'taking-over'; readonly from: Cursors; readonly leads: boolean }
  | { readonly kind: 'leading' }

type Connection =
  | { readonly kind: 'connected' }
  | { readonly kind: 'cut-off'; readonly sinceMs: number }
  | { readonly kind: 'stopped' }

interface PostgresClusterOptions {
  readonly instance: PostgresInstance
  readonly store: ClusterStore
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** Reads the changes of the other servers, wakes them after its own, and tries to lead when nobody does. */
export class PostgresCluster implements Cluster {
  readonly #instance: PostgresInstance
  readonly #store: ClusterStore
  readonly #log: PostgresClusterOptions['log']
  readonly #leadership: Leadership
  readonly #changes: ChangeReader
  readonly #servers: LiveServers
  readonly #takeovers = new Topic<[changes: readonly Change[]]>()
  readonly #holds: (() => boolean)[] = []
  readonly #readings = new KeyedQueue<'all'>({ run: () => this.#read() })
  #feed: FeedReader | undefined
  #role: Role = { kind: 'following', doesAnotherLead: false }
  #connection: Connection = { kind: 'connected' }
  #currentMs = performance.now()
  /** The cursors at the last moment when nothing before them was still under way. */
  #doneCursors: Cursors
  #readAgain = Promise.withResolvers<void>()
  #waking: NodeJS.Timeout | undefined

  private constructor({ instance, store, log }: PostgresClusterOptions, cursors: Cursors) {
    const { writer } = instance
    this.#instance = instance
    this.#store = store
    this.#log = log
    this.#doneCursors = cursors
    this.#leadership = createLeadership(store)
    this.#servers = createLiveServers(writer)
    this.#changes = new ChangeReader({ writer, turns: () => instance.turns(), store, cursors })
  }

  /** Call it before anything is loaded: from here on, listeners receive every change by others. */
  static async join(options: PostgresClusterOptions): Promise<PostgresCluster> {
    const { writers } = await options.store.readState()
    return new PostgresCluster(
      options,
      new Map(writers.map(({ writer, number }) => [writer, number])),
    )
  }

  get writer(): number {
    return this.#instance.writer
  }

  readonly term = (): number | undefined => {
    const role = this.#role
    const leads = role.kind === 'leading' || (role.kind === 'taking-over' && role.leads)
    return leads ? this.#leadership.term() : undefined
  }

  readonly leads = (): boolean => this.term() !== undefined

  readonly size = (): number => this.#servers.count()

  readonly lives = (writer: number): boolean => this.#servers.has(writer)

  readonly silences = () => this.#servers.silences()

  readonly behindMs = (): number => performance.now() - this.#currentMs

  readonly isCurrent = (): boolean => this.behindMs() <= currentMs

  onRow(topic: ChangeTopic, listener: ChangeListener): void {
    this.#changes.subscribe(topic, listener)
  }

  onLives(listener: () => void): void {
    this.#servers.onChange(listener)
  }

  onLead(listener: (changes: readonly Change[]) => Promise<void> | void): void {
    this.#takeovers.subscribe(listener)
  }

  /** Up to where every change is known and recorded, except what is on its way to the feed. */
  get cursors(): Cursors {
    const isHeld = this.#role.kind === 'taking-over' || this.#holds.some((isHolding) => isHolding())
    if (!isHeld) this.#doneCursors = this.#changes.cursors
    return this.#doneCursors
  }

  holdCursorsWhile(isHolding: () => boolean): void {
    this.#holds.push(isHolding)
  }

  async whenCurrent(): Promise<void> {
    if (this.isCurrent()) return
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      late.reject(new StorageUnavailable('what this server knows is too old'))
    }, currentMs)
    try {
      await Promise.race([this.read(), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  readonly whenReadAgain = (): Promise<void> => this.#readAgain.promise

  async start(schedule: Schedule, feed: FeedReader): Promise<void> {
    const instance = this.#instance
    this.#feed = feed
    const stopWatching = instance.watch({
      onCommit: () => this.#wakeOthers(),
      onDoubt: () => this.#changes.doubt(),
    })
    const stopListening = await instance.listen(() => void this.read().catch(() => undefined))
    await this.#renew()
    await this.read()
    schedule.every(readMs, 'other servers could not be read', () => this.#readOnSchedule())
    schedule.every(renewMs, 'this server could not say that it lives', () =>
      this.#renewOnSchedule(),
    )
    schedule.every(measureMs, 'the database’s clock was not read', () => instance.clock.measure())
    schedule.everyOnLeader(pruneMs, 'old changes were kept', () => this.#store.prune())
    schedule.atEnd(async () => {
      this.#connection = { kind: 'stopped' }
      clearTimeout(this.#waking)
      stopWatching()
      await stopListening()
      await this.#readings.settled()
      this.#readAgain.resolve()
      if (this.leads()) await this.#leadership.resign().catch(() => undefined)
    })
  }

  read(): Promise<void> {
    return this.#readings.add('all')
  }

  async #read(): Promise<void> {
    const waiting = this.#readAgain
    this.#readAgain = Promise.withResolvers()
    try {
      await this.#readAll()
    } finally {
      waiting.resolve()
    }
  }

  async #readAll(): Promise<void> {
    if (this.#connection.kind === 'stopped') return
    const startMs = performance.now()
    const reading = this.#changes.begin()
    const state = await this.#store.readState()
    if (this.#changes.isSetBack(state)) await this.#endForSetBack()
    this.#servers.update(state)
    // Read first: these messages are about changes that were recorded before them.
    const publishFeed = await this.#feed?.read(state.feedNumber)
    if (!(await this.#changes.read(state, reading))) {
      this.#connection = { kind: 'stopped' }
      this.#instance.giveUp()
      throw new StorageUnavailable('other servers have gone on without this one')
    }
    publishFeed?.()
    this.#currentMs = startMs
    if (this.#connection.kind !== 'cut-off') return
    this.#connection = { kind: 'connected' }
    this.#log.info('this server is up to date again')
  }

  /**
   * A standby that lagged has taken over, or a backup was restored: memory is wrong, and numbers come
   * again.
   */
  async #endForSetBack(): Promise<never> {
    this.#connection = { kind: 'stopped' }
    await this.#store.beginEpoch()
    throw this.#instance.giveUp('the database was set back behind what this server knows')
  }

  async #renew(): Promise<void> {
    const finishDoubts = this.#changes.beforeWrite()
    const { isRegistered, isHeld, begins } = await this.#leadership.renew()
    finishDoubts()
    if (!isRegistered) this.#instance.giveUp()
    if (!isHeld) this.#role = { kind: 'following', doesAnotherLead: true }
    else if (begins !== undefined) {
      this.#role = { kind: 'taking-over', from: begins, leads: false }
    }
    // A renewal that took too long gives no lease. Try again with the next one.
    if (this.#role.kind !== 'taking-over' || this.#leadership.term() === undefined) return
    await this.#takeOver(this.#role.from)
  }

  /** If any of this fails, the next renewal begins it again. */
  async #takeOver(from: Cursors): Promise<void> {
    this.#role = { kind: 'taking-over', from, leads: false }
    this.#doneCursors = from
    // What the previous leader did with its last changes must not be done twice.
    await this.read()
    const changes: Change[] = []
    const all = [...this.#changes.cursors.keys()].map((writer) => [writer, 0] as const)
    for (let cursors: Cursors = new Map([...all, ...from]); ;) {
      const page = await this.#store.readChanges(cursors)
      changes.push(...page)
      if (page.length < changesPageSize) break
      cursors = new Map([
        ...cursors,
        ...page.map(({ writer, number }) => [writer, number] as const),
      ])
    }
    this.#role = { kind: 'taking-over', from, leads: true }
    await this.#takeovers.publishInTurn(changes)
    this.#role = { kind: 'leading' }
    if (this.size() > 1) this.#log.info('this server leads the others from now on')
  }

  async #readOnSchedule(): Promise<void> {
    try {
      // Do not wait for a database that does not answer.
      await Promise.race([this.read(), wait(currentMs, undefined, { ref: false })])
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
    }
    const connection = this.#connection
    if (this.isCurrent() || connection.kind === 'stopped') return
    if (connection.kind === 'connected') {
      this.#connection = { kind: 'cut-off', sinceMs: performance.now() }
      this.#log.warn('this server is cut off from its database')
      this.#feed?.sendAway()
      return
    }
    const isTooLong = performance.now() - connection.sinceMs >= cutOffMaxMs
    if (!isTooLong || this.#role.kind !== 'following' || !this.#role.doesAnotherLead) return
    this.#connection = { kind: 'stopped' }
    this.#instance.giveUp('this server was cut off from its database for a minute')
  }

  async #renewOnSchedule(): Promise<void> {
    try {
      await this.#renew()
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }

  #wakeOthers(): void {
    if (this.#waking !== undefined || this.#connection.kind === 'stopped') return
    this.#waking = setTimeout(() => {
      this.#waking = undefined
      // Only a hint: without it the others read a little later.
      void this.#instance.wakeOthers().catch(() => undefined)
    }, wakeMs)
    this.#waking.unref()
  }
}
