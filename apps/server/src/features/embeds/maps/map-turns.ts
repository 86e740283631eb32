import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../clock.ts'

/** So many times as long as a making took the next one waits. */
const restPerTurn = 3

interface MapTurnsOptions {
  readonly clock: Clock
  /** What passes so many milliseconds. */
  readonly rest?: (ms: number) => Promise<unknown>
}

/**
 * Has maps made one after the other, with rests, so that making all of them takes a quarter of the time at most,
 * whoever asks for which and however often what was made may not be told any more.
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
    // Whoever takes the next turn does not fail with this one.
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
