import type { Clock } from '../../clock.ts'

/** More than the time between a page's first calls and its stream. */
const recentMs = 10_000

/** The devices or islands that changed in the last 10 seconds. */
export class RecentKeys {
  readonly #atMs = new Map<number, number>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(keys: Iterable<number>): void {
    for (const key of keys) {
      this.#atMs.delete(key)
      this.#atMs.set(key, this.#clock())
    }
    this.#deleteOld()
  }

  some(isAsked: (key: number) => boolean): boolean {
    this.#deleteOld()
    return this.#atMs.keys().some(isAsked)
  }

  #deleteOld(): void {
    const untilMs = this.#clock() - recentMs
    for (const [key, atMs] of this.#atMs) {
      if (atMs > untilMs) return
      this.#atMs.delete(key)
    }
  }
}
