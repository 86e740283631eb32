import * as v from 'valibot'
import { createEmitter } from '../emitter.ts'
import { followPage, type Page } from './follow-page.ts'
import { readEventStream } from './read-event-stream.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

/** What was missed while there was no stream is not known: its readers ask anew. */
type Told<Message> = Message | { readonly type: 'reload' }

/** Without a stream everything is asked for anew this often. */
const pollMs = 5000
/** The server beats every 15 s; without a word for so long a connection may be dead. */
const silenceMs = 20_000
/** A connection that has lasted so long is a good one: what failed before it is forgotten. */
const stableMs = 10_000

type Timer = ReturnType<typeof setTimeout>

/** What there is between page and server; one ends, with all that it holds, when the next begins. */
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
 * A stream that tells what happened, without a sequence: whoever connects asks for everything anew, and
 * while there is none that is done every few seconds. One connection for all who read it, opened for the
 * first and closed after the last.
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

  /** @returns what ends it */
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
      // A kind that this page does not know is none of its.
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
