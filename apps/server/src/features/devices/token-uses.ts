import type { Clock } from '../../clock.ts'
import { UnwrittenTimes, type RowTimes } from '../../unwritten-times.ts'

/** Each row may be on a different page, and a heartbeat may have to wait for one such write. */
const usesPerWrite = 100
/** For the final write, when no heartbeat waits any more. */
const usesPerLastWrite = 20_000

interface TokenUsesOptions {
  readonly clock: Clock
  readonly write: (uses: RowTimes) => Promise<void>
  /** A pause between two writes, which limits their share of the disk's time. */
  readonly rest: () => Promise<void>
}

/**
 * When each device token was last used. Uses stay in memory and are written now and then, because a durable
 * write would double the cost of a heartbeat. A crash loses at most the uses since the last write.
 */
export class TokenUses {
  readonly #options: TokenUsesOptions
  readonly #unwritten = new UnwrittenTimes()

  constructor(options: TokenUsesOptions) {
    this.#options = options
  }

  record(tokenKey: number): void {
    this.#unwritten.note(tokenKey, this.#options.clock())
  }

  /** The last use, if it is not written yet. */
  lastUsedMs(tokenKey: number): number | undefined {
    return this.#unwritten.atMs(tokenKey)
  }

  /** When aborted, it ends after the current write, and the next call does the rest. */
  async flush(signal?: AbortSignal): Promise<void> {
    const { write, rest } = this.#options
    await this.#unwritten.flush({ write, size: usesPerWrite, rest, signal })
  }

  /** Writes everything without pauses. */
  async stop(): Promise<void> {
    await this.#unwritten.flush({ write: this.#options.write, size: usesPerLastWrite })
  }
}
