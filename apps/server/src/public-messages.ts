/** How long changes wait for others to be sent with. */
export const batchMs = 150
/** More changes at once than this are told by `reload`: the compressed list is smaller. */
const changesMax = 20_000

/** What everybody may know of, each kind with messages of its own. */
export type PublicKind = 'device' | 'island'

/** What happened to a thing as the public sees it; of one that is gone, the id is still needed. */
export type PublicChange = 'changed' | { readonly removedId: string }

interface PublicMessage {
  readonly type: PublicKind | `${PublicKind}-removed`
  readonly key: number
  readonly payload: Uint8Array
}

/** What goes to everybody who listens. */
export interface PublicFeed {
  /** Of the last message that was sent. */
  readonly sequence: string
  readonly send: (messages: readonly PublicMessage[]) => void
  /** Resolves when what was sent has its place, if it can have one now. */
  readonly settled: () => Promise<void>
  readonly isSettled: () => boolean
  /** Takes back what was told of a thing, from all who read it later on. */
  readonly withdraw: (kind: PublicKind, key: number) => void
  readonly reloadAll: () => void
}

/** Tells everybody of one kind of things. */
export interface KindMessages {
  readonly note: (key: number, change: PublicChange) => void
  /** Takes back what was told of a thing so far; what it is now has to be noted too. */
  readonly withdraw: (key: number) => void
  /** Forgets what is not told yet, since another server has told it or this one tells it anew. */
  readonly clear: () => void
}

/** What a list asks of the live feed, with which it shares the sequence. */
export interface ChangeSequence {
  /** Gives everything that has changed so far its place in the feed, and returns the last one. */
  readonly sealed: () => Promise<string>
  /** Whether nothing has changed since. */
  readonly isCurrent: (sequence: string) => boolean
}

interface PublicMessagesOptions {
  readonly feed: PublicFeed
  /** Calls back after `batchMs`. */
  readonly afterBatchTime: (seal: () => void) => void
  /** Called when changes were sent, with when the first of them came, by `performance.now()`. */
  readonly noteSent?: (sinceMs: number) => void
}

/** A thing as of now; undefined where not everybody may know of it. */
type JsonOf = (key: number) => Uint8Array | undefined

interface Kind {
  readonly jsonOf: JsonOf
  readonly changes: Map<number, PublicChange>
}

/**
 * Makes the messages that tell everybody of what is public ([P7]). Changes are gathered for a short
 * time, and several of one thing become one message, made once with what is true by then. All kinds are
 * sent together: what was told up to a moment is all that had changed by then.
 */
export class PublicMessages implements ChangeSequence {
  readonly #options: PublicMessagesOptions
  readonly #kinds = new Map<PublicKind, Kind>()
  #isSealAwaited = false
  #firstChangeMs = 0

  constructor(options: PublicMessagesOptions) {
    this.#options = options
  }

  /** @param jsonOf what is copied at once */
  of(kind: PublicKind, jsonOf: JsonOf): KindMessages {
    const changes = new Map<number, PublicChange>()
    this.#kinds.set(kind, { jsonOf, changes })
    const withdraw = (key: number) => this.#options.feed.withdraw(kind, key)
    return {
      note: (key, change) => {
        this.#noteChange()
        if (typeof change === 'object') withdraw(key)
        // Also of one that nobody was told of: another server's list may have had it already.
        changes.set(key, change)
        this.#awaitSeal()
      },
      withdraw,
      clear: () => changes.clear(),
    }
  }

  /** Sends what has changed so far, and returns the sequence of the last message that has its place. */
  seal(): string {
    const { feed, noteSent } = this.#options
    const messages: PublicMessage[] = []
    for (const [kind, { jsonOf, changes }] of this.#kinds) {
      for (const [key, change] of changes) messages.push(messageOf(kind, key, change, jsonOf))
      changes.clear()
    }
    if (messages.length > 0) {
      feed.send(messages)
      noteSent?.(this.#firstChangeMs)
    }
    return feed.sequence
  }

  /** The same, of all of these messages where they can have their places now. */
  async sealed(): Promise<string> {
    const { feed } = this.#options
    this.seal()
    if (!feed.isSettled()) await feed.settled()
    return feed.sequence
  }

  /** Whether nothing has changed since. */
  isCurrent(sequence: string): boolean {
    const { feed } = this.#options
    return this.#count() === 0 && feed.isSettled() && sequence === feed.sequence
  }

  #noteChange(): void {
    if (this.#count() === 0) this.#firstChangeMs = performance.now()
  }

  #awaitSeal(): void {
    const { feed, afterBatchTime } = this.#options
    if (this.#count() > changesMax) {
      for (const { changes } of this.#kinds.values()) changes.clear()
      feed.reloadAll()
      return
    }
    if (this.#isSealAwaited) return
    this.#isSealAwaited = true
    afterBatchTime(() => {
      this.#isSealAwaited = false
      this.seal()
    })
  }

  #count(): number {
    let count = 0
    for (const { changes } of this.#kinds.values()) count += changes.size
    return count
  }
}

function messageOf(
  kind: PublicKind,
  key: number,
  change: PublicChange,
  jsonOf: JsonOf,
): PublicMessage {
  if (typeof change === 'object') {
    const payload = Buffer.from(JSON.stringify({ id: change.removedId }))
    return { type: `${kind}-removed`, key, payload }
  }
  const payload = jsonOf(key)
  if (payload === undefined) throw new Error(`a public ${kind} is gone without a word`)
  return { type: kind, key, payload }
}
