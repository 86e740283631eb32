import type { Clock } from '../../../clock.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { CachedIslands } from '../public/cached-islands.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { RelayOpeningOf, RelayOpeningsStore } from './relay-openings-store.ts'

/** An agent that lost its connection is usually back by then. */
export const graceMs = 10_000
/** An agent that found no server waits up to 30 s before it dials again. */
export const startGraceMs = 40_000

/** What islands need of the relay, handed in by `app.ts`. */
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
  readonly known: Pick<CachedIslands, 'find' | 'carriedBy'>
  readonly clock: Clock
  /** Whether this server judges. All servers know of all agents. */
  readonly leads: () => boolean
  /** Called with what was written. When it returns, memory is up to date. */
  readonly tell: (openings: readonly RelayOpeningOf[]) => void
  readonly noteFailure: (error: unknown) => void
}

/** Since when nobody carries an open island, and until when that is tolerated. */
interface Leaving {
  readonly goneMs: number
  readonly untilMs: number
}

/**
 * Opens an island when an agent that carries it connects, and closes it when none has been there for a
 * while. Each change is on record before it is published, so a server that starts goes on from the last
 * state.
 */
export class RelayOpenings {
  readonly #options: RelayOpeningsOptions
  #carriage: Carriage | undefined
  readonly #leaving = new Map<number, Leaving>()
  /** Changes that are not written yet. */
  readonly #unwritten = new Map<number, RelayOpening>()
  readonly #writes: KeyedQueue<number>

  constructor(options: RelayOpeningsOptions) {
    this.#options = options
    this.#writes = new KeyedQueue({
      run: (islandKeys) => this.#write(islandKeys),
      onFailure: options.noteFailure,
    })
  }

  follow(carriage: Carriage): void {
    this.#carriage = carriage
    carriage.onChange((deviceKey) => this.look(this.#options.known.carriedBy(deviceKey)))
  }

  /** Begins to judge all islands. The agents of open ones may be reconnecting. */
  begin(islandKeys: Iterable<number>): void {
    this.#leaving.clear()
    this.#unwritten.clear()
    this.look(islandKeys, startGraceMs)
  }

  /** Call it with islands whose agents may have come or gone, or that changed themselves. */
  look(islandKeys: Iterable<number>, waitMs = graceMs): void {
    if (this.#carriage === undefined || !this.#options.leads()) return
    for (const key of islandKeys) this.#lookAt(key, this.#carriage.isOn ? waitMs : 0)
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

  #lookAt(key: number, waitMs: number): void {
    const known = this.#options.known.find(key)
    const isOpen = known?.relayOpening?.isOpen === true
    const isCarried = this.#isCarried(key)
    if (isCarried || !isOpen) this.#leaving.delete(key)
    if (isCarried === isOpen || known?.isRelayed !== true) {
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
    const known = this.#options.known.find(key)
    if (known?.isRelayed !== true) return false
    return this.#carriage?.isCarried({ key, carrierKey: known.carrierKey }) === true
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
      const written = await this.#options.store.note(due)
      this.#options.tell(written)
      // Agents may have come and gone meanwhile. Where memory has another state, a later change brings
      // it up to date.
      const taken = written.filter(
        ({ islandKey, isOpen }) =>
          this.#options.known.find(islandKey)?.relayOpening?.isOpen === isOpen,
      )
      this.look(taken.map(({ islandKey }) => islandKey))
    } catch (error) {
      for (const { islandKey, ...opening } of due) {
        if (!this.#unwritten.has(islandKey)) this.#unwritten.set(islandKey, opening)
      }
      throw error
    }
  }
}
