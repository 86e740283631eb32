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

export type TokenUses = ReturnType<typeof createTokenUses>

/**
 * When each device token was last used. Uses stay in memory and are written now and then, because a durable
 * write would double the cost of a heartbeat. A crash loses at most the uses since the last write.
 */
export function createTokenUses({ clock, write, rest }: TokenUsesOptions) {
  const unwritten = new UnwrittenTimes()
  return {
    record: (tokenKey: number): void => unwritten.note(tokenKey, clock()),
    /** The last use, if it is not written yet. */
    lastUsedMs: (tokenKey: number) => unwritten.atMs(tokenKey),
    /** When aborted, it ends after the current write, and the next call does the rest. */
    flush: async (signal?: AbortSignal): Promise<void> => {
      await unwritten.flush({ write, size: usesPerWrite, rest, signal })
    },
    /** Writes everything without pauses. */
    stop: async (): Promise<void> => {
      await unwritten.flush({ write, size: usesPerLastWrite })
    },
  }
}
