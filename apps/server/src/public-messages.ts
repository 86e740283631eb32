import { Topic } from './topic.ts'

/** How long a change waits for others to be sent with. */
export const batchMs = 150
/** With more changes at once, `reload` is sent: the compressed list is smaller. */
const changesMax = 20_000

export const publicKinds = [
  'device',
  'island',
  'neighbour',
  'neighbour-device',
  'neighbour-island',
] as const
export type PublicKind = (typeof publicKinds)[number]

/** A change as the public sees it. If the subject is gone, its id is still needed. */
export type PublicChange = 'changed' | { readonly removedId: string }

export interface PublicMessage {
  readonly type: PublicKind | `${PublicKind}-removed`
  readonly key: number
  readonly payload: Uint8Array
}

export interface PublicFeed {
  /** The number of the last message that was sent. */
  readonly sequence: string
  readonly send: (messages: readonly PublicMessage[]) => void
  /** Resolves when everything that was sent has its place in the feed, if it can have one now. */
  readonly settled: () => Promise<void>
  readonly isSettled: () => boolean
  /** Withdraws the messages about a subject from everybody who reads later. */
  readonly withdraw: (kind: PublicKind, key: number) => void
  readonly reloadAll: () => void
}

export type KindMessages = ReturnType<PublicMessages['of']>

export type ChangeSequence = Pick<PublicMessages, 'sealed' | 'isCurrent'>

interface PublicMessagesOptions {
  readonly feed: PublicFeed
  readonly afterBatchTime: (seal: () => void) => void
  /** Called after changes were sent, with the `performance.now()` of the first of them. */
  readonly recordSent?: (sinceMs: number) => void
}

/** The subject as of now; undefined if not everybody may know about it. */
type JsonOf = (key: number) => Uint8Array | undefined

interface Kind {
  readonly jsonOf: JsonOf
  readonly changes: Map<number, PublicChange>
}

/**
 * Makes the messages about public subjects ([P7]). Changes are gathered for a short time, and several
 * changes of one subject become one message. All kinds are sent together, so that the messages up to a
 * moment cover every change up to it.
 */
export class PublicMessages {
  readonly #options: PublicMessagesOptions
  readonly #kinds = new Map<PublicKind, Kind>()
  readonly #withdrawals = new Topic<[kind: PublicKind, key: number]>()
  #isSealAwaited = false
  #firstChangeMs = 0

  constructor(options: PublicMessagesOptions) {
    this.#options = options
  }

  /** Called after everybody may know less of a subject than before. */
  readonly onWithdraw = this.#withdrawals.subscribe

  /** @param jsonOf its result is copied at once */
  of(kind: PublicKind, jsonOf: JsonOf) {
    const changes = new Map<number, PublicChange>()
    this.#kinds.set(kind, { jsonOf, changes })
    const withdraw = (key: number) => {
      this.#options.feed.withdraw(kind, key)
      this.#withdrawals.publish(kind, key)
    }
    return {
      note: (key: number, change: PublicChange): void => {
        if (this.#count() === 0) this.#firstChangeMs = performance.now()
        if (typeof change === 'object') withdraw(key)
        // Also for a subject without any message: another server's list may contain it already.
        changes.set(key, change)
        this.#awaitSeal()
      },
      /** Withdraws the messages about a subject so far. Note its present state too. */
      withdraw,
      /** Drops what was not sent yet, because another server has sent it or this one will anew. */
      clear: (): void => changes.clear(),
    }
  }

  /** Sends every change so far, and returns the sequence of the last message that has its place. */
  seal(): string {
    const { feed, recordSent } = this.#options
    const messages: PublicMessage[] = []
    for (const [kind, { jsonOf, changes }] of this.#kinds) {
      for (const [key, change] of changes) messages.push(messageOf(kind, key, change, jsonOf))
      changes.clear()
    }
    if (messages.length > 0) {
      feed.send(messages)
      recordSent?.(this.#firstChangeMs)
    }
    return feed.sequence
  }

  /** Gives every change so far its place in the feed, if it can have one, and returns the last one. */
  async sealed(): Promise<string> {
    const { feed } = this.#options
    this.seal()
    if (!feed.isSettled()) await feed.settled()
    return feed.sequence
  }

  isCurrent(sequence: string): boolean {
    const { feed } = this.#options
    return this.#count() === 0 && feed.isSettled() && sequence === feed.sequence
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
  if (payload === undefined) throw new Error(`a public ${kind} is gone without a removal`)
  return { type: kind, key, payload }
}
