import type { CheckStatus } from '@astropelago/contract/checks'
import {
  applyDoubts,
  applyResult,
  decide,
  hasLostVote,
  votesOf,
  type Decision,
  type LocationState,
} from './quorum.ts'

/** How late the result of a period may come. */
const slackMs = 15_000

/** What locations say of one check. */
export class CheckVotes {
  readonly #ownerKey: number
  readonly #states = new Map<number, LocationState>()
  #doubts: ReadonlyMap<number, number>

  /** @param doubts since when locations have disagreed with all others */
  constructor(ownerKey: number, doubts: ReadonlyMap<number, number> = new Map()) {
    this.#ownerKey = ownerKey
    this.#doubts = doubts
  }

  get doubts(): ReadonlyMap<number, number> {
    return this.#doubts
  }

  take(result: Parameters<typeof applyResult>[1]): void {
    const { locationKey } = result
    this.#states.set(locationKey, applyResult(this.#states.get(locationKey), result))
  }

  hasVote(locationKey: number, nowMs: number): boolean {
    return !hasLostVote(this.#doubts.get(locationKey), nowMs)
  }

  decide(
    server: CheckStatus,
    { nowMs, periodMs }: { readonly nowMs: number; readonly periodMs: number },
  ): Decision {
    const sinceMs = nowMs - periodMs - slackMs
    for (const [key, { atMs }] of this.#states) if (atMs < sinceMs) this.#states.delete(key)
    const heard = [...this.#states.values()].filter(({ locationKey }) =>
      this.hasVote(locationKey, nowMs),
    )
    const decision = decide(server, votesOf(heard, this.#ownerKey))
    this.#doubts = applyDoubts(this.#doubts, decision, nowMs)
    return decision
  }
}
