import { type FeedPosition, sequenceAt } from '@astropelago/contract/feed'
import { type FeedChange, readFeedMessage } from './feed-changes.ts'

/** Until then a connection that does not come about is waited for. */
const openTimeoutMs = 10_000
/** A connection that has lasted so long is a good one: what failed before it is forgotten. */
const stableMs = 10_000
/** Messages within it go to their readers together: after an absence thousands come at once. */
const gatherMs = 20

/** What goes over one connection, by whatever means it is made. */
export interface FeedTransport {
  readonly error: FeedError
  /** A connection on which nothing came for so long may be dead without a word. */
  readonly silenceMs: number
  /** Opens a connection to what comes after this sequence; what is returned closes it. */
  readonly open: (since: string, handlers: TransportHandlers) => () => void
}

/** Set silently: nobody is alerted. */
export type FeedError = 'SSE error' | 'WebSocket error'

/** `onOpen` comes first; nothing comes after `onEnd`, nor after the connection was closed. */
export interface TransportHandlers {
  readonly onOpen: () => void
  /** The texts of messages, in order. */
  readonly onMessages: (texts: readonly string[]) => void
  /** Something came that shows that the connection lives. */
  readonly onBeat: () => void
  /** The connection is over, or never came about. The server may have said how long to stay away. */
  readonly onEnd: (retryAfterMs: number) => void
}

/** Why a connection ended that nobody closed. */
export type ConnectionEnd =
  | { readonly kind: 'failed'; readonly retryAfterMs: number }
  /** If it lived, nothing is lost by opening another one. */
  | { readonly kind: 'silent' }
  /** What was missed is no longer known. */
  | { readonly kind: 'reload' }

interface ConnectionOwner {
  readonly onOpen: () => void
  readonly onStable: () => void
  readonly onChanges: (changes: readonly FeedChange[]) => void
  readonly onEnd: (end: ConnectionEnd) => void
}

type Timer = ReturnType<typeof setTimeout>

/** What a connection holds in each state; it lets go of all of it when it leaves the state. */
type ConnectionState =
  | { readonly kind: 'opening'; readonly closeTransport: () => void; readonly deadline: Timer }
  | {
      readonly kind: 'open'
      readonly closeTransport: () => void
      readonly stable: Timer
      silence: Timer
      gathering: Timer | undefined
      /** Not handed out yet. */
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

  /** What has come goes up to it; the readers may have had more. */
  get position(): FeedPosition {
    return this.#position
  }

  /** Hands out what has come, and ends without a word. */
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
