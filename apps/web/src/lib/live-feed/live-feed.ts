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

/** How the page receives changes. It is `polling` after the feed failed, until it is back. */
export type FeedState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live' }
  | { readonly phase: 'polling'; readonly error: FeedError }

export interface FeedReader {
  readonly onChanges: (changes: FeedChanges) => void
  /** The server no longer knows what was missed: load again, then start from the new position. */
  readonly onReload: () => void
}

/** A reader's subscription to the feed. */
export interface FeedSubscription {
  /**
   * Asks for everything after this position. It does nothing if the reader is past the position already, or
   * if it is undefined because there is no feed.
   */
  readonly startAt: (position: FeedPosition | undefined) => void
  /** The reader has lost its data, and gets nothing until it starts again. */
  readonly forget: () => void
  readonly leave: () => void
}

interface Reading {
  readonly reader: FeedReader
  /** Undefined while the reader has to load. */
  position: FeedPosition | undefined
}

type Timer = ReturnType<typeof setTimeout>

/** The connection's state. Entering the next state ends the last one and releases everything it holds. */
type Link =
  /** No reader has a position to start from. */
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
 * A page's single connection to the live feed, shared by all readers. It opens when the first reader has a
 * position to start from, and closes after the last one leaves. It ignores gaps in the numbering: they are
 * messages that the server withdrew because a device turned private. All others come in order.
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
  /** Of the latest start position. */
  #epoch: string | undefined
  /** Failures since the last stable connection. */
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
        // The next connection starts from this position.
        return undefined
    }
  }

  /** Replaces any connection by a new one, from the earliest position of all readers. */
  #connect(): void {
    // This delivers what was received, so the new connection starts after it.
    this.#enter({ kind: 'idle' })
    const position = this.#earliest()
    if (position === undefined) return
    const connection = new FeedConnection(this.#transport, position, {
      // Keep the previous state until the connection opens: a page that comes back is catching up, and a
      // dead connection is replaced silently.
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
        // A reload after a stable connection is normal. Delay repeated ones, or they would follow each
        // other without end.
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
      // The server has restarted its numbering and does not know this position.
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
