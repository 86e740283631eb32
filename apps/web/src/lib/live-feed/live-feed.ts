import { changesAfter, type FeedChange, type FeedChanges } from './feed-changes.ts'
import { type FeedPosition, isUpTo, readPosition, sequenceAt } from './feed-position.ts'
import type { FeedState } from './feed-state.ts'
import type { FeedTransport } from './feed-transport.ts'
import { readFeedMessage } from './read-feed-message.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

/** Until then a connection that does not come about is waited for. */
const openTimeoutMs = 10_000
/** A connection that has lasted so long is a good one: what failed before it is forgotten. */
const stableMs = 10_000
/** Messages within it go to their readers together: after an absence thousands come at once. */
const gatherMs = 20
/** A tab that is hidden for longer gives its connection back. */
const hiddenMs = 60_000

type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>
type Timer = ReturnType<typeof setTimeout> | undefined

interface LiveFeedOptions {
  readonly transport: FeedTransport
  readonly page: () => Page
  readonly random?: () => number
}

export interface FeedReader {
  readonly onChanges: (changes: FeedChanges) => void
  /** What was missed is no longer known: load anew, then start from there. */
  readonly onReload: () => void
}

/** A reader's place at the feed. */
export interface FeedPlace {
  /** Everything after this sequence is wanted. One that the reader has passed already is ignored. */
  readonly startAt: (sequence: string | null) => void
  /** What the reader had is lost: nothing is wanted until it starts again. */
  readonly forget: () => void
  readonly leave: () => void
}

interface Reading {
  readonly reader: FeedReader
  /** Undefined while it has to load. */
  position: FeedPosition | undefined
}

/** A connection that is open or is to be. */
interface Connection {
  readonly close: () => void
  /** What it has told up to; its reader may have had more. */
  position: FeedPosition
}

/**
 * The one connection of a page to the live feed, for all who read it: opened for the first who has a
 * sequence to start from, closed after the last. It knows no gaps: numbers are missing where the
 * server took back what it told of a device that turned private, and everything else is in order.
 */
export class LiveFeed {
  readonly #transport: FeedTransport
  readonly #page: () => Page
  readonly #random: () => number
  readonly #readings = new Set<Reading>()
  readonly #stateListeners = new Set<() => void>()
  #state: FeedState = { phase: 'connecting' }
  /** Of the sequence that was started from last. */
  #epoch: string | undefined
  #connection: Connection | undefined
  /** Messages that were not handed out yet. */
  #gathered: FeedChange[] = []
  #failures = 0
  #reloads = 0
  #isSuspended = false
  #retryTimer: Timer
  #deadlineTimer: Timer
  #stableTimer: Timer
  #gatherTimer: Timer
  #hiddenTimer: Timer

  constructor({ transport, page, random = Math.random }: LiveFeedOptions) {
    this.#transport = transport
    this.#page = page
    this.#random = random
  }

  get state(): FeedState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener)
    return () => {
      this.#stateListeners.delete(listener)
    }
  }

  join(reader: FeedReader): FeedPlace {
    const reading: Reading = { reader, position: undefined }
    if (this.#readings.size === 0) this.#begin()
    this.#readings.add(reading)
    return {
      startAt: (sequence) => this.#startAt(reading, readPosition(sequence)),
      forget: () => {
        reading.position = undefined
      },
      leave: () => {
        if (this.#readings.delete(reading) && this.#readings.size === 0) this.#end()
      },
    }
  }

  #begin(): void {
    this.#page().addEventListener('visibilitychange', this.#followPage)
    this.#followPage()
  }

  #end(): void {
    this.#page().removeEventListener('visibilitychange', this.#followPage)
    clearTimeout(this.#hiddenTimer)
    this.#stopRetry()
    this.#close()
    this.#gathered = []
    this.#failures = 0
    this.#reloads = 0
    this.#isSuspended = false
    this.#setState({ phase: 'connecting' })
  }

  #startAt(reading: Reading, position: FeedPosition | undefined): void {
    if (position === undefined || !this.#readings.has(reading)) return
    if (reading.position !== undefined && isUpTo(reading.position, position)) return
    reading.position = position
    this.#epoch = position.epoch
    if (this.#connection === undefined) {
      if (this.#retryTimer === undefined) this.#connect()
    } else if (!isUpTo(position, this.#connection.position)) this.#connect()
  }

  /** Opens a connection in place of the one there is, from the earliest place that somebody wants. */
  #connect(): void {
    this.#stopRetry()
    this.#close()
    if (this.#isSuspended) return
    const position = this.#earliest()
    if (position === undefined) return
    const isThis = () => this.#connection === connection
    const close = this.#transport.open(sequenceAt(position), {
      onOpen: () => isThis() && this.#opened(),
      onMessages: (texts) => isThis() && this.#receive(connection, texts),
      onBeat: () => isThis() && this.#expectWord(),
      onEnd: (retryAfterMs) => isThis() && this.#fail(retryAfterMs),
    })
    const connection: Connection = { close, position }
    this.#connection = connection
    this.#deadlineTimer = setTimeout(() => this.#fail(), openTimeoutMs)
  }

  #opened(): void {
    this.#setState({ phase: 'live' })
    this.#expectWord()
    this.#stableTimer = setTimeout(() => {
      this.#failures = 0
      this.#reloads = 0
    }, stableMs)
  }

  /** After a silence the connection is opened anew: if it lived, nothing is lost by that. */
  #expectWord(): void {
    clearTimeout(this.#deadlineTimer)
    this.#deadlineTimer = setTimeout(() => this.#connect(), this.#transport.silenceMs)
  }

  #receive(connection: Connection, texts: readonly string[]): void {
    this.#expectWord()
    for (const text of texts) {
      const message = readFeedMessage(text)
      if (message === 'reload') return this.#reload()
      if (message?.position.epoch !== connection.position.epoch) return this.#fail()
      connection.position = message.position
      this.#gathered.push(message)
    }
    this.#gatherTimer ??= setTimeout(() => this.#handOut(), gatherMs)
  }

  #handOut(): void {
    clearTimeout(this.#gatherTimer)
    this.#gatherTimer = undefined
    const gathered = this.#gathered
    this.#gathered = []
    for (const reading of this.#readings) {
      const changes = reading.position && changesAfter(reading.position, gathered)
      if (changes === undefined) continue
      reading.position = readPosition(changes.sequence)
      reading.reader.onChanges(changes)
    }
  }

  #fail(retryAfterMs = 0): void {
    this.#close()
    this.#setState({ phase: 'polling', error: this.#transport.error })
    this.#retryAfter(retryAfterMs)
  }

  #reload(): void {
    this.#close()
    this.#setState({ phase: 'connecting' })
    // One after a good connection is in order; one after another would be asked for without end.
    if (this.#reloads > 0) this.#retryAfter(0)
    this.#reloads += 1
    for (const reading of this.#readings) this.#askToLoad(reading)
  }

  #askToLoad(reading: Reading): void {
    reading.position = undefined
    reading.reader.onReload()
  }

  #retryAfter(leastMs: number): void {
    const delayMs = leastMs + reconnectDelayMs(this.#failures, this.#random)
    this.#failures += 1
    this.#retryTimer = setTimeout(() => this.#connect(), delayMs)
  }

  #stopRetry(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
  }

  /** Leaves the state as it is. */
  #close(): void {
    this.#connection?.close()
    this.#connection = undefined
    clearTimeout(this.#deadlineTimer)
    clearTimeout(this.#stableTimer)
    // From where to go on is what was handed out.
    this.#handOut()
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

  readonly #followPage = (): void => {
    clearTimeout(this.#hiddenTimer)
    if (this.#page().hidden) {
      this.#hiddenTimer = setTimeout(() => this.#suspend(), hiddenMs)
    } else if (this.#isSuspended) {
      this.#isSuspended = false
      this.#connect()
    }
  }

  /** The state stays: a page that comes back catches up by this connection, not by polling as well. */
  #suspend(): void {
    this.#isSuspended = true
    this.#stopRetry()
    this.#close()
  }

  #setState(state: FeedState): void {
    const { phase } = this.#state
    this.#state = state
    if (phase === state.phase) return
    for (const listener of this.#stateListeners) listener()
  }
}
