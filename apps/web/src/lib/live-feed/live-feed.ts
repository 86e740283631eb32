import { type FeedPosition, isUpTo, sequenceAt } from '@astropelago/contract/feed'
import { createEmitter } from '../emitter.ts'
import { changesAfter, type FeedChange, type FeedChanges, readFeedMessage } from './feed-changes.ts'
import type { Page } from './follow-page.ts'
import { LiveConnection, type TransportHandlers } from './live-connection.ts'

/** How the page receives changes. It is `polling` after the feed failed, until it is back. */
export type FeedState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live' }
  | { readonly phase: 'polling'; readonly error: string }

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

/**
 * Messages that arrive within this time are delivered together: after an absence, thousands come at once.
 */
const gatherMs = 20

/** The protocol of a connection. */
export interface FeedTransport {
  readonly error: string
  readonly silenceMs: number
  /**
   * Opens a connection to the messages after this sequence.
   * @returns closes it
   */
  readonly open: (since: string, handlers: TransportHandlers) => () => void
}

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
  readonly #readings = new Set<Reading>()
  readonly #stateChanges = createEmitter()
  readonly #connection: LiveConnection
  #state: FeedState = { phase: 'connecting' }
  /** Of the latest start position. */
  #epoch: string | undefined
  /** Everything up to this position has been received by the connection. Readers may be further ahead. */
  #received: FeedPosition | undefined
  /** Received, but not delivered yet. */
  #gathered: FeedChange[] = []
  #gathering: ReturnType<typeof setTimeout> | undefined
  #reloads = 0

  constructor({ transport, page, random }: LiveFeedOptions) {
    this.#connection = new LiveConnection({
      open: (handlers) => {
        this.#received = this.#earliest()
        return this.#received && transport.open(sequenceAt(this.#received), handlers)
      },
      silenceMs: transport.silenceMs,
      page,
      random,
      // Keep the previous state until the connection opens: a page that comes back is catching up, and a
      // dead connection is replaced silently.
      onOpen: () => this.#setState({ phase: 'live' }),
      onMessages: (texts) => this.#receive(texts),
      // The next connection starts after what is delivered.
      onClosed: () => this.#handOut(),
      onFailed: () => this.#setState({ phase: 'polling', error: transport.error }),
      onStable: () => {
        this.#reloads = 0
      },
    })
  }

  get state(): FeedState {
    return this.#state
  }

  readonly subscribe = this.#stateChanges.on

  join(reader: FeedReader): FeedSubscription {
    const reading: Reading = { reader, position: undefined }
    this.#readings.add(reading)
    this.#connection.followPage()
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
    this.#connection.end()
    this.#reloads = 0
    this.#setState({ phase: 'connecting' })
  }

  #startAt(reading: Reading, position: FeedPosition | undefined): void {
    if (position === undefined || !this.#readings.has(reading)) return
    if (reading.position !== undefined && isUpTo(reading.position, position)) return
    reading.position = position
    this.#epoch = position.epoch
    switch (this.#connection.kind) {
      case 'idle':
        return this.#connection.connect()
      case 'opening':
      case 'open':
        if (!this.#received || !isUpTo(position, this.#received)) this.#connection.connect()
        return undefined
      case 'waiting':
      case 'suspended':
        // The next connection starts from this position.
        return undefined
    }
  }

  #receive(texts: readonly string[]): void {
    for (const text of texts) {
      const message = readFeedMessage(text)
      if (message === 'reload') return this.#reload()
      if (message?.position.epoch !== this.#received?.epoch) return this.#connection.fail(0)
      if (message === undefined) continue
      this.#received = message.position
      this.#gathered.push(message)
      this.#gathering ??= setTimeout(() => this.#handOut(), gatherMs)
    }
  }

  /** The server no longer knows what was missed. */
  #reload(): void {
    // A reload after a stable connection is normal. Delay repeated ones, or they would follow each other
    // without end.
    if (this.#reloads > 0) this.#connection.retryLater(0)
    else this.#connection.pause()
    this.#reloads += 1
    this.#setState({ phase: 'connecting' })
    for (const reading of this.#readings) this.#askToLoad(reading)
  }

  #handOut(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const changes = this.#gathered
    this.#gathered = []
    if (changes.length === 0) return
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
