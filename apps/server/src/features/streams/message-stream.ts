import type { EventStreamReader } from '../../http/event-stream.ts'

/** Messages within this time are sent together, and of equal ones only the last. */
export const gatherMs = 100
/** The least time between two equal messages that make the reader load everything again. */
export const restMs = 1000
/** Messages that are complete in themselves, or final. */
const withoutRest: ReadonlySet<string> = new Set(['island-open', 'island-gone', 'device', 'reload'])
/** What a reader may leave unread. Messages are small, and what is missed is loaded again. */
const unreadBytesMax = 64 * 1024

interface MessageStreamOptions {
  /** Asked before anything is sent. */
  readonly mayRead: () => Promise<boolean>
  readonly after: (ms: number, act: () => void) => void
}

interface SentByAll {
  readonly type: 'changed-before' | 'reload'
}

/** Without a sequence: a reader that reconnects or receives `reload` loads everything again. */
export class MessageStream<
  Sent extends { readonly type: string; readonly payload?: { readonly id: string } },
> {
  readonly #options: MessageStreamOptions
  readonly #waiting = new Map<string, Sent | SentByAll>()
  /** Sent less than `restMs` ago. */
  readonly #resting = new Set<string>()
  #reader: EventStreamReader | undefined
  #isFlushAwaited = false
  #isEnding = false

  constructor(options: MessageStreamOptions) {
    this.#options = options
  }

  /**
   * Sends the messages that wait, and from here on all others.
   * @param hasChanged whether something changed just before, which the reader may have loaded even earlier
   */
  open(reader: EventStreamReader, hasChanged: boolean): void {
    this.#reader = reader
    if (hasChanged) this.#waiting.set('changed-before', { type: 'changed-before' })
    if (this.#waiting.size > 0 || this.#isEnding) this.#awaitFlush()
  }

  send(message: Sent): void {
    if (this.#isEnding) return
    const name = `${message.type} ${message.payload?.id ?? ''}`
    // Of equal messages the last one, at its place among all others.
    this.#waiting.delete(name)
    this.#waiting.set(name, message)
    this.#awaitFlush()
  }

  end(): void {
    this.#isEnding = true
    this.#awaitFlush()
  }

  /** Drops the messages that wait: the reader may not read any more. */
  cutOff(): void {
    this.#waiting.clear()
    this.#isEnding = true
    this.#reader?.end()
  }

  reload(): void {
    this.#waiting.clear()
    this.#waiting.set('reload', { type: 'reload' })
    this.end()
  }

  /** Keeps the connection alive, and drops it if the reader may not read any more. */
  async beat(): Promise<void> {
    const reader = this.#reader
    if (reader === undefined) return
    if (reader.unreadBytes() > unreadBytesMax || !(await this.#options.mayRead())) {
      reader.destroy()
    } else if (!this.#isEnding) {
      reader.write(reader.encoding.beat)
    }
  }

  destroy(): void {
    this.#reader?.destroy()
  }

  #awaitFlush(): void {
    if (this.#isFlushAwaited || this.#reader === undefined) return
    this.#isFlushAwaited = true
    this.#options.after(gatherMs, () => {
      this.#isFlushAwaited = false
      void this.#flush().catch(() => this.destroy())
    })
  }

  /** At the end, everything. */
  #takeRested(): (Sent | SentByAll)[] {
    const taken = [...this.#waiting].filter(([name]) => this.#isEnding || !this.#resting.has(name))
    for (const [name, { type }] of taken) {
      this.#waiting.delete(name)
      if (!withoutRest.has(type)) this.#rest(name)
    }
    return taken.map(([, message]) => message)
  }

  #rest(name: string): void {
    this.#resting.add(name)
    this.#options.after(restMs, () => {
      this.#resting.delete(name)
      if (this.#waiting.has(name)) this.#awaitFlush()
    })
  }

  async #flush(): Promise<void> {
    const reader = this.#reader
    if (reader === undefined) return
    if (!(await this.#options.mayRead())) return reader.end()
    const { encoding } = reader
    const messages = this.#takeRested()
    if (messages.length > 0) {
      const texts = messages.map((message) => Buffer.from(JSON.stringify(message)))
      reader.write(encoding.batch(texts.map((json) => encoding.message(json, undefined))))
    }
    if (this.#isEnding) reader.end()
    else if (reader.unreadBytes() > unreadBytesMax) reader.destroy()
  }
}
