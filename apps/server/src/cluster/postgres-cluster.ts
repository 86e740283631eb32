import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { KeyedQueue } from '../keyed-queue.ts'
import type { Schedule } from '../schedule.ts'
import type { PostgresInstance } from '../storage/postgres-storage.ts'
import { StorageUnavailable } from '../storage/storage-error.ts'
import type { ChangeTopic } from '../storage/schema.ts'
import { Topic } from '../topic.ts'
import {
  changesPageSize,
  type ClusterState,
  type ClusterStore,
  type Cursors,
  type WriterState,
} from './cluster-store.ts'
import type { Cluster, ChangeListener, Change, Silence } from './cluster.ts'
import { cursorsAfter } from './cursors.ts'
import { Leadership } from './leadership.ts'
import { isAlive, silencesOf } from './silences.ts'

/** Other servers are read this often even if none of them wakes this one. */
const readMs = 250
const renewMs = 1000
/** Waking the others takes a lock on the whole database, so it happens at most this often. */
const wakeMs = 50
/** Knowledge older than this is no longer used. */
const currentMs = 1000
/** Where another server leads, one that is cut off for so long starts anew: what is in its way may be its own. */
const cutOffMaxMs = 60_000
const measureMs = 30_000
const pruneMs = 60_000

/** Reads messages of the live feed in the order that the leader gave them. */
export interface FeedReader {
  readonly read: (upTo: number) => Promise<() => void>
  readonly sendAway: () => void
}

interface PostgresClusterOptions {
  readonly instance: PostgresInstance
  readonly store: ClusterStore
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/**
 * Servers that share a PostgreSQL database. Each reads the others' changes, wakes them
 * after its own changes, and tries to lead when nobody does.
 */
export class PostgresCluster implements Cluster {
  readonly #instance: PostgresInstance
  readonly #store: ClusterStore
  readonly #log: PostgresClusterOptions['log']
  readonly #leadership: Leadership
  readonly #rows = new Map<ChangeTopic, Topic<[row: Change]>>()
  readonly #leads = new Topic<[rows: readonly Change[]]>()
  #feed: FeedReader | undefined
  #cursors: Cursors
  /** The number of this server's own last change, and how many write turns had begun by then. */
  #ownEnd: { readonly number: number; readonly turns: number }
  /** Rows that were published while this server wrote, and how many write turns had begun by then. */
  #toldAmidWrites: { readonly row: Change; readonly turns: number }[] = []
  /**
   * Own changes whose outcome is unknown: how many there were, how many the database has finished (a later
   * change had its turn there), and how many have been looked up since.
   */
  #doubts = { noted: 0, over: 0, resolved: 0 }
  /** The cursors at the last moment when nothing before them was still under way. */
  #done: Cursors
  readonly #holds: (() => boolean)[] = []
  #silences: ReadonlyMap<number, readonly Silence[]> = new Map()
  #alive: ReadonlySet<number> = new Set()
  readonly #lives = new Topic()
  #currentMs = performance.now()
  /** When this server first found itself cut off; undefined while it is not. */
  #cutOffMs: number | undefined
  readonly #readings = new KeyedQueue<'all'>({ run: () => this.#read() })
  /** Resolves at the end of the next reading that begins. */
  #readAgain = Promise.withResolvers<void>()
  /** How far the previous leader had come, until this server has taken over. */
  #begins: Cursors | undefined
  #isLeading = false
  /** Whether another server held the lease when this one last asked for it. */
  #doOthersLead = false
  #waking: NodeJS.Timeout | undefined
  #isStopped = false

  private constructor({ instance, store, log }: PostgresClusterOptions, cursors: Cursors) {
    this.#instance = instance
    this.#store = store
    this.#log = log
    this.#cursors = cursors
    this.#done = cursors
    this.#ownEnd = { number: cursors.get(this.writer) ?? 0, turns: 0 }
    this.#leadership = new Leadership(store)
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

  /** This server's term as the leader; undefined for all other servers. */
  readonly term = (): number | undefined => (this.#isLeading ? this.#leadership.term : undefined)

  readonly leads = (): boolean => this.term() !== undefined

  readonly size = (): number => Math.max(1, this.#alive.size)

  readonly lives = (writer: number): boolean => this.#alive.has(writer)

  readonly silences = () => this.#silences

  readonly behindMs = (): number => performance.now() - this.#currentMs

  readonly isCurrent = (): boolean => this.behindMs() <= currentMs

  onRow(topic: ChangeTopic, listener: ChangeListener): void {
    const rows = this.#rows.get(topic) ?? new Topic<[row: Change]>()
    rows.subscribe(listener)
    this.#rows.set(topic, rows)
  }

  onLives(listener: () => void): void {
    this.#lives.subscribe(listener)
  }

  onLead(listener: (rows: readonly Change[]) => Promise<void> | void): void {
    this.#leads.subscribe(listener)
  }

  /** Up to where every change is known and recorded, except what is on its way to the feed. */
  get cursors(): Cursors {
    const isHeld = this.#begins !== undefined || this.#holds.some((isHolding) => isHolding())
    if (!isHeld) this.#done = this.#cursors
    return this.#done
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

  /** Begins to read and to lead, once everybody listens. */
  async start(schedule: Schedule, feed: FeedReader): Promise<void> {
    const instance = this.#instance
    this.#feed = feed
    const stopWatching = instance.watch({
      onCommit: () => this.#wakeOthers(),
      onDoubt: () => {
        this.#doubts.noted += 1
      },
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
      this.#isStopped = true
      clearTimeout(this.#waking)
      stopWatching()
      await stopListening()
      await this.#readings.settled()
      this.#readAgain.resolve()
      if (this.leads()) await this.#leadership.resign().catch(() => undefined)
    })
  }

  /** Reads what is new. A call during a reading gets the next one. */
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
    if (this.#isStopped) return
    const startMs = performance.now()
    const { over } = this.#doubts
    const wasInDoubt = this.#isInDoubt()
    const state = await this.#store.readState()
    const { writers } = state
    if (writers.some(({ writer, number }) => number < (this.#cursors.get(writer) ?? 0))) {
      await this.#endForSetBack()
    }
    this.#noteLives(state)
    // Read first: these messages are about changes that were recorded before them.
    const tell = await this.#feed?.read(state.feedNumber)
    const own = writers.find(({ writer }) => writer === this.writer)
    for (const { writer } of writers) {
      if (!this.#cursors.has(writer)) this.#cursors = new Map([...this.#cursors, [writer, 0]])
    }
    const isBehind = ({ writer, number }: WriterState) =>
      (writer !== this.writer || wasInDoubt) && number > (this.#cursors.get(writer) ?? 0)
    if (writers.some(isBehind)) await this.#readChanges(wasInDoubt)
    this.#doubts.resolved = over
    await this.#tellAgain()
    this.#noteOwnEnd(own?.number ?? 0)
    tell?.()
    this.#currentMs = startMs
    if (this.#cutOffMs !== undefined) this.#log.info('this server is up to date again')
    this.#cutOffMs = undefined
  }

  async #readChanges(withOwn: boolean): Promise<void> {
    for (;;) {
      const asked = withOwn
        ? this.#cursors
        : new Map([...this.#cursors].filter(([writer]) => writer !== this.writer))
      const rows = await this.#store.readChanges(asked)
      const after = cursorsAfter(asked, rows)
      if (after === undefined) {
        this.#isStopped = true
        this.#instance.giveUp()
        throw new StorageUnavailable('other servers have gone on without this one')
      }
      for (const row of rows.toSorted((a, b) => a.atMs - b.atMs)) await this.#tell(row)
      this.#cursors = new Map([...this.#cursors, ...after])
      if (rows.length < changesPageSize) return
    }
  }

  /**
   * A standby that lagged behind has taken over, or a backup was restored. Memory is wrong now, and numbers
   * of messages are given out again, so a new epoch begins.
   */
  async #endForSetBack(): Promise<never> {
    this.#isStopped = true
    await this.#store.beginEpoch()
    throw this.#instance.giveUp('the database was set back behind what this server knows')
  }

  async #tell(row: Change): Promise<void> {
    await this.#rows.get(row.topic)?.publishInTurn(row)
    if (row.topic === 'heartbeats' || row.topic === 'offline') return
    this.#toldAmidWrites.push({ row, turns: this.#instance.turns().begun })
  }

  /**
   * The answer to this server's own write may arrive after a later change by another server. Once all
   * writes under way are over, that change is published again.
   */
  async #tellAgain(): Promise<void> {
    const { ended } = this.#instance.turns()
    const due = this.#toldAmidWrites.filter(({ turns }) => turns <= ended)
    this.#toldAmidWrites = this.#toldAmidWrites.filter(({ turns }) => turns > ended)
    for (const { row } of due) await this.#rows.get(row.topic)?.publishInTurn(row)
  }

  /**
   * Memory knows every own change whose write is over. If the outcome of one is unknown, the own changes
   * have to be read too.
   */
  #noteOwnEnd(number: number): void {
    const { begun, ended } = this.#instance.turns()
    if (this.#isInDoubt()) {
      this.#ownEnd = { number: this.#cursors.get(this.writer) ?? 0, turns: 0 }
      return
    }
    if (this.#ownEnd.turns > ended) return
    const known = Math.max(this.#ownEnd.number, this.#cursors.get(this.writer) ?? 0)
    this.#cursors = new Map([...this.#cursors, [this.writer, known]])
    this.#ownEnd = { number, turns: begun }
  }

  #isInDoubt(): boolean {
    return this.#doubts.resolved < this.#doubts.noted
  }

  #noteLives({ writers, nowMs }: ClusterState): void {
    this.#silences = new Map(
      writers.map((life) => [life.writer, silencesOf(life, nowMs, life.writer === this.writer)]),
    )
    const before = this.#alive
    this.#alive = new Set(
      writers.filter((life) => isAlive(life, nowMs)).map(({ writer }) => writer),
    )
    const isSame = before.size === this.#alive.size && [...before].every((one) => this.lives(one))
    if (!isSame) this.#lives.publish()
  }

  async #renew(): Promise<void> {
    const { noted } = this.#doubts
    const { isRegistered, isHeld, begins } = await this.#leadership.renew()
    this.#doubts.over = noted
    if (!isRegistered) this.#instance.giveUp()
    this.#doOthersLead = !isHeld
    if (!isHeld || begins !== undefined) this.#isLeading = false
    this.#begins = isHeld ? (begins ?? this.#begins) : undefined
    // A renewal that took too long gives no lease. Try again with the next one.
    if (this.#begins === undefined || this.#leadership.term === undefined) return
    await this.#lead(this.#begins)
  }

  /** If any of this fails, the next renewal begins it again. */
  async #lead(begins: Cursors): Promise<void> {
    this.#isLeading = false
    this.#done = begins
    // None of the previous leader's changes of them may be made twice.
    await this.read()
    const rows: Change[] = []
    const all = new Map([
      ...[...this.#cursors.keys()].map((writer) => [writer, 0] as const),
      ...begins,
    ])
    for (let cursors: Cursors = all; ;) {
      const page = await this.#store.readChanges(cursors)
      rows.push(...page)
      if (page.length < changesPageSize) break
      cursors = new Map([
        ...cursors,
        ...page.map(({ writer, number }) => [writer, number] as const),
      ])
    }
    this.#isLeading = true
    await this.#leads.publishInTurn(rows)
    this.#begins = undefined
    if (this.size() > 1) this.#log.info('this server leads the others from now on')
  }

  async #readOnSchedule(): Promise<void> {
    try {
      // Do not wait for a database that does not answer.
      await Promise.race([this.read(), wait(currentMs, undefined, { ref: false })])
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
    }
    if (this.isCurrent() || this.#isStopped) return
    if (this.#cutOffMs === undefined) {
      this.#cutOffMs = performance.now()
      this.#log.warn('this server is cut off from its database')
      this.#feed?.sendAway()
    } else if (this.#doOthersLead && performance.now() - this.#cutOffMs >= cutOffMaxMs) {
      this.#isStopped = true
      this.#instance.giveUp('this server was cut off from its database for a minute')
    }
  }

  async #renewOnSchedule(): Promise<void> {
    try {
      await this.#renew()
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }

  #wakeOthers(): void {
    if (this.#waking !== undefined || this.#isStopped) return
    this.#waking = setTimeout(() => {
      this.#waking = undefined
      // Only a hint: without it the others read a little later.
      void this.#instance.wakeOthers().catch(() => undefined)
    }, wakeMs)
    this.#waking.unref()
  }
}
