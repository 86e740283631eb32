const firstCapacity = 1024
const none = 0

/** Times of some rows, in the order of their keys. */
export interface RowTimes {
  readonly keys: readonly number[]
  readonly atMs: readonly number[]
}

/**
 * The last time of each row that is known here and not yet in the row itself: 8 bytes, indexed by key,
 * for each row that ever was.
 */
export class UnwrittenTimes {
  #atMs = new Float64Array(firstCapacity)

  note(key: number, atMs: number): void {
    if (key >= this.#atMs.length) {
      const larger = new Float64Array(Math.max(key + 1, this.#atMs.length * 2))
      larger.set(this.#atMs)
      this.#atMs = larger
    }
    this.#atMs[key] = Math.max(atMs, this.#atMs[key] ?? none)
  }

  /** Undefined when the row has its last time. */
  atMs(key: number): number | undefined {
    const atMs = this.#atMs[key]
    return atMs === none ? undefined : atMs
  }

  /** The first from a key on; fewer than `limit` when there are no more. */
  slice(fromKey: number, limit: number): RowTimes {
    const keys: number[] = []
    const times: number[] = []
    const { length } = this.#atMs
    for (let key = fromKey; key < length && keys.length < limit; key += 1) {
      const atMs = this.#atMs[key] ?? none
      if (atMs === none) continue
      keys.push(key)
      times.push(atMs)
    }
    return { keys, atMs: times }
  }

  /** To be called when these are in their rows; later ones stay. */
  drop({ keys, atMs }: RowTimes): void {
    for (const [i, key] of keys.entries()) {
      if (this.#atMs[key] === atMs[i]) this.#atMs[key] = none
    }
  }
}
