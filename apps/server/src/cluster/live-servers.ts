import { silentAfterMs } from '../storage/postgres-instance.ts'
import { Topic } from '../topic.ts'
import type { ClusterState, WriterState } from './cluster-store.ts'
import type { Silence } from './cluster.ts'

const dayMs = 86_400_000
/** How long a server that is gone may take to return. After that its devices are judged like all others. */
const longestSilenceMs = 60_000

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
