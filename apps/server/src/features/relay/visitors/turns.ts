/**
 * How many requests begin in one turn of the event loop. One takes about 130 µs, so a turn takes 8 ms. If
 * all 256 of an island began in one turn, everything else would wait more than 30 ms. With 16, a server
 * whose turns are long for other reasons began only a few hundred a second.
 */
const startsPerTurn = 64

/** Begins requests in fair shares: a flood for one island delays the others by one turn at most. */
export class Turns {
  readonly #startsPerTurn: number
  readonly #inNextTurn: (run: () => void) => void
  readonly #waiting = new Map<number, (() => void)[]>()
  #startsLeft: number
  #isNextDue = false

  constructor(
    options: {
      readonly startsPerTurn: number
      readonly inNextTurn: (run: () => void) => void
    } = { startsPerTurn, inNextTurn: setImmediate },
  ) {
    this.#startsPerTurn = options.startsPerTurn
    this.#inNextTurn = options.inNextTurn
    this.#startsLeft = options.startsPerTurn
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
    this.#inNextTurn(() => {
      this.#isNextDue = false
      this.#startsLeft = this.#startsPerTurn
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
