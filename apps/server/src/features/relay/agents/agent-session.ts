import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  type Http2Stream,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import type { DeviceCaller } from '../../../http/callers.ts'
import { sessionOver } from '../session-over.ts'
import { watchSilence, type Patience } from './watch-silence.ts'

const agentPatience: Patience = { pingMs: 5000, silentMs: 15_000 }
/** For an agent to say what it can do, which it does at once. */
const openingMs = 10_000
/** What is under way when a session takes nothing new any more. */
const drainMs = 60_000
/**
 * Node 18 and 20 end a session after about 1,030 streams that were reset, whatever its settings. What is
 * open may be reset too, so both together stay below.
 */
const resetsMax = 900
/** An agent keeps such a session for as long as something is under way on it: a WebSocket may be for days. */
const full = Buffer.from('full')
/** What an agent may send of one answer before it is read: 80 Mbit/s at 50 ms. */
const streamWindowBytes = 512 * 1024
/** Of all streams together: as many bytes may be on their way, whoever reads how slowly. */
const sessionWindowBytes = 16 * 1024 * 1024
/** Above what all streams of an island may hold, which have windows of their own. */
const sessionMemoryMb = 256
const headerListMaxBytes = 64 * 1024

/** What is under way on a connection that its agent has lost, as it seems. */
const takenOverMs = 1000
const takenOver = Buffer.from('taken over')

export interface AgentIdentity {
  /** Made by the agent at its first start. */
  readonly agentId: string
  /** The one island that it carries; null where it carries all of its device. */
  readonly islandKey: number | null
  readonly caller: DeviceCaller
  /** Where it passes visitors on to, as it says; null where it does not. */
  readonly service: string | null
}

type State =
  | { readonly kind: 'opening'; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'open'; readonly endWatch: () => void }
  | {
      readonly kind: 'draining'
      readonly endWatch: () => void
      /** None where it has all the time that it needs. */
      readonly end: NodeJS.Timeout | undefined
    }
  | { readonly kind: 'ended' }

interface SessionListeners {
  /** It speaks the protocol: requests may go out. */
  readonly onOpen: () => void
  /** It takes no new requests any more. */
  readonly onDraining: () => void
  readonly onEnd: () => void
}

/** HTTP/2 over the connection that an agent dialled, in which this server is the client. */
export class AgentSession {
  readonly identity: AgentIdentity
  /** Resolves when nothing goes over it any more. */
  readonly ended: Promise<void>
  readonly #session: ClientHttp2Session
  readonly #resolveEnded: () => void
  readonly #wire: Socket
  readonly #listeners: SessionListeners
  readonly #patience: Patience
  #state: State
  #streams = 0
  #resets = 0

  constructor(
    wire: Socket,
    identity: AgentIdentity,
    listeners: SessionListeners,
    patience = agentPatience,
  ) {
    this.identity = identity
    this.#wire = wire
    this.#listeners = listeners
    this.#patience = patience
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#resolveEnded = resolve
    this.#session = sessionOver(wire, {
      maxSessionMemory: sessionMemoryMb,
      maxHeaderListPairs: 1000,
      settings: {
        enablePush: false,
        initialWindowSize: streamWindowBytes,
        maxHeaderListSize: headerListMaxBytes,
      },
    })
    this.#state = { kind: 'opening', timer: setTimeout(() => this.end(), openingMs) }
    this.#session
      // What broke is broken for all that was under way, and each of them tells its visitor.
      .on('error', () => undefined)
      .on('close', () => this.end())
      // An agent says so too in answer to ours.
      .on('goaway', () => {
        if (this.#state.kind !== 'draining') this.drain(drainMs)
      })
      .once('connect', () => this.#session.setLocalWindowSize(sessionWindowBytes))
      .once('remoteSettings', () => this.#open())
    // A connection of an HTTP server stays half open, and no session hears that its agent is gone. What came
    // with the end is told first.
    wire.once('end', () => setImmediate(() => this.end())).once('close', () => this.end())
  }

  get isOpen(): boolean {
    // What goes over it hears of its end before `close` tells.
    return this.#state.kind === 'open' && !this.#session.destroyed
  }

  /** How much is under way. */
  get streamCount(): number {
    return this.#streams
  }

  /** Whether the agent takes WebSockets and other streams that are no request. */
  get takesConnect(): boolean {
    return this.#session.remoteSettings?.enableConnectProtocol === true
  }

  /** Begins a request. @throws for headers that HTTP/2 can't carry, or where the session has ended */
  request(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions): ClientHttp2Stream {
    const stream = this.#session.request(headers, options)
    this.#streams += 1
    noteEnd(stream)
    stream.once('close', () => {
      this.#streams -= 1
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || !stream.writableFinished) {
        this.#resets += 1
      }
      if (this.#state.kind === 'draining' && this.#streams === 0) this.end()
    })
    if (this.#streams + this.#resets >= resetsMax) this.drain(undefined, full)
    return stream
  }

  /** Another connection of the same agent is in its place; whoever else has its id learns that. */
  takeOver(): void {
    this.drain(takenOverMs, takenOver)
  }

  /**
   * Takes nothing new and says so: an agent dials anew at once. What is under way has so long, and without a
   * time as long as it takes.
   */
  drain(maxMs: number | undefined, why?: Buffer): void {
    const state = this.#state
    if (state.kind === 'ended') return
    if (state.kind === 'opening') {
      this.end()
      return
    }
    if (state.kind === 'draining') clearTimeout(state.end)
    const end = maxMs === undefined ? undefined : setTimeout(() => this.end(), maxMs)
    this.#state = { kind: 'draining', endWatch: state.endWatch, end }
    if (state.kind === 'open') this.#listeners.onDraining()
    // Ahead of requests that began in this turn it would have them refused.
    setImmediate(() => {
      if (state.kind === 'open' && !this.#session.destroyed) {
        this.#session.goaway(constants.NGHTTP2_NO_ERROR, 0, why)
      }
      // Once that is on its way.
      if (this.#streams === 0) setImmediate(() => this.end())
    })
  }

  /** At once, with all that is under way. */
  end(): void {
    if (this.#state.kind === 'ended') return
    if (this.#state.kind === 'opening') clearTimeout(this.#state.timer)
    else this.#state.endWatch()
    if (this.#state.kind === 'draining') clearTimeout(this.#state.end)
    this.#state = { kind: 'ended' }
    // Nobody hears of a goodbye to a connection that is silent.
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL)
    this.#wire.destroy()
    this.#resolveEnded()
    this.#listeners.onEnd()
  }

  #open(): void {
    if (this.#state.kind !== 'opening') return
    clearTimeout(this.#state.timer)
    const endWatch = watchSilence(this.#session, this.#patience, () => this.end())
    this.#state = { kind: 'open', endWatch }
    this.#listeners.onOpen()
  }
}

/** Streams whose other end has said that this is all of it. */
const ended = new WeakSet<Http2Stream>()

/**
 * Whether all has come that was to come. A stream emits `end` too when it is reset, be it with no error, or
 * lost with its connection, and half an answer must not pass for a whole one.
 */
export function isWhole(stream: Http2Stream): boolean {
  return ended.has(stream) && stream.rstCode === constants.NGHTTP2_NO_ERROR
}

/** What is pushed at the end tells the two apart: after a reset the stream is closed already. */
export function noteEnd(stream: Http2Stream): void {
  const push = stream.push.bind(stream)
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && !stream.closed) ended.add(stream)
    return push(chunk, encoding)
  }
}

const cancelled = AbortSignal.abort()

/**
 * Resets a stream with CANCEL. Its own `close` would end properly what was begun before it resets it, and half
 * a body would pass for a whole one with the other end; what is aborted by a signal is reset alone.
 *
 * Not in this turn: Node ends the process (`Http2Stream::OnTrailers`, 26.10) where a stream that waits for
 * trailers is destroyed while its session reads.
 */
export function cancel(stream: ClientHttp2Stream): void {
  setImmediate(() => {
    if (!stream.closed && !stream.destroyed) addAbortSignal(cancelled, stream)
  })
}
