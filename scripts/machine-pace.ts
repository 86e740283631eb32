/** Duration of one measurement on an idle machine like the one that the budgets were set on. */
const idleMs = 12
const everyMs = 1000
const numbers = 100_000

interface Sample {
  readonly atMs: number
  /** By wall-clock time, so other processes count. */
  readonly slowness: number
  /** By this thread's processor time. */
  readonly processorSlowness: number
}

/**
 * Measures how many times slower than an idle machine this one is. It times a small fixed task each second,
 * which costs a hundredth of a core.
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

  /** The mean of the measurements in a span of time and of the last one before it, at least 1. */
  slowness(fromMs: number, toMs: number): number {
    const first = this.#samples.findLastIndex(({ atMs }) => atMs <= fromMs)
    const meanwhile = this.#samples
      .slice(Math.max(0, first))
      .filter(({ atMs }) => atMs <= toMs)
      .map((sample) => sample.slowness)
    return meanwhile.length === 0 ? 1 : Math.max(1, meanOf(meanwhile))
  }

  /** The mean of all measurements, independent of other processes. Below 1 on a faster processor. */
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
