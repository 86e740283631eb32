import type { Clock } from '../../clock.ts'
import type { TokenUse } from './devices-store.ts'

/** Uses in one write, so that heartbeats get their turn between two of them. */
const usesPerWrite = 1000

/**
 * When each device token was last used. Kept in memory and written now and then: a durable write for
 * every heartbeat would double its cost, and a crash loses at most what came since the last time.
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
    // In the order of the rows: neighbours share a page.
    const tokenKeys = Int32Array.from(this.#unwritten.keys()).toSorted()
    for (let from = 0; from < tokenKeys.length; from += usesPerWrite) {
      await this.#flushSome(tokenKeys.subarray(from, from + usesPerWrite))
    }
  }

  async #flushSome(tokenKeys: Int32Array): Promise<void> {
    const uses: TokenUse[] = []
    for (const tokenKey of tokenKeys) {
      const atMs = this.#unwritten.get(tokenKey)
      if (atMs !== undefined) uses.push({ tokenKey, atMs })
    }
    await this.#write(uses)
    for (const { tokenKey, atMs } of uses) {
      if (this.#unwritten.get(tokenKey) === atMs) this.#unwritten.delete(tokenKey)
    }
  }
}
