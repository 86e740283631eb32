import type { Clock } from '../../clock.ts'
import { UnwrittenTimes, type RowTimes } from '../../unwritten-times.ts'
import type { DeviceTokenRecord } from './devices-store.ts'

/** Their rows may lie on a page each, and a heartbeat waits for one write at most. */
const usesPerWrite = 100
/** When nobody waits any more. */
const usesPerLastWrite = 20_000

interface TokenUsesOptions {
  readonly clock: Clock
  readonly write: (uses: RowTimes) => Promise<void>
  /** Between two writes, so that they take a small part of the disk's time. */
  readonly rest: () => Promise<void>
}

/**
 * When each device token was last used. Kept in memory and written now and then: a durable write for
 * every heartbeat would double its cost, and a crash loses at most what came since the last time.
 */
export class TokenUses {
  readonly #options: TokenUsesOptions
  readonly #unwritten = new UnwrittenTimes()

  constructor(options: TokenUsesOptions) {
    this.#options = options
  }

  note(tokenKey: number): void {
    this.#unwritten.note(tokenKey, this.#options.clock())
  }

  /** A use that is not written yet. */
  lastUsedMs(tokenKey: number): number | undefined {
    return this.#unwritten.atMs(tokenKey)
  }

  /** When it is aborted it ends after its write, and what is left is for the next one. */
  async flush(signal?: AbortSignal): Promise<void> {
    const { write, rest } = this.#options
    await this.#unwritten.flush({ write, size: usesPerWrite, rest, signal })
  }

  /** Writes all there is as fast as it goes. */
  async stop(): Promise<void> {
    await this.#unwritten.flush({ write: this.#options.write, size: usesPerLastWrite })
  }
}

/** A token with its last use, which is not written down at once. */
export function withLastUse(token: DeviceTokenRecord, uses: TokenUses): DeviceTokenRecord {
  return { ...token, lastUsedMs: uses.lastUsedMs(token.key) ?? token.lastUsedMs }
}
