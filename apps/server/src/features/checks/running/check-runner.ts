import { hash } from 'node:crypto'
import { keepReportEveryS } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { DueQueue } from '../../../due-queue.ts'
import { FairTurns } from '../../../fair-turns.ts'
import { grouped } from '../../../group-turns.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type {
  CheckRecord,
  CheckSample,
  ChecksStore,
  CheckState,
  FoundCheck,
} from '../checks-store.ts'
import type { Probe, ProbedTarget, ProbeResult } from '../probe.ts'
import {
  dueMsOf,
  judgeProbe,
  judgeMissed,
  judgeReport,
  judgeUnseen,
  nextDueMs,
  type CheckReport,
  type PushTarget,
} from './judge-check.ts'
import { FoundWriter } from './found-writer.ts'
import type { Sight } from './sight.ts'

/** Looks that run at once. The rest waits, each owner's in turn. */
export const looksAtOnce = 100
/** A tick or a look this late means that the machine slept, or that its clock was set forward. */
const lateMs = 10_000
/** Over this time looks are spread that were due while nobody looked. */
const overdueSpreadMs = 60_000
/** The same for checks that nobody has looked at, whose owners may wait for it. */
const firstSpreadMs = 10_000
/** After a start or a change of the leader, agents may take this long to connect again. */
const agentsReturnMs = 40_000
/** Scripts come up to this much earlier than the last time. */
const earlyReportMs = 60_000
const retryMs = 1000
const waitingReportsMax = 10_000

interface Held {
  check: CheckRecord
  readonly fraction: number
  /** When it is looked at next, or when its report is due; null for none. */
  dueMs: number | null
  isLooking: boolean
}

/** Others that look at the same addresses, or instead of this server. */
export interface OtherLocations {
  readonly lookFromOwn: (check: CheckRecord, target: ProbedTarget) => Promise<ProbeResult>
  /** Never throws. */
  readonly look: (check: CheckRecord) => Promise<readonly CheckSample[]>
  readonly judge: (
    check: CheckRecord,
    found: FoundCheck,
    seen: { readonly isSeen: boolean; readonly samples: readonly CheckSample[] },
  ) => FoundCheck
}

interface Looked {
  readonly result: ProbeResult
  readonly isSeen: boolean
  readonly atMs: number
}

export interface CheckRunnerOptions {
  readonly store: Pick<ChecksStore, 'read' | 'loadAll' | 'record' | 'requestLook'>
  readonly probe: Probe
  readonly sight: Sight
  readonly clock: Clock
  readonly leads: () => boolean
  readonly log: { readonly warn: (details: object, text: string) => void }
  /** How late a look began. */
  readonly recordLate?: (seconds: number) => void
}

/** Looks at all checks that are due, and judges them and the reports of scripts. */
export class CheckRunner {
  readonly #options: CheckRunnerOptions
  readonly #closing = new AbortController()
  readonly #turns = new FairTurns({ atOnce: looksAtOnce })
  readonly #changed: KeyedQueue<number>
  /** Resolves with false if it has to be judged again. */
  readonly #recordReport: (found: FoundCheck) => Promise<boolean>
  readonly #writer: FoundWriter
  /** Undefined unless this server leads and has loaded them. */
  #held: Map<number, Held> | undefined
  #others: OtherLocations | undefined
  #looks = new DueQueue()
  #deadlines = new DueQueue()
  /** What changed while checks are being loaded. */
  #changedMeanwhile: Set<number> | undefined
  #tickedMs: number
  #loadedMs = 0
  readonly outcomes = { up: 0, failed: 0, unobserved: 0 }

  constructor(options: CheckRunnerOptions) {
    this.#options = options
    this.#tickedMs = options.clock()
    this.#changed = new KeyedQueue({
      run: (keys) => this.#refresh(keys),
      retryAfterMs: () => retryMs,
      onFailure: (error) => options.log.warn({ err: error }, 'could not read changed checks'),
    })
    this.#writer = new FoundWriter({
      store: options.store,
      lose: (key, lost) => this.#lose(key, lost),
      // While it refused writes, no report could be stored either.
      onBack: () => this.#expectAllAgain(options.clock()),
    })
    this.listen = this.#writer.listen
    this.#recordReport = grouped(
      async (found: readonly FoundCheck[]) => {
        const skipped = await this.#writer.record(found)
        return found.map((one) => !skipped.has(one))
      },
      { weigh: () => 1, maxWeight: waitingReportsMax },
    )
  }

  /** Call it before anything runs. */
  readonly lookFrom = (others: OtherLocations): void => {
    this.#others = others
  }

  /** Called with changes of status that are durable, on the server that made them. */
  readonly listen: FoundWriter['listen']

  get heldCount(): number {
    return this.#held?.size ?? 0
  }

  /** Call it when checks were made, changed or deleted, here or on another server. */
  readonly follow = (keys: readonly number[]): void => {
    if (keys.length > 0) void this.#changed.add(...keys)
  }

  /** Looks soon at checks that this server looks at. */
  readonly lookSoon = (keys: readonly number[]): void => {
    const nowMs = this.#options.clock()
    for (const key of keys) {
      const held = this.#held?.get(key)
      if (held !== undefined && held.check.target.kind !== 'push') this.#lookAtMs(held, nowMs)
    }
  }

  /** Call it every 100 ms. */
  readonly lookAtDue = (): void => {
    const { clock, leads } = this.#options
    const nowMs = clock()
    const isLate = nowMs - this.#tickedMs >= lateMs
    this.#tickedMs = nowMs
    const all = this.#held
    if (all === undefined || !leads()) return
    if (isLate) this.#expectAllAgain(nowMs)
    for (;;) {
      const key = this.#looks.take(nowMs)
      if (key === undefined) return
      const held = all.get(key)
      if (held !== undefined) this.#begin(held, nowMs)
    }
  }

  /** Call it every second. Stores what was found. @throws StorageUnavailable */
  async store(): Promise<void> {
    if (!this.#options.leads()) this.#letGo()
    else if (this.#held === undefined) await this.#load()
    await this.#writer.write()
    await this.#judgeDeadlines()
  }

  /**
   * Looks at once. It counts, unless the check is paused, and on the leader alone, which others ask to look
   * as well ([C2]).
   * @throws DomainError `invalid_input` for a check to which scripts report; StorageUnavailable
   */
  readonly run = async (check: CheckRecord): Promise<ProbeResult> => {
    const { clock, store } = this.#options
    const { target } = check
    if (target.kind === 'push') throw new DomainError('invalid_input')
    const { signal } = this.#closing
    const result = await this.#turns.take(String(check.userKey), () => this.#probe(check, target))
    if (check.isPaused || signal.aborted || isUnseen(result)) return result
    const held = this.#held?.get(check.key)
    if (held === undefined) {
      await store.requestLook(check.key)
      return result
    }
    const isSeen = await this.#isSeen(check, target, result)
    // What an earlier address answered says nothing about the one that it has now.
    if (hasSameTarget(held.check, check)) this.#judge(held, { result, isSeen, atMs: clock() }, [])
    return result
  }

  /** Resolves when it is durable. @throws DomainError `overloaded`; StorageUnavailable */
  readonly report = async (
    check: CheckRecord & { readonly target: PushTarget },
    report: CheckReport,
  ): Promise<void> => {
    if (check.isPaused) return
    const held = this.#held?.get(check.key)
    // Another server may have stored more than this one knows.
    let state = newer(held?.check.state, check.state)
    for (;;) {
      const found = judgeReport({ ...check, state }, report, this.#options.clock())
      if (held !== undefined) this.#setState(held, found.state)
      try {
        if (await this.#recordReport(found)) return
      } catch (error) {
        if (held?.check.state === found.state) this.#setState(held, state)
        throw error
      }
      const [now] = await this.#options.store.read([check.key])
      if (now === undefined || now.isPaused) return
      ;({ state } = now)
    }
  }

  async stop(): Promise<void> {
    this.#closing.abort()
    await this.#changed.stop()
    try {
      await this.#writer.write()
    } catch (error) {
      // The next start looks again.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }

  async #load(): Promise<void> {
    const changed = new Set<number>()
    this.#changedMeanwhile = changed
    try {
      const loaded = (await Array.fromAsync(this.#options.store.loadAll())).flat()
      const nowMs = this.#options.clock()
      this.#loadedMs = nowMs
      this.#held = new Map()
      for (const check of loaded) this.#hold(check, nowMs)
    } finally {
      this.#changedMeanwhile = undefined
    }
    this.follow([...changed])
  }

  #letGo(): void {
    this.#held = undefined
    this.#looks = new DueQueue()
    this.#deadlines = new DueQueue()
    this.#writer.clear()
  }

  async #refresh(keys: ReadonlySet<number>): Promise<void> {
    const all = this.#held
    if (all === undefined) {
      for (const key of keys) this.#changedMeanwhile?.add(key)
      return
    }
    const read = await this.#options.store.read([...keys])
    if (this.#held !== all) return
    const records = new Map(read.map((check) => [check.key, check]))
    const nowMs = this.#options.clock()
    for (const key of keys) {
      const check = records.get(key)
      const held = all.get(key)
      if (check === undefined) this.#forget(key)
      else if (held === undefined || !hasSameTarget(held.check, check)) this.#hold(check, nowMs)
      else this.#update(held, check)
    }
  }

  #hold(check: CheckRecord, nowMs: number): void {
    this.#forget(check.key)
    if (check.isPaused) return
    const held = { check, fraction: fractionOf(check.id), dueMs: null, isLooking: false }
    this.#held?.set(check.key, held)
    if (check.target.kind === 'push') this.#expectAgain(held, nowMs)
    else this.#catchUp(held, check.target.periodS * 1000, nowMs)
  }

  #update(held: Held, check: CheckRecord): void {
    if (check.isPaused) {
      this.#forget(check.key)
      return
    }
    const known = held.check.state
    const state = newer(known, check.state)
    held.check = { ...check, state }
    const isKnown = known?.lookedMs === state?.lookedMs && known?.status === state?.status
    if (!isKnown) this.#expect(held)
  }

  #forget(key: number): void {
    this.#held?.delete(key)
    this.#looks.delete(key)
    this.#deadlines.delete(key)
    this.#writer.forget(key)
  }

  /** Looks that were due while nobody looked are spread, so that all of them do not begin together. */
  #catchUp(held: Held, periodMs: number, nowMs: number): void {
    const lookedMs = held.check.state?.lookedMs ?? null
    if (lookedMs !== null && nowMs - lookedMs < periodMs) {
      this.#lookNext(held, periodMs, nowMs)
      return
    }
    const spreadMs = lookedMs === null ? firstSpreadMs : overdueSpreadMs
    this.#lookAtMs(held, nowMs + held.fraction * Math.min(periodMs, spreadMs))
  }

  /** Each check has its own place in its period ([C2]). */
  #lookNext(held: Held, periodMs: number, nowMs: number): void {
    const placeMs = held.fraction * periodMs
    const periods = Math.floor((nowMs - placeMs) / periodMs) + 1
    this.#lookAtMs(held, placeMs + periods * periodMs)
  }

  #lookAtMs(held: Held, dueMs: number): void {
    held.dueMs = dueMs
    this.#looks.set(held.check.key, dueMs)
  }

  #begin(held: Held, nowMs: number): void {
    const { check, dueMs } = held
    const { target } = check
    if (target.kind === 'push') return
    const periodMs = target.periodS * 1000
    if (nowMs - (dueMs ?? nowMs) >= lateMs) {
      this.#catchUp(held, periodMs, nowMs)
      return
    }
    this.#lookNext(held, periodMs, nowMs)
    if (held.isLooking) return
    held.isLooking = true
    const samples = this.#others?.look(check) ?? Promise.resolve([])
    void this.#turns
      .take(String(check.userKey), () => this.#look(held, target, dueMs ?? nowMs))
      // Others may take longer, and this look's turn is over.
      .then(async (looked) => this.#judge(held, looked, await samples))
      .finally(() => {
        held.isLooking = false
      })
  }

  #isOver(held: Held): boolean {
    return this.#closing.signal.aborted || this.#held?.get(held.check.key) !== held
  }

  async #look(held: Held, target: ProbedTarget, dueMs: number): Promise<Looked | undefined> {
    const { clock, recordLate } = this.#options
    if (this.#isOver(held)) return undefined
    recordLate?.((clock() - dueMs) / 1000)
    const result = await this.#probe(held.check, target)
    if (this.#isOver(held)) return undefined
    if (isUnseen(result) && clock() - this.#loadedMs < agentsReturnMs) return undefined
    const isSeen = await this.#isSeen(held.check, target, result)
    return { result, isSeen, atMs: clock() }
  }

  /** [C17] Only the owner's device looks at what runs from it. */
  async #probe(check: CheckRecord, target: ProbedTarget): Promise<ProbeResult> {
    const { signal } = this.#closing
    if (!isForOwn(check)) return await this.#options.probe(target, signal)
    if (this.#others === undefined) throw new Error('nobody can ask devices')
    return await this.#others.lookFromOwn(check, target)
  }

  #judge(held: Held, looked: Looked | undefined, samples: readonly CheckSample[]): void {
    if (looked === undefined || this.#isOver(held)) return
    const { result, ...seen } = looked
    if (isUnseen(result)) {
      this.#take(held, judgeUnseen(held.check, looked.atMs, result.note))
      return
    }
    const found = judgeProbe(held.check, result, seen)
    const { isSeen } = looked
    this.#take(held, this.#others?.judge(held.check, found, { isSeen, samples }) ?? found)
    this.#lookAgainAfterFirstFailure(held)
  }

  /** So that an outage is decided within two periods, whatever the time-out ([C4]). */
  #lookAgainAfterFirstFailure(held: Held): void {
    const { check, dueMs } = held
    if (check.state?.status !== 'up' || check.state.failures !== 1) return
    const againMs = this.#options.clock() + (check.target.periodS * 1000) / 2
    if (dueMs !== null && againMs < dueMs) this.#lookAtMs(held, againMs)
  }

  async #isSeen(check: CheckRecord, target: ProbedTarget, result: ProbeResult): Promise<boolean> {
    const { sight } = this.#options
    const { userKey, state } = check
    const { isUp } = result
    const isOwn = isForOwn(check)
    // What a device finds says nothing about what this server sees.
    if (!isOwn) sight.note({ userKey, target }, { isUp, wasDown: state?.status === 'down' })
    const isSeen = isUp || (isOwn ? !isUnseen(result) : await sight.isClear())
    this.outcomes[isUp ? 'up' : isSeen ? 'failed' : 'unobserved'] += 1
    return isSeen
  }

  #take(held: Held, found: FoundCheck): void {
    held.check = { ...held.check, state: found.state }
    this.#writer.add(found)
  }

  #setState(held: Held, state: CheckState | null): void {
    held.check = { ...held.check, state }
    this.#expect(held)
  }

  /** Waits for a script's next report. */
  #expect(held: Held): void {
    const { target, state } = held.check
    if (target.kind === 'push') this.#setDeadline(held, dueMsOf(state, target))
  }

  /**
   * Waits again after a time in which reports could not arrive. If one was to come then, the script gets a
   * full period and grace from now on ([C6]).
   */
  #expectAgain(held: Held, nowMs: number): void {
    const { target, state } = held.check
    if (target.kind !== 'push') return
    const dueMs = dueMsOf(state, target)
    const graceMs = target.graceS * 1000
    const isLost = dueMs !== null && nowMs > dueMs - graceMs - earlyReportMs
    this.#setDeadline(held, isLost ? nextDueMs(target, nowMs) : dueMs)
  }

  #expectAllAgain(nowMs: number): void {
    for (const held of this.#held?.values() ?? []) this.#expectAgain(held, nowMs)
  }

  #setDeadline(held: Held, dueMs: number | null): void {
    const { key } = held.check
    held.dueMs = dueMs
    // Reports that came soon after another one were not stored ([C7]).
    if (dueMs !== null) this.#deadlines.set(key, dueMs + keepReportEveryS * 1000)
    else this.#deadlines.delete(key)
  }

  async #judgeDeadlines(): Promise<void> {
    const nowMs = this.#options.clock()
    const due = new Set<number>()
    for (;;) {
      const key = this.#deadlines.take(nowMs)
      if (key === undefined) break
      due.add(key)
    }
    if (due.size === 0) return
    try {
      // Another server may have taken a report.
      await this.#refresh(due)
      this.#writer.noteSuccess()
      await this.#recordMissed([...due])
    } catch (error) {
      this.#writer.noteFailure()
      for (const key of due) {
        if (this.#held?.has(key) === true) this.#deadlines.set(key, nowMs + retryMs)
      }
      throw error
    }
  }

  async #recordMissed(keys: readonly number[]): Promise<void> {
    const missed = keys.flatMap((key) => {
      const held = this.#held?.get(key)
      if (held?.dueMs == null || this.#deadlines.has(key)) return []
      return [{ held, before: held.check.state, found: judgeMissed(held.check, held.dueMs) }]
    })
    // A report that comes while they are written has to find them down.
    for (const { held, found } of missed) this.#setState(held, found.state)
    try {
      const skipped = await this.#writer.record(missed.map(({ found }) => found))
      this.follow([...skipped].map(({ checkKey }) => checkKey))
    } catch (error) {
      for (const { held, before, found } of missed) {
        if (held.check.state === found.state) this.#setState(held, before)
      }
      throw error
    }
  }

  #lose(key: number, known: FoundCheck | undefined): FoundCheck | undefined {
    const held = this.#held?.get(key)
    if (held === undefined) return undefined
    const lost = known ?? judgeUnseen(held.check, this.#options.clock())
    held.check = { ...held.check, state: lost.state }
    return lost
  }
}

/** What was stored counts, unless a look is newer that is not stored yet. */
function newer(known: CheckState | null | undefined, stored: CheckState | null): CheckState | null {
  return (known?.lookedMs ?? 0) > (stored?.lookedMs ?? 0) ? (known ?? null) : stored
}

function hasSameTarget(one: CheckRecord, other: CheckRecord): boolean {
  const isSame = JSON.stringify(one.target) === JSON.stringify(other.target)
  return isSame && one.device?.key === other.device?.key
}

const isForOwn = ({ device, target }: CheckRecord) => device !== null || target.kind === 'ping'

type Unseen = Extract<ProbeResult, { isUp: false }> & { readonly isUnseen: true }

const isUnseen = (result: ProbeResult): result is Unseen => !result.isUp && result.isUnseen === true

/** Where a check stands in its period, from 0 to 1. */
function fractionOf(id: string): number {
  return hash('sha256', id, 'buffer').readUInt32BE() / 2 ** 32
}
