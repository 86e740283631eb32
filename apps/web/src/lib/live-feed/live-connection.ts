import { followPage, type Page } from './follow-page.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

/** A connection that has not opened by then counts as failed. */
const openTimeoutMs = 10_000
/** A connection that lasts this long is stable, and resets the count of failures. */
const stableMs = 10_000

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

interface LiveConnectionOptions {
  /**
   * Opens a connection.
   * @returns closes it; undefined if there is nothing to ask for until the next `connect`
   */
  readonly open: (handlers: TransportHandlers) => (() => void) | undefined
  /** Without any message for this long, the connection may be dead. */
  readonly silenceMs: number
  readonly page: () => Page
  readonly random?: (() => number) | undefined
  readonly onOpen: () => void
  readonly onMessages: (texts: readonly string[]) => void
  /** A connection that was open is closed, for whatever reason. */
  readonly onClosed?: () => void
  /** A connection failed. The next one follows after a delay. */
  readonly onFailed: () => void
  readonly onStable?: () => void
}

type Timer = ReturnType<typeof setTimeout>

/** What it holds in each state. Entering the next state releases everything. */
type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening'; readonly close: () => void; readonly deadline: Timer }
  | { readonly kind: 'open'; readonly close: () => void; readonly stable: Timer; silence: Timer }
  | { readonly kind: 'waiting'; readonly retry: Timer }
  /** The page is hidden. */
  | { readonly kind: 'suspended' }

/**
 * Keeps one connection to the server: replaces it when the server is silent, tries again with growing
 * delays when it fails, and closes it while the page is hidden.
 */
export class LiveConnection {
  readonly #options: LiveConnectionOptions
  #state: State = { kind: 'idle' }
  #unfollowPage: (() => void) | undefined
  /** Failures since the last stable connection. */
  #failures = 0

  constructor(options: LiveConnectionOptions) {
    this.#options = options
  }

  get kind(): State['kind'] {
    return this.#state.kind
  }

  /** Gives connections back while the page is hidden, until `end`. */
  followPage(): void {
    this.#unfollowPage ??= followPage(this.#options.page(), {
      onHidden: () => this.#enter({ kind: 'suspended' }),
      onShown: () => this.#state.kind === 'suspended' && this.connect(),
    })
  }

  /** Opens a connection, in place of any other. */
  connect(): void {
    this.pause()
    // An ended connection may still call its handlers.
    let isCurrent = true
    const guarded =
      <Values extends unknown[]>(handle: (...values: Values) => void) =>
      (...values: Values) => {
        if (isCurrent) handle(...values)
      }
    const close = this.#options.open({
      onOpen: guarded(() => this.#opened()),
      onMessages: guarded((texts) => this.#receive(texts)),
      onBeat: guarded(() => this.#awaitMore()),
      onEnd: guarded((retryAfterMs) => this.fail(retryAfterMs)),
    })
    if (close === undefined) return
    this.#enter({
      kind: 'opening',
      close: () => {
        isCurrent = false
        close()
      },
      deadline: setTimeout(() => this.fail(0), openTimeoutMs),
    })
  }

  /** Closes the connection until the next `connect`. */
  pause(): void {
    this.#enter({ kind: 'idle' })
  }

  /** Closes the connection because it is of no use. The next one follows after a delay. */
  fail(retryAfterMs: number): void {
    this.retryLater(retryAfterMs)
    this.#options.onFailed()
  }

  /** Closes the connection. The next one follows after a delay. */
  retryLater(leastMs: number): void {
    const delayMs = leastMs + reconnectDelayMs(this.#failures, this.#options.random ?? Math.random)
    this.#failures += 1
    this.#enter({ kind: 'waiting', retry: setTimeout(() => this.connect(), delayMs) })
  }

  /** Closes the connection for good, as if it had never been open. */
  end(): void {
    this.#unfollowPage?.()
    this.#unfollowPage = undefined
    this.#failures = 0
    this.pause()
  }

  #opened(): void {
    if (this.#state.kind !== 'opening') return
    const { close, deadline } = this.#state
    clearTimeout(deadline)
    const stable = setTimeout(() => {
      this.#failures = 0
      this.#options.onStable?.()
    }, stableMs)
    this.#state = { kind: 'open', close, stable, silence: this.#whenSilent() }
    this.#options.onOpen()
  }

  #receive(texts: readonly string[]): void {
    this.#awaitMore()
    if (this.#state.kind === 'open') this.#options.onMessages(texts)
  }

  #awaitMore(): void {
    if (this.#state.kind !== 'open') return
    clearTimeout(this.#state.silence)
    this.#state.silence = this.#whenSilent()
  }

  #whenSilent(): Timer {
    // If the connection was alive after all, opening another one loses nothing.
    return setTimeout(() => this.connect(), this.#options.silenceMs)
  }

  #enter(state: State): void {
    const last = this.#state
    this.#state = state
    if (last.kind === 'waiting') return clearTimeout(last.retry)
    if (last.kind !== 'opening' && last.kind !== 'open') return
    last.close()
    if (last.kind === 'opening') return clearTimeout(last.deadline)
    clearTimeout(last.stable)
    clearTimeout(last.silence)
    this.#options.onClosed?.()
  }
}
