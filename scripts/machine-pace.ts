/** What one measurement takes on an idle machine like the one that the tests' budgets were set on. */
const idleMs = 12
const everyMs = 1000
const numbers = 100_000

/**
 * Tells how many times slower than an idle machine this one is: a small task of always the same size
 * is timed each second, which costs a hundredth of a core.
 */
export class MachinePace {
  readonly #samples: { readonly atMs: number; readonly slowness: number }[] = []
  #timer: NodeJS.Timeout | undefined

  start(): void {
    this.#measure()
    this.#timer = setInterval(() => this.#measure(), everyMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** At least 1: the mean of what was measured in a span of time, and of the last one before it. */
  slowness(fromMs: number, toMs: number): number {
    const first = this.#samples.findLastIndex(({ atMs }) => atMs <= fromMs)
    const meanwhile = this.#samples
      .slice(Math.max(0, first))
      .filter(({ atMs }) => atMs <= toMs)
      .map((sample) => sample.slowness)
    const sum = meanwhile.reduce((total, slowness) => total + slowness, 0)
    return meanwhile.length === 0 ? 1 : Math.max(1, sum / meanwhile.length)
  }

  #measure(): void {
    const values = Float64Array.from({ length: numbers }, (_, i) => (i * 7919) % 100_003)
    const startedMs = performance.now()
    values.sort()
    this.#samples.push({ atMs: Date.now(), slowness: (performance.now() - startedMs) / idleMs })
  }
}
