import { type FeedPosition, sequenceAt } from '@astropelago/contract/feed'
import { type FeedChange, readFeedMessage } from './feed-changes.ts'

/** A connection that has not opened by then counts as failed. */
const openTimeoutMs = 10_000
/** A connection that lasts this long is stable, and resets the count of failures. */
const stableMs = 10_000
/**
 * Messages that arrive within this time are delivered together: after an absence, thousands come at once.
 */
const gatherMs = 20

/** The protocol of a connection. */
export interface FeedTransport {
  readonly error: FeedError
  /** Without any message for this long, the connection may be dead. */
  readonly silenceMs: number
  /**
   * Opens a connection to the messages after this sequence.
   * @returns closes it
   */
  readonly open: (since: string, handlers: TransportHandlers) => () => void
}

/** Stored without alerting anybody. */
export type FeedError = 'SSE error' | 'WebSocket error'

/** `onOpen` comes first. Nothing follows `onEnd` or closing the connection. */
export interface TransportHandlers {
  readonly onOpen: () => void
  /** The texts of messages, in order. */
  readonly onMessages: (texts: readonly string[]) => void
  /** The server gave a sign of life. */
  readonly onBeat: () => void
  /** The connection ended or never opened. The server may have set a minimum delay before the next one. */
  readonly onEnd: (retryAfterMs: number) => void
}

/** Why a connection ended without being closed. */
export type ConnectionEnd =
  | { readonly kind: 'failed'; readonly retryAfterMs: number }
  /** If it was alive after all, opening another one loses nothing. */
  | { readonly kind: 'silent' }
  /** The server no longer knows what was missed. */
  | { readonly kind: 'reload' }

interface ConnectionOwner {
  readonly onOpen: () => void
  readonly onStable: () => void
  readonly onChanges: (changes: readonly FeedChange[]) => void
  readonly onEnd: (end: ConnectionEnd) => void
}

type Timer = ReturnType<typeof setTimeout>

/** What a connection holds in each state. It releases everything when it leaves the state. */
type ConnectionState =
  | { readonly kind: 'opening'; readonly closeTransport: () => void; readonly deadline: Timer }
  | {
      readonly kind: 'open'
      readonly closeTransport: () => void
      readonly stable: Timer
      silence: Timer
      gathering: Timer | undefined
      /** Received, but not delivered yet. */
      gathered: FeedChange[]
    }
  | { readonly kind: 'closed' }

/** One connection to the live feed, from opening to its end. */
export class FeedConnection {
  readonly #transport: FeedTransport
  readonly #owner: ConnectionOwner
  #state: ConnectionState
  #position: FeedPosition

  constructor(transport: FeedTransport, since: FeedPosition, owner: ConnectionOwner) {
    this.#transport = transport
    this.#owner = owner
    this.#position = since
    this.#state = {
      kind: 'opening',
      closeTransport: transport.open(sequenceAt(since), {
        onOpen: () => this.#opened(),
        onMessages: (texts) => this.#receive(texts),
        onBeat: () => this.#hear(),
        onEnd: (retryAfterMs) => this.#end({ kind: 'failed', retryAfterMs }),
      }),
      deadline: setTimeout(() => this.#end({ kind: 'failed', retryAfterMs: 0 }), openTimeoutMs),
    }
  }

  /** Everything up to this position has been received. Readers may be further ahead. */
  get position(): FeedPosition {
    return this.#position
  }

  /** Delivers what was received, and closes without calling `onEnd`. */
  close(): void {
    const last = this.#state
    if (last.kind === 'closed') return
    this.#state = { kind: 'closed' }
    last.closeTransport()
    if (last.kind === 'opening') return clearTimeout(last.deadline)
    clearTimeout(last.stable)
    clearTimeout(last.silence)
    clearTimeout(last.gathering)
    if (last.gathered.length > 0) this.#owner.onChanges(last.gathered)
  }

  #end(end: ConnectionEnd): void {
    if (this.#state.kind === 'closed') return
    this.close()
    this.#owner.onEnd(end)
  }

  #opened(): void {
    if (this.#state.kind !== 'opening') return
    const { closeTransport, deadline } = this.#state
    clearTimeout(deadline)
    this.#state = {
      kind: 'open',
      closeTransport,
      stable: setTimeout(this.#owner.onStable, stableMs),
      silence: this.#awaitWord(),
      gathering: undefined,
      gathered: [],
    }
    this.#owner.onOpen()
  }

  #hear(): void {
    if (this.#state.kind !== 'open') return
    clearTimeout(this.#state.silence)
    this.#state.silence = this.#awaitWord()
  }

  #awaitWord(): Timer {
    return setTimeout(() => this.#end({ kind: 'silent' }), this.#transport.silenceMs)
  }

  #receive(texts: readonly string[]): void {
    this.#hear()
    for (const text of texts) {
      if (this.#state.kind !== 'open') return
      const message = readFeedMessage(text)
      if (message === 'reload') return this.#end({ kind: 'reload' })
      if (message?.position.epoch !== this.#position.epoch) {
        return this.#end({ kind: 'failed', retryAfterMs: 0 })
      }
      this.#position = message.position
      this.#state.gathered.push(message)
      this.#state.gathering ??= setTimeout(() => this.#handOut(), gatherMs)
    }
  }

  #handOut(): void {
    if (this.#state.kind !== 'open') return
    const { gathered } = this.#state
    this.#state.gathered = []
    this.#state.gathering = undefined
    this.#owner.onChanges(gathered)
  }
}
