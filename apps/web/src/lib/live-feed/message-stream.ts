import * as v from 'valibot'
import { createEmitter } from '../emitter.ts'
import { followPage, type Page } from './follow-page.ts'
import { readEventStream } from './read-event-stream.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

/** Messages were missed while there was no stream, so readers have to ask again. */
type Told<Message> = Message | { readonly type: 'reload' }

/** Without a stream, everything is fetched again at this interval. */
const pollMs = 5000
/** The server sends a beat every 15 s. Without any message for this long, the connection may be dead. */
const silenceMs = 20_000
/** A connection that lasts this long is stable, and resets the count of failures. */
const stableMs = 10_000

type Timer = ReturnType<typeof setTimeout>

/** The connection's state. Entering the next state ends the last one and releases everything it holds. */
type Link =
  /** Nobody reads, or the page is hidden. */
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'connected'
      readonly close: () => void
      silence: Timer
      stable: Timer | undefined
    }
  | { readonly kind: 'waiting'; readonly retry: Timer }

interface MessageStreamOptions<Message> {
  readonly url: string
  readonly schema: v.GenericSchema<unknown, Told<Message>>
  readonly page?: Page
  readonly random?: () => number
}

/**
 * A stream of events without sequences. Readers fetch everything again after each connect, and every few
 * seconds while there is no stream. All readers share one connection: it opens for the first and closes
 * after the last.
 */
export class MessageStream<Message> {
  readonly #options: MessageStreamOptions<Message>
  readonly #messages = createEmitter<Told<Message>>()
  readonly #schema: v.GenericSchema<string, Told<Message>>
  #link: Link = { kind: 'idle' }
  #poll: Timer | undefined
  #unfollowPage: (() => void) | undefined
  #failures = 0

  constructor(options: MessageStreamOptions<Message>) {
    this.#options = options
    this.#schema = v.pipe(v.string(), v.parseJson(), options.schema)
  }

  /** @returns stops reading */
  read(onMessage: (message: Told<Message>) => void): () => void {
    const end = this.#messages.on(onMessage)
    this.#unfollowPage ??= followPage(this.#options.page ?? document, {
      onHidden: () => this.#stop(),
      onShown: () => this.#link.kind === 'idle' && this.#connect(),
    })
    return () => {
      end()
      if (this.#messages.hasListeners) return
      this.#unfollowPage?.()
      this.#unfollowPage = undefined
      this.#stop()
    }
  }

  #connect(): void {
    const close = readEventStream(
      { url: this.#options.url, credentials: 'same-origin' },
      {
        onOpen: () => this.#opened(),
        onMessages: (texts) => this.#receive(texts),
        onBeat: () => this.#hear(),
        onEnd: (retryAfterMs) => this.#failed(retryAfterMs),
      },
    )
    this.#enter({ kind: 'connected', close, silence: this.#awaitWord(), stable: undefined })
  }

  #opened(): void {
    if (this.#link.kind !== 'connected') return
    this.#hear()
    this.#link.stable = setTimeout(() => {
      this.#failures = 0
    }, stableMs)
    this.#stopPolling()
    this.#messages.emit({ type: 'reload' })
  }

  #receive(texts: readonly string[]): void {
    for (const text of texts) {
      // Ignore types that this page does not know.
      const { success, output } = v.safeParse(this.#schema, text)
      if (success) this.#messages.emit(output)
    }
  }

  #hear(): void {
    if (this.#link.kind !== 'connected') return
    clearTimeout(this.#link.silence)
    this.#link.silence = this.#awaitWord()
  }

  #awaitWord(): Timer {
    return setTimeout(() => this.#failed(0), silenceMs)
  }

  #failed(retryAfterMs: number): void {
    const { random = Math.random } = this.#options
    const delayMs = retryAfterMs + reconnectDelayMs(this.#failures, random)
    this.#failures += 1
    this.#enter({ kind: 'waiting', retry: setTimeout(() => this.#connect(), delayMs) })
    this.#poll ??= setInterval(() => this.#messages.emit({ type: 'reload' }), pollMs)
  }

  #stop(): void {
    this.#enter({ kind: 'idle' })
    this.#stopPolling()
    this.#failures = 0
  }

  #stopPolling(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  #enter(link: Link): void {
    const last = this.#link
    this.#link = link
    if (last.kind === 'waiting') clearTimeout(last.retry)
    if (last.kind !== 'connected') return
    last.close()
    clearTimeout(last.silence)
    clearTimeout(last.stable)
  }
}
