import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../clock.ts'

/** The rest after a making, as a multiple of its duration. */
const restPerTurn = 3

interface MapTurnsOptions {
  readonly clock: Clock
  /** Waits for this many milliseconds. */
  readonly rest?: (ms: number) => Promise<unknown>
}

/**
 * Makes maps one at a time, with rests. All of them together take at most a quarter of the time, whoever
 * asks for them and however often something is withdrawn.
 */
export class MapTurns {
  readonly #clock: Clock
  readonly #rest: (ms: number) => Promise<unknown>
  #last: Promise<unknown> = Promise.resolve()
  #endedMs = 0
  #restMs = 0

  constructor({ clock, rest = wait }: MapTurnsOptions) {
    this.#clock = clock
    this.#rest = rest
  }

  take<Made>(make: () => Promise<Made>): Promise<Made> {
    const turn = this.#last.then(() => this.#begin(make))
    // The next turn does not fail with this one.
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #begin<Made>(make: () => Promise<Made>): Promise<Made> {
    const restMs = this.#endedMs + this.#restMs - this.#clock()
    if (restMs > 0) await this.#rest(restMs)
    const begunMs = this.#clock()
    try {
      return await make()
    } finally {
      this.#endedMs = this.#clock()
      this.#restMs = restPerTurn * (this.#endedMs - begunMs)
    }
  }
}
