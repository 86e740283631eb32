/**
 * How many requests begin in one turn of the event loop: so many for each millisecond that the last turn took,
 * within these bounds. Each takes about 50 µs. With more in a short turn, an island would get as many as it has
 * connections. With fewer in a long one, a server that is busy otherwise would begin only a few hundred a second.
 */
const startsPerMs = 8
const startsMin = 8
const startsMax = 64

const startsAfter = (turnMs: number): number =>
  Math.min(Math.max(Math.floor(turnMs * startsPerMs), startsMin), startsMax)

/** Begins requests in fair shares: a flood for one island delays the others by one turn at most. */
export class Turns {
  readonly #startsAfter: (turnMs: number) => number
  readonly #inNextTurn: (run: () => void) => void
  readonly #waiting = new Map<number, (() => void)[]>()
  #startsLeft: number
  #isNextDue = false
  #turnBeganMs = 0

  constructor(
    options: {
      readonly startsAfter: (turnMs: number) => number
      readonly inNextTurn: (run: () => void) => void
    } = { startsAfter, inNextTurn: setImmediate },
  ) {
    this.#startsAfter = options.startsAfter
    this.#inNextTurn = options.inNextTurn
    this.#startsLeft = options.startsAfter(0)
  }

  take(islandKey: number, start: () => void): void {
    this.#planNext()
    if (this.#startsLeft > 0 && this.#waiting.size === 0) {
      this.#startsLeft -= 1
      start()
      return
    }
    const others = this.#waiting.get(islandKey)
    if (others === undefined) this.#waiting.set(islandKey, [start])
    else others.push(start)
  }

  #planNext(): void {
    if (this.#isNextDue) return
    this.#isNextDue = true
    this.#turnBeganMs = performance.now()
    this.#inNextTurn(() => {
      this.#isNextDue = false
      this.#startsLeft = this.#startsAfter(performance.now() - this.#turnBeganMs)
      this.#serve()
    })
  }

  #serve(): void {
    while (this.#startsLeft > 0) {
      const [next] = this.#waiting
      if (next === undefined) return
      const [islandKey, starts] = next
      const start = starts.shift()
      this.#waiting.delete(islandKey)
      if (starts.length > 0) this.#waiting.set(islandKey, starts)
      this.#startsLeft -= 1
      start?.()
    }
    if (this.#waiting.size > 0) this.#planNext()
  }
}
