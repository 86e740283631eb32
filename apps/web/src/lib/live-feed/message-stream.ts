import * as v from 'valibot'
import { createEmitter } from '../emitter.ts'
import type { Page } from './follow-page.ts'
import { LiveConnection } from './live-connection.ts'
import { eventStreamSilenceMs, readEventStream } from './read-event-stream.ts'

/** Messages were missed while there was no stream, so readers have to ask again. */
type WithReload<Message> = Message | { readonly type: 'reload' }

/** Without a stream, everything is fetched again at this interval. */
const pollMs = 5000
/** The server knows for twice this time what changed before a stream began. */
const promptMs = 5000

interface MessageStreamOptions<Message> {
  readonly url: string
  readonly schema: v.GenericSchema<unknown, WithReload<Message>>
  readonly page?: Page
  readonly random?: () => number
}

/**
 * A stream of events without sequences. Readers fetch everything again after each further connect, and every
 * few seconds while there is no stream. All readers share one connection: it opens for the first and closes
 * after the last.
 */
export class MessageStream<Message> {
  readonly #messages = createEmitter<WithReload<Message>>()
  readonly #schema: v.GenericSchema<string, WithReload<Message>>
  readonly #connection: LiveConnection
  #poll: ReturnType<typeof setInterval> | undefined
  /** When the first reader came; undefined once the stream has opened. */
  #awaitedMs: number | undefined

  constructor({ url, schema, page, random }: MessageStreamOptions<Message>) {
    this.#schema = v.pipe(v.string(), v.parseJson(), schema)
    this.#connection = new LiveConnection({
      open: (handlers) => readEventStream({ url, credentials: 'same-origin' }, handlers),
      silenceMs: eventStreamSilenceMs,
      page: () => page ?? document,
      random,
      onOpen: () => {
        this.#stopPolling()
        // What readers fetched as they came is as new as a prompt stream.
        const isPrompt = performance.now() - (this.#awaitedMs ?? -Infinity) < promptMs
        this.#awaitedMs = undefined
        if (!isPrompt) this.#reload()
      },
      onMessages: (texts) => this.#receive(texts),
      onFailed: () => {
        this.#poll ??= setInterval(
          () => this.#connection.kind !== 'suspended' && this.#reload(),
          pollMs,
        )
      },
    })
  }

  /** @returns stops reading */
  read(onMessage: (message: WithReload<Message>) => void): () => void {
    const end = this.#messages.on(onMessage)
    this.#connection.followPage()
    if (this.#connection.kind === 'idle') {
      this.#awaitedMs = performance.now()
      this.#connection.connect()
    }
    return () => {
      end()
      if (this.#messages.hasListeners) return
      this.#connection.end()
      this.#stopPolling()
    }
  }

  #receive(texts: readonly string[]): void {
    for (const text of texts) {
      // Ignore types that this page does not know.
      const { success, output } = v.safeParse(this.#schema, text)
      if (success) this.#messages.emit(output)
    }
  }

  #reload(): void {
    this.#messages.emit({ type: 'reload' })
  }

  #stopPolling(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }
}
