import { dayMs } from '../history/time-spans.ts'
import { silentAfterMs } from '../storage/postgres-instance.ts'
import { Topic } from '../topic.ts'
import type { ClusterState, WriterState } from './cluster-store.ts'
import type { Silence } from './cluster.ts'

/** How long a server that is gone may take to return. After that its devices are judged like all others. */
const longestSilenceMs = 60_000

export type LiveServers = ReturnType<typeof createLiveServers>

export function createLiveServers(self: number) {
  const changes = new Topic()
  let alive: ReadonlySet<number> = new Set()
  let silences: ReadonlyMap<number, readonly Silence[]> = new Map()
  return {
    count: (): number => Math.max(1, alive.size),
    silences: () => silences,
    has: (writer: number): boolean => alive.has(writer),
    onChange: changes.subscribe,
    update: ({ writers, nowMs }: ClusterState): void => {
      silences = new Map(
        writers.map((state) => [state.writer, silencesOf(state, nowMs, state.writer === self)]),
      )
      const before = alive
      alive = new Set(
        writers
          .filter(({ alive_ms, is_running }) => is_running && nowMs - alive_ms <= silentAfterMs)
          .map(({ writer }) => writer),
      )
      if (alive.symmetricDifference(before).size > 0) changes.publish()
    },
  }
}

/** The last span without a sign of life, and the time since the last sign, in which devices are not judged. */
function silencesOf(
  { alive_ms, silent_from_ms, silent_to_ms }: WriterState,
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
