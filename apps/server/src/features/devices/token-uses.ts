import type { Clock } from '../../clock.ts'
import type { TokenUse } from './devices-store.ts'

/**
 * When each device token was last used. Kept in memory and written now and then: a durable write for
 * every heartbeat would double its cost, and a crash loses at most the last few seconds of it.
 */
export class TokenUses {
  readonly #clock: Clock
  readonly #write: (uses: readonly TokenUse[]) => Promise<void>
  readonly #unwritten = new Map<number, number>()

  constructor(clock: Clock, write: (uses: readonly TokenUse[]) => Promise<void>) {
    this.#clock = clock
    this.#write = write
  }

  note(tokenKey: number): void {
    this.#unwritten.set(tokenKey, this.#clock())
  }

  /** A use that is not written yet. */
  lastUsedMs(tokenKey: number): number | undefined {
    return this.#unwritten.get(tokenKey)
  }

  async flush(): Promise<void> {
    if (this.#unwritten.size === 0) return
    const uses = [...this.#unwritten].map(([tokenKey, atMs]) => ({ tokenKey, atMs }))
    await this.#write(uses)
    for (const { tokenKey, atMs } of uses) {
      if (this.#unwritten.get(tokenKey) === atMs) this.#unwritten.delete(tokenKey)
    }
  }
}
