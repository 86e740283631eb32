/** One measured figure. */
export interface BenchRow {
  readonly name: string
  /** For figures that are measured with several numbers of devices. The growth table uses it. */
  readonly devices?: number
  readonly value: number
  readonly unit: 'µs' | 'ms' | 'kB' | 'MB' | 'MB/s' | 'calls' | 'calls/s' | 'frames'
  /** The same figure of the simplest program that could do it, from the same run. */
  readonly reference?: number
  /** The budget: the highest allowed `value`. */
  readonly atMost?: number
  /** The budget: the lowest allowed `value`. */
  readonly atLeast?: number
}

export interface BenchOptions {
  /** A Git reference, to measure its version in the same run. */
  readonly before?: string | undefined
}

/** Measures a group of figures, and cleans up after itself. */
export type Scenario = (options: BenchOptions) => Promise<readonly BenchRow[]>

export function isHeld({ value, atMost, atLeast }: BenchRow): boolean {
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast)
}
