/** One measured figure. */
export interface BenchRow {
  readonly name: string
  /** Where the same is measured for several: how cost grows is shown from these. */
  readonly devices?: number
  readonly value: number
  readonly unit: 'µs' | 'ms' | 'kB' | 'MB' | 'MB/s' | 'calls' | 'calls/s' | 'frames'
  /** The same of the plainest thing that could do it, measured in the same run. */
  readonly reference?: number
  /** The most that `value` may be. */
  readonly atMost?: number
  /** The least that `value` may be. */
  readonly atLeast?: number
}

/** A group of figures, which takes its own time and cleans up after itself. */
export type Scenario = () => Promise<readonly BenchRow[]>

export function isHeld({ value, atMost, atLeast }: BenchRow): boolean {
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast)
}
