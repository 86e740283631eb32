/** One measured figure. */
export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'kB' | 'calls' | 'frames'
  /** The same of the plainest thing that could do it, measured in the same run. */
  readonly reference?: number
  /** The most that `value` may be. */
  readonly atMost?: number
}

/** A group of figures, which takes its own time and cleans up after itself. */
export type Scenario = () => Promise<readonly BenchRow[]>

export function isHeld({ value, atMost }: BenchRow): boolean {
  return atMost === undefined || value <= atMost
}
