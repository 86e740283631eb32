import { silentAfterMs } from '../storage/postgres-instance.ts'
import type { Silence } from './cluster.ts'

const dayMs = 86_400_000
/** How long a server that is gone may take to return. After that its devices are judged like all others. */
const longestSilenceMs = 60_000

/** The part of a server's row in `writers` that tells whether it is alive. */
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
 * The spans in which a server gave no sign of life: the last one, and the time since its last sign. For a
 * server that is still alive the latter is a moment, during which its devices are not judged yet. For this
 * server it is nothing.
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
