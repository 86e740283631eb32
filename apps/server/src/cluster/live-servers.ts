import { silentAfterMs } from '../storage/postgres-instance.ts'
import { Topic } from '../topic.ts'
import type { ClusterState, WriterState } from './cluster-store.ts'
import type { Silence } from './cluster.ts'

const dayMs = 86_400_000
/** How long a server that is gone may take to return. After that its devices are judged like all others. */
const longestSilenceMs = 60_000

/** Which servers are alive and when each was silent, as this server read it last. */
export class LiveServers {
  readonly #writer: number
  readonly #changes = new Topic()
  #alive: ReadonlySet<number> = new Set()
  #silences: ReadonlyMap<number, readonly Silence[]> = new Map()

  constructor(writer: number) {
    this.#writer = writer
  }

  get count(): number {
    return Math.max(1, this.#alive.size)
  }

  get silences(): ReadonlyMap<number, readonly Silence[]> {
    return this.#silences
  }

  has(writer: number): boolean {
    return this.#alive.has(writer)
  }

  onChange(listener: () => void): void {
    this.#changes.subscribe(listener)
  }

  update({ writers, nowMs }: ClusterState): void {
    this.#silences = new Map(
      writers.map((state) => [
        state.writer,
        silencesOf(state, nowMs, state.writer === this.#writer),
      ]),
    )
    const before = this.#alive
    const alive = writers.filter(
      ({ alive_ms, is_running }) => is_running && nowMs - alive_ms <= silentAfterMs,
    )
    this.#alive = new Set(alive.map(({ writer }) => writer))
    const isSame = before.size === this.#alive.size && [...before].every((one) => this.has(one))
    if (!isSame) this.#changes.publish()
  }
}

/**
 * The spans in which a server gave no sign of life: the last one, and the time since its last sign. For a
 * server that is still alive the latter is a moment, during which its devices are not judged yet. For this
 * server it is nothing.
 */
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
