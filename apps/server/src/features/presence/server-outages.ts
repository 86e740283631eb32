import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { SharedPresence } from './presence-state.ts'
import type { PresenceStore } from './presence-store.ts'
import type { Outage, PresenceRules } from './status.ts'

/** A tick this late means that the machine slept or its clock was set, so nothing was heard meanwhile. */
const lateTickMs = 10_000
/** A time this far in the future was written while the clock was wrong. */
const futureMs = 10_000
const aliveMarkMs = 10_000
/** A server that answers gives a sign of life more often than this. */
const silenceMs = 3000

interface ServerOutagesOptions {
  readonly store: PresenceStore
  /** The server’s clock, which never goes back, nor behind `atLeastMs`. */
  readonly now: (atLeastMs?: number) => number
  readonly windowMs: number
  readonly log: { readonly warn: (details: object, text: string) => void }
  readonly judges: () => boolean
  readonly silences: SharedPresence['silences']
}

/** Times in which heartbeats could not arrive or be stored. No device goes offline for them ([P5]). */
export class ServerOutages {
  readonly #options: ServerOutagesOptions
  #outages: readonly Outage[] = []
  /** The last moment at which a heartbeat would have been received and stored. */
  #aliveMs: number
  #isCutOff = false
  #lastTickMs: number
  #lastMarkMs: number
  /** For each other server, up to when its silence is on record. */
  readonly #recordedSilences = new Map<number, number>()

  constructor(options: ServerOutagesOptions) {
    this.#options = options
    this.#aliveMs = options.now()
    this.#lastTickMs = this.#aliveMs
    this.#lastMarkMs = this.#aliveMs
  }

  /** The rules for a device whose last heartbeat no particular server took. */
  get rules(): PresenceRules {
    const outages = this.#isCutOff
      ? [...this.#outages, { fromMs: this.#aliveMs, toMs: Number.POSITIVE_INFINITY }]
      : this.#outages
    return { windowMs: this.#options.windowMs, outages }
  }

  /** The rules for a device by the server that took its last heartbeat; undefined if that is unknown. */
  rulesOf(taker: number | undefined): PresenceRules {
    const { rules } = this
    const silences = this.#options.silences()
    if (silences.size === 0) return rules
    const own = [...silences].filter(([writer]) => taker === writer || taker === undefined)
    const outages = [...rules.outages, ...own.flatMap(([, spans]) => spans)]
    return { ...rules, outages: outages.toSorted((a, b) => a.fromMs - b.fromMs) }
  }

  /** Moves back times written while the clock was ahead. @returns whether there were any */
  async correctFuture(lastSeenMs: number | null): Promise<boolean> {
    const { store, now, log, windowMs } = this.#options
    const mark = await store.aliveMark()
    const nowMs = now()
    const aheadMs = Math.max(mark === 'now' ? 0 : (mark ?? 0), lastSeenMs ?? 0) - nowMs
    if (aheadMs < futureMs) return false
    log.warn({ aheadMs }, 'the clock was ahead when the server last ran, or is behind now')
    await store.clampTimes(nowMs)
    await store.recordOutage({ fromMs: nowMs - windowMs, toMs: nowMs })
    return true
  }

  /** Adds the time since the server was last alive ([P5]). @param lastSeenMs the last heartbeat on record */
  async load(lastSeenMs: number | null): Promise<void> {
    const { store, now } = this.#options
    const mark = await store.aliveMark()
    let aliveMs = mark === 'now' ? now() : mark
    await this.reload()
    // A committed heartbeat proves as well as a mark that the server was alive.
    if (lastSeenMs !== null) aliveMs = Math.max(aliveMs ?? 0, lastSeenMs)
    const nowMs = now(aliveMs ?? 0)
    if (aliveMs !== null && aliveMs < nowMs) await this.#add({ fromMs: aliveMs, toMs: nowMs })
    await this.#markAlive(nowMs)
  }

  async reload(): Promise<void> {
    this.#outages = await this.#options.store.outages()
  }

  async beginTick(nowMs: number): Promise<void> {
    const { judges, log } = this.#options
    const forMs = nowMs - this.#lastTickMs
    this.#lastTickMs = nowMs
    if (forMs >= lateTickMs && judges()) {
      log.warn({ forMs }, 'the machine slept, or its clock was set forward')
      await this.#add({ fromMs: nowMs - forMs, toMs: nowMs })
    }
    if (this.#isCutOff || nowMs - this.#lastMarkMs >= aliveMarkMs) await this.#markAlive(nowMs)
  }

  /** Call it when the storage has answered. */
  async confirmAlive(atMs: number): Promise<void> {
    // Among several servers it was a silence, which the leader knows about.
    if (this.#isCutOff && this.#options.judges()) {
      await this.#add({ fromMs: this.#aliveMs, toMs: atMs })
    }
    this.#isCutOff = false
    this.#aliveMs = atMs
  }

  /** Call it when something was written that also marks the server as alive. */
  async confirmMark(atMs: number): Promise<void> {
    this.#lastMarkMs = atMs
    await this.confirmAlive(atMs)
  }

  reportFailure(error: unknown): void {
    if (error instanceof StorageUnavailable) this.#isCutOff = true
  }

  /** Records the silences of other servers permanently. A silence that lasts is recorded up to now. */
  async recordSilences(): Promise<void> {
    const { silences, store } = this.#options
    for (const [writer, spans] of silences()) {
      for (const { fromMs, toMs } of spans) {
        if (toMs - fromMs <= silenceMs) continue
        if (toMs <= (this.#recordedSilences.get(writer) ?? 0)) continue
        await store.recordUnobserved({ fromMs, toMs }, writer)
        this.#recordedSilences.set(writer, toMs)
      }
    }
  }

  /** After one full window of service each device has either reported or is offline in any case. */
  async forgetOld(): Promise<void> {
    if (this.#outages.length === 0 || this.#isCutOff) return
    // An outage recorded while the clock was ahead may cover others and end after them.
    const endMs = Math.max(...this.#outages.map(({ toMs }) => toMs))
    if (this.#options.now() < endMs + this.#options.windowMs) return
    await this.#options.store.forgetOutages()
    this.#outages = []
  }

  async #markAlive(atMs: number): Promise<void> {
    await this.#options.store.markAlive(atMs)
    await this.confirmMark(atMs)
  }

  async #add(outage: Outage): Promise<void> {
    await this.#options.store.recordOutage(outage)
    this.#outages = [...this.#outages, outage]
  }
}
