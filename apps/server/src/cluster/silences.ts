import { silentAfterMs } from '../storage/postgres-instance.ts'
import type { Silence } from './cluster.ts'

const dayMs = 86_400_000
/** As long as a server that is gone may take to be back: then its devices are judged as all others. */
const longestSilenceMs = 60_000

/** What a server's row in `writers` says of its life. */
export interface WriterLife {
  readonly writer: number
  readonly alive_ms: number
  readonly silent_from_ms: number | null
  readonly silent_to_ms: number | null
  readonly is_running: boolean
}

export function isAlive({ alive_ms, is_running }: WriterLife, nowMs: number): boolean {
  return is_running && nowMs - alive_ms <= silentAfterMs
}

/**
 * When a server's word was missing: the last time, and since it last said that it lives. Of one that still
 * does that is a moment, for which its devices wait to be judged; of this one it is none.
 */
export function silencesOf(
  { alive_ms, silent_from_ms, silent_to_ms }: WriterLife,
  nowMs: number,
  isThisOne: boolean,
): readonly Silence[] {
  const sinceMs = nowMs - dayMs
  const past =
    silent_from_ms === null || silent_to_ms === null || silent_to_ms < sinceMs
      ? []
      : [{ fromMs: silent_from_ms, toMs: silent_to_ms }]
  if (isThisOne || alive_ms < sinceMs) return past
  return [...past, { fromMs: alive_ms, toMs: Math.min(nowMs, alive_ms + longestSilenceMs) }]
}
