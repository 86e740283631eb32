import type { FeedError } from './feed-state.ts'

/** What one connection to the feed tells. Nothing comes after `onEnd`, nor after it was closed. */
export interface FeedHandlers {
  readonly onOpen: () => void
  /** The texts of messages, in order. */
  readonly onMessages: (texts: readonly string[]) => void
  /** Something came that shows that the connection lives. */
  readonly onBeat: () => void
  /** The connection is over, or never came about. The server may have said how long to stay away. */
  readonly onEnd: (retryAfterMs: number) => void
}

export interface FeedTransport {
  readonly error: FeedError
  /** A connection on which nothing came for so long may be dead without a word. */
  readonly silenceMs: number
  /** Opens a connection to what comes after this sequence; what is returned closes it. */
  readonly open: (since: string, handlers: FeedHandlers) => () => void
}
