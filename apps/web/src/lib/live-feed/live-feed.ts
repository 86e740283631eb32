import { type FeedPosition, isUpTo } from '@astropelago/contract/feed'
import { createEmitter } from '../emitter.ts'
import { changesAfter, type FeedChange, type FeedChanges } from './feed-changes.ts'
import {
  type ConnectionEnd,
  FeedConnection,
  type FeedError,
  type FeedTransport,
} from './feed-connection.ts'
import { followPage, type Page } from './follow-page.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

/** How the page hears of changes: `polling` is what a feed that failed leaves, until it is back. */
export type FeedState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live' }
  | { readonly phase: 'polling'; readonly error: FeedError }

export interface FeedReader {
  readonly onChanges: (changes: FeedChanges) => void
  /** What was missed is no longer known: load anew, then start from there. */
  readonly onReload: () => void
}

/** What a reader wants of the feed. */
export interface FeedSubscription {
  /**
   * Everything after this position is wanted. One that the reader has passed already is ignored, and so
   * is none: there is no feed then.
   */
  readonly startAt: (position: FeedPosition | undefined) => void
  /** What the reader had is lost: nothing is wanted until it starts again. */
  readonly forget: () => void
  readonly leave: () => void
}

interface Reading {
  readonly reader: FeedReader
  /** Undefined while it has to load. */
  position: FeedPosition | undefined
}

type Timer = ReturnType<typeof setTimeout>

/** What there is between page and server; one ends, with all that it holds, when the next begins. */
type Link =
  /** Nobody has a position to start from. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'connected'; readonly connection: FeedConnection }
  | { readonly kind: 'waiting'; readonly retry: Timer }
  /** The page is hidden. */
  | { readonly kind: 'suspended' }

interface LiveFeedOptions {
  readonly transport: FeedTransport
  readonly page: () => Page
  readonly random?: () => number
}

/**
 * The one connection of a page to the live feed, for all who read it: opened for the first who has a
 * position to start from, closed after the last. It knows no gaps: numbers are missing where the server
 * took back what it told of a device that turned private, and everything else is in order.
 */
export class LiveFeed {
  readonly #transport: FeedTransport
  readonly #page: () => Page
  readonly #random: () => number
  readonly #readings = new Set<Reading>()
  readonly #stateChanges = createEmitter()
  #state: FeedState = { phase: 'connecting' }
  #link: Link = { kind: 'idle' }
  #unfollowPage: (() => void) | undefined
  /** Of the position that was started from last. */
  #epoch: string | undefined
  /** In a row, without a good connection between them. */
  #failures = 0
  #reloads = 0

  constructor({ transport, page, random = Math.random }: LiveFeedOptions) {
    this.#transport = transport
    this.#page = page
    this.#random = random
  }

  get state(): FeedState {
    return this.#state
  }

  readonly subscribe = this.#stateChanges.on

  join(reader: FeedReader): FeedSubscription {
    const reading: Reading = { reader, position: undefined }
    this.#readings.add(reading)
    this.#unfollowPage ??= followPage(this.#page(), {
      onHidden: () => this.#enter({ kind: 'suspended' }),
      onShown: () => this.#link.kind === 'suspended' && this.#connect(),
    })
    return {
      startAt: (position) => this.#startAt(reading, position),
      forget: () => {
        reading.position = undefined
      },
      leave: () => {
        if (this.#readings.delete(reading) && this.#readings.size === 0) this.#end()
      },
    }
  }

  #end(): void {
    this.#unfollowPage?.()
    this.#unfollowPage = undefined
    this.#enter({ kind: 'idle' })
    this.#forgetFailures()
    this.#setState({ phase: 'connecting' })
  }

  #enter(link: Link): void {
    const last = this.#link
    this.#link = link
    if (last.kind === 'connected') last.connection.close()
    if (last.kind === 'waiting') clearTimeout(last.retry)
  }

  #startAt(reading: Reading, position: FeedPosition | undefined): void {
    if (position === undefined || !this.#readings.has(reading)) return
    if (reading.position !== undefined && isUpTo(reading.position, position)) return
    reading.position = position
    this.#epoch = position.epoch
    switch (this.#link.kind) {
      case 'idle':
        return this.#connect()
      case 'connected':
        if (!isUpTo(position, this.#link.connection.position)) this.#connect()
        return undefined
      case 'waiting':
      case 'suspended':
        // It goes on from there when its time comes.
        return undefined
    }
  }

  /** Opens a connection instead of whatever there is, from the earliest position that somebody wants. */
  #connect(): void {
    // What had come is handed out by this: where to go on from is after it.
    this.#enter({ kind: 'idle' })
    const position = this.#earliest()
    if (position === undefined) return
    const connection = new FeedConnection(this.#transport, position, {
      // The state stays as it was until then: a page that comes back catches up by this connection,
      // and a dead one is replaced without a word.
      onOpen: () => this.#setState({ phase: 'live' }),
      onStable: () => this.#forgetFailures(),
      onChanges: (changes) => this.#handOut(changes),
      onEnd: (end) => this.#connectionEnded(end),
    })
    this.#enter({ kind: 'connected', connection })
  }

  #connectionEnded(end: ConnectionEnd): void {
    switch (end.kind) {
      case 'silent':
        return this.#connect()
      case 'failed':
        this.#retryAfter(end.retryAfterMs)
        return this.#setState({ phase: 'polling', error: this.#transport.error })
      case 'reload':
        // One after a good connection is in order; one after another would be asked for without end.
        if (this.#reloads > 0) this.#retryAfter(0)
        else this.#enter({ kind: 'idle' })
        this.#reloads += 1
        this.#setState({ phase: 'connecting' })
        for (const reading of this.#readings) this.#askToLoad(reading)
    }
  }

  #retryAfter(leastMs: number): void {
    const delayMs = leastMs + reconnectDelayMs(this.#failures, this.#random)
    this.#failures += 1
    this.#enter({ kind: 'waiting', retry: setTimeout(() => this.#connect(), delayMs) })
  }

  #forgetFailures(): void {
    this.#failures = 0
    this.#reloads = 0
  }

  #handOut(changes: readonly FeedChange[]): void {
    for (const reading of this.#readings) {
      const news = reading.position && changesAfter(reading.position, changes)
      if (news === undefined) continue
      reading.position = news.position
      reading.reader.onChanges(news)
    }
  }

  #askToLoad(reading: Reading): void {
    reading.position = undefined
    reading.reader.onReload()
  }

  #earliest(): FeedPosition | undefined {
    let earliest: FeedPosition | undefined
    for (const reading of this.#readings) {
      const { position } = reading
      if (position === undefined) continue
      // The server has begun anew since: it would not know this one.
      if (position.epoch !== this.#epoch) this.#askToLoad(reading)
      else if (earliest === undefined || isUpTo(earliest, position)) earliest = position
    }
    return earliest
  }

  #setState(state: FeedState): void {
    const { phase } = this.#state
    this.#state = state
    if (phase !== state.phase) this.#stateChanges.emit()
  }
}
