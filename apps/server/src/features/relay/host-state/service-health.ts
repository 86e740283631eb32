import type { ServiceFailure } from '@astropelago/contract/island-relay'
import type { Clock } from '../../../clock.ts'

const dayMs = 86_400_000

interface Health {
  checkedMs: number
  failing: { readonly why: ServiceFailure; readonly sinceMs: number } | null
  visits: number
  countedMs: number
}

/** What recent requests showed about the services of islands. */
export class ServiceHealth {
  readonly #byIsland = new Map<number, Health>()
  readonly #clock: Clock
  readonly #startMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startMs = clock()
  }

  recordAnswer(islandKey: number): void {
    const health = this.#take(islandKey)
    health.checkedMs = this.#clock()
    health.failing = null
  }

  recordFailure(islandKey: number, why: ServiceFailure): void {
    const health = this.#take(islandKey)
    health.checkedMs = this.#clock()
    if (health.failing?.why !== why) health.failing = { why, sinceMs: health.checkedMs }
  }

  countVisit(islandKey: number): void {
    this.#take(islandKey).visits += 1
  }

  failing(islandKey: number): Health['failing'] {
    return this.#byIsland.get(islandKey)?.failing ?? null
  }

  /** When a request last showed whether the service answers; -Infinity if none did. */
  checkedMs(islandKey: number): number {
    return this.#byIsland.get(islandKey)?.checkedMs ?? -Infinity
  }

  /** Counts since midnight UTC, or since this server started. */
  visits(islandKey: number): { readonly count: number; readonly sinceMs: number } {
    const sinceMs = this.#countedSinceMs()
    const health = this.#byIsland.get(islandKey)
    return { count: health?.countedMs === sinceMs ? health.visits : 0, sinceMs }
  }

  forget(islandKey: number): void {
    this.#byIsland.delete(islandKey)
  }

  #take(islandKey: number): Health {
    const countedMs = this.#countedSinceMs()
    let health = this.#byIsland.get(islandKey)
    if (health === undefined) {
      health = { checkedMs: -Infinity, failing: null, visits: 0, countedMs }
      this.#byIsland.set(islandKey, health)
    } else if (health.countedMs !== countedMs) {
      health.visits = 0
      health.countedMs = countedMs
    }
    return health
  }

  #countedSinceMs(): number {
    const nowMs = this.#clock()
    return Math.max(this.#startMs, nowMs - (nowMs % dayMs))
  }
}
