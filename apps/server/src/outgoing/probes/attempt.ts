import type { ProbeResult } from '../../features/checks/probe.ts'
import type { AddressJudge } from '../judge-addresses.ts'

/** One look at a target. */
export interface Attempt {
  readonly judge: AddressJudge
  /** Aborts when its time is over. Whatever it opened has to close then. */
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly nowMs: number
  /** Since its beginning. */
  readonly tookMs: () => number
  /** Certificates that are trusted instead of the usual ones. */
  readonly ca: string | undefined
}

export function failed(note: string, tookMs: number | null = null): ProbeResult {
  return { isUp: false, tookMs, note }
}
