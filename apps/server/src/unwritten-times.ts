const firstCapacity = 1024
const none = 0

/** Times of some rows, in the order of their keys. */
export interface RowTimes {
  readonly keys: readonly number[]
  readonly atMs: readonly number[]
}

export interface FlushOptions {
  /** Takes a step; later times of the same rows may come while it runs. */
  readonly write: (times: RowTimes) => Promise<void>
  /** Rows in one step: their pages may be as many, and others wait for it. */
  readonly size: number
  /** Between two steps, so that they take a small part of the disk's time. */
  readonly rest?: () => Promise<void>
  /** When it is aborted the flush ends after its step, and what is left is for the next one. */
  readonly signal?: AbortSignal | undefined
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

  /**
   * Writes all of them, a step at a time in the order of the rows: neighbours share a page.
   * @returns false when it was aborted before the end
   */
  async flush({ write, size, rest, signal }: FlushOptions): Promise<boolean> {
    for (let fromKey = 0; ;) {
      const times = this.#slice(fromKey, size)
      const lastKey = times.keys.at(-1)
      if (lastKey === undefined) return true
      await write(times)
      this.drop(times)
      fromKey = lastKey + 1
      await rest?.()
      if (signal?.aborted === true) return false
    }
  }

  /** The first from a key on; fewer than `limit` when there are no more. */
  #slice(fromKey: number, limit: number): RowTimes {
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
