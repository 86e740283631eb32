/** What one measurement takes on an idle machine like the one that budgets were set on. */
const idleMs = 12
const everyMs = 1000
const numbers = 100_000

interface Sample {
  readonly atMs: number
  /** By the clock: what else runs counts. */
  readonly slowness: number
  /** By the processor's time alone. */
  readonly processorSlowness: number
}

/**
 * Tells how many times slower than an idle machine this one is: a small task of always the same size
 * is timed each second, which costs a hundredth of a core.
 */
export class MachinePace {
  readonly #samples: Sample[] = []
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
    return meanwhile.length === 0 ? 1 : Math.max(1, meanOf(meanwhile))
  }

  /** The mean of all that was measured, whatever else ran meanwhile; below 1 on a faster processor. */
  processorSlowness(): number {
    return meanOf(this.#samples.map((sample) => sample.processorSlowness))
  }

  #measure(): void {
    const values = Float64Array.from({ length: numbers }, (_, i) => (i * 7919) % 100_003)
    const startedMs = performance.now()
    const before = process.threadCpuUsage()
    values.sort()
    const { user, system } = process.threadCpuUsage(before)
    this.#samples.push({
      atMs: Date.now(),
      slowness: (performance.now() - startedMs) / idleMs,
      processorSlowness: (user + system) / 1000 / idleMs,
    })
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
