import type { EventStreamReader } from '../../http/event-stream.ts'

/** Messages within it go out together, and of those alike the last one alone. */
export const gatherMs = 100
/** Of those alike that have the reader ask for everything anew, so many ms lie between two. */
export const restMs = 1000
/** What says all that it has to say, or is the last. */
const withoutRest: ReadonlySet<string> = new Set(['island-open', 'island-gone', 'device', 'reload'])
/** What a reader may leave unread: messages are small, and what is missed is asked for anew. */
const unreadBytesMax = 64 * 1024

interface Message {
  readonly type: string
  readonly payload?: { readonly id: string }
}

interface MessageStreamOptions {
  /** Whether whoever reads may still do so; asked before anything is sent. */
  readonly mayRead: () => Promise<boolean>
  readonly after: (ms: number, act: () => void) => void
}

/**
 * What one reader is told. It has no sequence: whoever was away asks for everything anew, and so does who
 * is told `reload`.
 */
export class MessageStream<Told extends Message> {
  readonly #options: MessageStreamOptions
  readonly #waiting = new Map<string, Told | { readonly type: 'reload' }>()
  /** Names of messages that went out less than `restMs` ago. */
  readonly #resting = new Set<string>()
  #reader: EventStreamReader | undefined
  #isSendAwaited = false
  #isEnding = false

  constructor(options: MessageStreamOptions) {
    this.#options = options
  }

  /** What was told until now is sent from here on. */
  open(reader: EventStreamReader): void {
    this.#reader = reader
    if (this.#waiting.size > 0 || this.#isEnding) this.#awaitSend()
  }

  tell(message: Told): void {
    if (this.#isEnding) return
    const name = `${message.type} ${message.payload?.id ?? ''}`
    // The last one of those alike, where it belongs among all others.
    this.#waiting.delete(name)
    this.#waiting.set(name, message)
    this.#awaitSend()
  }

  /** Ends the connection after what is to be told. */
  end(): void {
    this.#isEnding = true
    this.#awaitSend()
  }

  /** Ends the connection now, and tells nothing of what waits: whoever reads may do so no more. */
  cutOff(): void {
    this.#waiting.clear()
    this.#isEnding = true
    this.#reader?.end()
  }

  /** Has the reader come again and ask for everything anew. */
  reload(): void {
    this.#waiting.clear()
    this.#waiting.set('reload', { type: 'reload' })
    this.end()
  }

  /** Shows that the connection lives, and drops one whose reader may not read any more. */
  async beat(): Promise<void> {
    const reader = this.#reader
    if (reader === undefined) return
    if (reader.unreadBytes() > unreadBytesMax || !(await this.#options.mayRead())) {
      reader.destroy()
    } else if (!this.#isEnding) {
      reader.write(reader.encoding.beat)
    }
  }

  /** Drops the connection: whoever reads connects anew. */
  destroy(): void {
    this.#reader?.destroy()
  }

  #awaitSend(): void {
    if (this.#isSendAwaited || this.#reader === undefined) return
    this.#isSendAwaited = true
    this.#options.after(gatherMs, () => {
      this.#isSendAwaited = false
      void this.#send().catch(() => this.destroy())
    })
  }

  /** What may go out now: in the end everything. */
  #takeRested(): (Told | { readonly type: 'reload' })[] {
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
      if (this.#waiting.has(name)) this.#awaitSend()
    })
  }

  async #send(): Promise<void> {
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
