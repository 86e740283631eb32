/** How long changes wait for others to be sent with. */
export const batchMs = 150
/** More changes at once than this are told by `reload`: the compressed list is smaller. */
const changesMax = 20_000

/** What happened to a device as the public sees it; of one that is gone, the id is still needed. */
type Change = 'changed' | { readonly removedId: string }

interface PublicMessage {
  readonly type: 'device' | 'device-removed'
  readonly key: number
  readonly payload: Uint8Array
}

/** What goes to everybody who listens; `app.ts` hands it in. */
export interface PublicFeed {
  /** Of the last message that was sent. */
  readonly sequence: string
  readonly send: (messages: readonly PublicMessage[]) => void
  /** Resolves when what was sent has its place, if it can have one now. */
  readonly settled: () => Promise<void>
  readonly isSettled: () => boolean
  /** Takes back what was told of a device, from all who read it later on. */
  readonly withdraw: (type: 'device', deviceKey: number) => void
  readonly reloadAll: () => void
}

interface PublicMessagesOptions {
  readonly devices: {
    /** A public device as of now; undefined for every other one. */
    readonly json: (deviceKey: number) => Uint8Array | undefined
  }
  readonly feed: PublicFeed
  /** Calls back after `batchMs`. */
  readonly afterBatchTime: (seal: () => void) => void
  /** Called when changes were sent, with when the first of them came, by `performance.now()`. */
  readonly noteSent?: (sinceMs: number) => void
}

/**
 * Makes the messages that tell everybody of public devices ([P7]). Changes are gathered for a short
 * time, and several of one device become one message, made once with what is true by then.
 */
export class PublicMessages {
  readonly #options: PublicMessagesOptions
  readonly #changes = new Map<number, Change>()
  #isSealAwaited = false
  #firstChangeMs = 0

  constructor(options: PublicMessagesOptions) {
    this.#options = options
  }

  note(deviceKey: number, change: Change): void {
    const { feed, afterBatchTime } = this.#options
    if (this.#changes.size === 0) this.#firstChangeMs = performance.now()
    if (typeof change === 'object') this.withdraw(deviceKey)
    // Also of a device that nobody was told of: another server's list may have had it already.
    this.#changes.set(deviceKey, change)
    if (this.#changes.size > changesMax) {
      this.#changes.clear()
      feed.reloadAll()
    }
    if (this.#isSealAwaited || this.#changes.size === 0) return
    this.#isSealAwaited = true
    afterBatchTime(() => {
      this.#isSealAwaited = false
      this.seal()
    })
  }

  /** Forgets what is not told yet, since another server has told it or this one tells it anew. */
  clear(): void {
    this.#changes.clear()
  }

  /** Takes back what was told of a device so far; what it is now has to be noted too. */
  withdraw(deviceKey: number): void {
    this.#options.feed.withdraw('device', deviceKey)
  }

  /** Sends what has changed so far, and returns the sequence of the last message that has its place. */
  seal(): string {
    const { feed, noteSent } = this.#options
    if (this.#changes.size > 0) {
      const messages = Array.from(this.#changes, ([key, change]) => this.#message(key, change))
      this.#changes.clear()
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
    return this.#changes.size === 0 && feed.isSettled() && sequence === feed.sequence
  }

  #message(key: number, change: Change): PublicMessage {
    if (typeof change === 'object') {
      const payload = Buffer.from(JSON.stringify({ id: change.removedId }))
      return { type: 'device-removed', key, payload }
    }
    const payload = this.#options.devices.json(key)
    if (payload === undefined) throw new Error('a public device is gone without a word')
    return { type: 'device', key, payload }
  }
}
