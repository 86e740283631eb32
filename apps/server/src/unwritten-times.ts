const firstCapacity = 1024
const none = 0

export interface RowTimes {
  readonly keys: readonly number[]
  readonly atMs: readonly number[]
}

export interface FlushOptions {
  /** Writes one step. Later times of the same rows may arrive meanwhile. */
  readonly write: (times: RowTimes) => Promise<void>
  /** Rows in one step. Each may lie on a page of its own, and others wait for the step. */
  readonly size: number
  /** Pause between two steps, which limits their share of the disk's time. */
  readonly rest?: () => Promise<void>
  readonly signal?: AbortSignal | undefined
}

/** The last time of each row that is not yet written: 8 bytes, by key, for each row that ever was. */
export class UnwrittenTimes {
  #atMs = new Float64Array(firstCapacity)

  record(key: number, atMs: number): void {
    if (key >= this.#atMs.length) {
      const larger = new Float64Array(Math.max(key + 1, this.#atMs.length * 2))
      larger.set(this.#atMs)
      this.#atMs = larger
    }
    this.#atMs[key] = Math.max(atMs, this.#atMs[key] ?? none)
  }

  /** Undefined when the row's last time is written. */
  atMs(key: number): number | undefined {
    const atMs = this.#atMs[key]
    return atMs === none ? undefined : atMs
  }

  /** Writes in the order of the rows, because neighbours share a page. @returns false if aborted */
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

  /** Call it when these times are written. Later ones stay. */
  drop({ keys, atMs }: RowTimes): void {
    for (const [i, key] of keys.entries()) {
      if (this.#atMs[key] === atMs[i]) this.#atMs[key] = none
    }
  }
}
