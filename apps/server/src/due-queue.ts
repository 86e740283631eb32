interface Entry {
  readonly key: number
  readonly atMs: number
}

/** Keys in the order of times, as a binary heap. Setting a key again moves it. */
export class DueQueue {
  /** Includes earlier times of keys, which are skipped. */
  #heap: Entry[] = []
  readonly #atMs = new Map<number, number>()

  has(key: number): boolean {
    return this.#atMs.has(key)
  }

  keys(): Iterable<number> {
    return this.#atMs.keys()
  }

  set(key: number, atMs: number): void {
    if (this.#atMs.get(key) === atMs) return
    this.#atMs.set(key, atMs)
    this.#push({ key, atMs })
    if (this.#heap.length > 2 * this.#atMs.size + 64) this.#dropEarlier()
  }

  delete(key: number): void {
    this.#atMs.delete(key)
  }

  /** Removes and returns the first key that is due by then. */
  take(untilMs: number): number | undefined {
    for (;;) {
      const [first] = this.#heap
      if (first === undefined || first.atMs > untilMs) return undefined
      this.#pop()
      if (this.#atMs.get(first.key) !== first.atMs) continue
      this.#atMs.delete(first.key)
      return first.key
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || above.atMs <= entry.atMs) break
      heap[at] = above
      at = parent
    }
    heap[at] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const moved = heap.pop()
    if (moved === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      const isRight = left !== undefined && right !== undefined && right.atMs < left.atMs
      const below = isRight ? right : left
      if (below === undefined || below.atMs >= moved.atMs) break
      heap[at] = below
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = moved
  }

  #dropEarlier(): void {
    const entries = Array.from(this.#atMs, ([key, atMs]) => ({ key, atMs }))
    // A sorted array is a heap.
    this.#heap = entries.toSorted((a, b) => a.atMs - b.atMs)
  }
}
