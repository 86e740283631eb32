import type { Clock } from '../../clock.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { AccountsStore, SessionRecord } from './accounts-store.ts'
import { sessionsOverAt } from './session-lifetime.ts'

interface HeldSessionsOptions {
  readonly store: Pick<AccountsStore, 'findEndedSessions'>
  readonly clock: Clock
}

interface Held extends Pick<SessionRecord, 'tokenHash' | 'userKey'> {
  readonly onEnd: Set<() => void>
}

/**
 * Sessions by which something goes on for longer than a call, such as a stream. What this server ends is
 * told at once; what another one ends, or time, by the next `check`.
 */
export class HeldSessions {
  readonly #options: HeldSessionsOptions
  /** By the token's hash in hexadecimal. */
  readonly #held = new Map<string, Held>()

  constructor(options: HeldSessionsOptions) {
    this.#options = options
  }

  /** @returns what is to be called when it goes on no longer */
  hold(
    { tokenHash, userKey }: Pick<SessionRecord, 'tokenHash' | 'userKey'>,
    onEnd: () => void,
  ): () => void {
    const key = keyOf(tokenHash)
    const held = this.#held.get(key) ?? { tokenHash, userKey, onEnd: new Set() }
    this.#held.set(key, held)
    held.onEnd.add(onEnd)
    return () => {
      held.onEnd.delete(onEnd)
      if (held.onEnd.size === 0 && this.#held.get(key) === held) this.#held.delete(key)
    }
  }

  noteEnd(tokenHash: Uint8Array): void {
    const key = keyOf(tokenHash)
    const held = this.#held.get(key)
    if (held === undefined) return
    this.#held.delete(key)
    for (const onEnd of held.onEnd) onEnd()
  }

  /** To be called when all sessions of a user have ended. */
  noteUserEnd(userKey: number): void {
    for (const held of this.#held.values()) {
      if (held.userKey === userKey) this.noteEnd(held.tokenHash)
    }
  }

  /** Looks for those that have ended without a word: one query, of some 10 ms for 5000 that are held. */
  async check(): Promise<void> {
    if (this.#held.size === 0) return
    const { store, clock } = this.#options
    const nowMs = clock()
    const hashes = [...this.#held.values()].map(({ tokenHash }) => tokenHash)
    try {
      const ended = await store.findEndedSessions(hashes, { nowMs, ...sessionsOverAt(nowMs) })
      for (const tokenHash of ended) this.noteEnd(tokenHash)
    } catch (error) {
      // Calls say that it is away, and a session is asked for anyway before anything is sent by it.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
}

function keyOf(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('hex')
}
