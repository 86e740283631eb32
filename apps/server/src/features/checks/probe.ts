import type { CheckTarget } from '@astropelago/contract/checks'

export type ProbedTarget = Exclude<CheckTarget, { kind: 'push' }>

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
