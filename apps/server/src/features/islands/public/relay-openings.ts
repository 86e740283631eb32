import type { Clock } from '../../../clock.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { CachedIslands } from './cached-islands.ts'

/** An agent that lost its connection is usually back by then. */
export const graceMs = 10_000
/** An agent that found no server waits up to 30 s before it dials again. */
export const startGraceMs = 40_000

export interface RelayOpeningOf extends RelayOpening {
  readonly islandKey: number
}

/** Which islands agents carry, and since when. Only the leading server writes it. */
export interface RelayOpeningsStore {
  /**
   * An unchanged state keeps its time, and the time of a new state is always later than the last.
   * @returns what is now on record for those of the islands that still use the relay
   */
  readonly record: (openings: readonly RelayOpeningOf[]) => Promise<readonly RelayOpeningOf[]>
}

/** What islands need of the relay. */
export interface Carriage {
  /** False if there is no relay. Then islands close without a grace period. */
  readonly isOn: boolean
  /** Whether an agent that carries the island is connected to any server. */
  readonly isCarried: (island: {
    readonly key: number
    readonly carrierKey: number | null
  }) => boolean
  /** Calls the listener with each device whose agent may have come or gone. */
  readonly onChange: (listener: (deviceKey: number) => void) => void
}

interface RelayOpeningsOptions {
  readonly store: RelayOpeningsStore
  readonly cached: Pick<CachedIslands, 'find' | 'carriedBy'>
  readonly clock: Clock
  /** Whether this server judges. All servers know all agents. */
  readonly leads: () => boolean
  /** Called with what was written. When it returns, memory is up to date. */
  readonly publish: (openings: readonly RelayOpeningOf[]) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * Opens an island when an agent that carries it connects, and closes it when none has been there for a
 * while. Each change is on record before it is published, so a server that starts goes on from the last
 * state.
 */
export class RelayOpenings {
  readonly #options: RelayOpeningsOptions
  #carriage: Carriage | undefined
  /** Since when nobody carries an open island, and until when that is tolerated. */
  readonly #leaving = new Map<number, { readonly goneMs: number; readonly untilMs: number }>()
  /** Changes that are not written yet. */
  readonly #unwritten = new Map<number, RelayOpening>()
  readonly #writes: KeyedQueue<number>

  constructor(options: RelayOpeningsOptions) {
    this.#options = options
    this.#writes = new KeyedQueue({
      run: (islandKeys) => this.#write(islandKeys),
      onFailure: options.onFailure,
    })
  }

  follow(carriage: Carriage): void {
    this.#carriage = carriage
    carriage.onChange((deviceKey) => this.judge(this.#options.cached.carriedBy(deviceKey)))
  }

  /** Begins to judge all islands. The agents of open ones may be reconnecting. */
  begin(islandKeys: Iterable<number>): void {
    this.#leaving.clear()
    this.#unwritten.clear()
    this.judge(islandKeys, startGraceMs)
  }

  /** Call it with islands whose agents may have come or gone, or that changed themselves. */
  judge(islandKeys: Iterable<number>, waitMs = graceMs): void {
    if (this.#carriage === undefined || !this.#options.leads()) return
    for (const key of islandKeys) this.#judge(key, this.#carriage.isOn ? waitMs : 0)
    this.#writeSoon()
  }

  /** Call it often. It closes islands whose grace period is over, and retries failed writes. */
  closeLeft(): void {
    if (!this.#options.leads()) return
    const now = this.#options.clock()
    for (const [key, { goneMs, untilMs }] of this.#leaving) {
      if (untilMs > now) continue
      this.#leaving.delete(key)
      this.#unwritten.set(key, { isOpen: false, sinceMs: goneMs })
    }
    this.#writeSoon()
  }

  /** Resolves when no write is under way. */
  async settled(): Promise<void> {
    await this.#writes.settled()
  }

  #judge(key: number, waitMs: number): void {
    const island = this.#options.cached.find(key)
    const isOpen = island?.relayOpening?.isOpen === true
    const isCarried = this.#isCarried(key)
    if (isCarried || !isOpen) this.#leaving.delete(key)
    if (isCarried === isOpen || island?.isRelayed !== true) {
      this.#unwritten.delete(key)
      return
    }
    if (this.#unwritten.get(key)?.isOpen === isCarried) return
    const now = this.#options.clock()
    if (isCarried) this.#unwritten.set(key, { isOpen: true, sinceMs: now })
    else if (waitMs === 0) this.#unwritten.set(key, { isOpen: false, sinceMs: now })
    else if (!this.#leaving.has(key)) this.#leaving.set(key, { goneMs: now, untilMs: now + waitMs })
  }

  #isCarried(key: number): boolean {
    const island = this.#options.cached.find(key)
    if (island?.isRelayed !== true) return false
    return this.#carriage?.isCarried({ key, carrierKey: island.carrierKey }) === true
  }

  #writeSoon(): void {
    if (this.#unwritten.size > 0) void this.#writes.add(...this.#unwritten.keys())
  }

  async #write(islandKeys: Iterable<number>): Promise<void> {
    const due = [...islandKeys].flatMap((islandKey) => {
      const opening = this.#unwritten.get(islandKey)
      this.#unwritten.delete(islandKey)
      return opening?.isOpen === this.#isCarried(islandKey) ? [{ islandKey, ...opening }] : []
    })
    if (due.length === 0) return
    try {
      const written = await this.#options.store.record(due)
      this.#options.publish(written)
      // Agents may have come and gone meanwhile. Where memory has another state, a later change brings
      // it up to date.
      const taken = written.filter(
        ({ islandKey, isOpen }) =>
          this.#options.cached.find(islandKey)?.relayOpening?.isOpen === isOpen,
      )
      this.judge(taken.map(({ islandKey }) => islandKey))
    } catch (error) {
      for (const { islandKey, ...opening } of due) {
        if (!this.#unwritten.has(islandKey)) this.#unwritten.set(islandKey, opening)
      }
      throw error
    }
  }
}
