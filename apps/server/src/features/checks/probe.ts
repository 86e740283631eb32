import type { CheckTarget } from '@astropelago/contract/checks'
import type { CheckRecord } from './checks-store.ts'

export type ProbedTarget = Exclude<CheckTarget, { kind: 'push' }>

/** What others may look at; undefined if nobody but the owner's device looks, or nobody at all. */
export function sharedTarget({
  target,
  device,
}: Pick<CheckRecord, 'target' | 'device'>): ProbedTarget | undefined {
  return device !== null || target.kind === 'push' || target.kind === 'ping' ? undefined : target
}

export type ProbeResult =
  | { readonly isUp: true; readonly tookMs: number }
  | {
      readonly isUp: false
      /** Null if nothing answered. */
      readonly tookMs: number | null
      /** Why it failed, in a sentence for its owner. */
      readonly note: string
      /** Nobody could look, which says nothing about the target. */
      readonly isUnseen?: true
    }

/**
 * Looks at a target once. Never throws, and resolves within the target's `timeoutS`, or at once when the
 * signal aborts.
 */
export type Probe = (target: ProbedTarget, signal: AbortSignal) => Promise<ProbeResult>
