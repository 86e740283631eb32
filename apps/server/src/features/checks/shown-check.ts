import type { DayTotals, SeenShare } from '../../history/time-spans.ts'
import type { CheckEvent, CheckRecord, CheckState } from './checks-store.ts'

/** A public check as everybody may see it, without its address and notes. */
export interface ShownCheck extends Pick<CheckRecord, 'key' | 'id' | 'name'> {
  readonly status: CheckState['status']
  /** Null if that is unknown, or was before it became public. */
  readonly sinceMs: number | null
  readonly publicMs: number
  /** Since it became public. */
  readonly readPast: () => Promise<{
    readonly days: readonly DayTotals[]
    readonly share: (forMs: number) => SeenShare
  }>
  /** Of the last 90 days since it became public, oldest first. */
  readonly readEvents: () => Promise<readonly Pick<CheckEvent, 'atMs' | 'kind'>[]>
}
