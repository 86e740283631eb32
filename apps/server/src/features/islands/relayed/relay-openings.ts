import type { Clock } from '../../../clock.ts'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { KnownIslands } from '../public/known-islands.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { RelayOpeningOf, RelayOpeningsStore } from './relay-openings-store.ts'

/** An agent that has lost its connection is mostly back by then. */
export const graceMs = 10_000
/** An agent that found no server waits up to 30 s before it dials again. */
export const startGraceMs = 40_000

/** What islands ask of the relay; `app.ts` hands it in. */
export interface Carriage {
  /** False where there is no relay: then nobody is waited for. */
  readonly isOn: boolean
  /** Whether an agent that carries the island is connected, to this server or to another one. */
  readonly isCarried: (island: {
    readonly key: number
    readonly carrierKey: number | null
  }) => boolean
  /** Calls the listener with each device of which an agent may have come or gone. */
  readonly onChange: (listener: (deviceKey: number) => void) => void
}

interface RelayOpeningsOptions {
  readonly store: RelayOpeningsStore
  readonly known: Pick<KnownIslands, 'find' | 'carriedBy'>
  readonly clock: Clock
  /** Whether this is the server that judges; all of them know of all agents. */
  readonly leads: () => boolean
  /** Called with what is written; memory has it when that returns. */
  readonly tell: (openings: readonly RelayOpeningOf[]) => void
  readonly noteFailure: (error: unknown) => void
}

/** Since when nobody carries an open island, and until when that may pass. */
interface Leaving {
  readonly goneMs: number
  readonly untilMs: number
}

/**
 * Opens an island when an agent that carries it comes, and closes it when none has been there for a while. It is on
 * record before it is told, so that a server that starts goes on with what was so before.
 */
export class RelayOpenings {
  readonly #options: RelayOpeningsOptions
  #carriage: Carriage | undefined
  readonly #leaving = new Map<number, Leaving>()
  /** What is not written yet. */
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

  /** Begins to judge, of all islands: the agents of those that were open may be on their way back. */
  begin(islandKeys: Iterable<number>): void {
    this.#leaving.clear()
    this.#unwritten.clear()
    this.look(islandKeys, startGraceMs)
  }

  /** To be called with islands that may be carried now, or no more, or be other ones. */
  look(islandKeys: Iterable<number>, waitMs = graceMs): void {
    if (this.#carriage === undefined || !this.#options.leads()) return
    for (const key of islandKeys) this.#lookAt(key, this.#carriage.isOn ? waitMs : 0)
    this.#writeSoon()
  }

  /** To be called often: closes those whose time is over, and tries again what could not be written. */
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

  /** Resolves when nothing is being written. */
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
      // Agents may have come and gone meanwhile. What memory does not take is left to what comes next.
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
