import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  type Http2Stream,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import type { DeviceCaller } from '../../../http/callers.ts'
import { sessionOver, watchSilence, type Patience } from '../session-over.ts'

const agentPatience: Patience = { pingMs: 5000, silentMs: 15_000 }
/** For the agent's SETTINGS, which it sends at once. */
const openingMs = 10_000
const drainMs = 60_000
/** Node 18 and 20 end a session after about 1,030 reset streams. Open ones may be reset too. */
const resetsMax = 900
/** Sent with GOAWAY. The agent keeps such a session while a stream is open, which may be for days. */
const full = Buffer.from('full')
/** How much of one answer an agent may send before it is read. Allows 80 Mbit/s at 50 ms. */
const streamWindowBytes = 512 * 1024
/** For all streams together: this much may be on its way, however slowly visitors read. */
const sessionWindowBytes = 16 * 1024 * 1024
/** More than all streams of an island may hold, which have their own windows. */
const sessionMemoryMb = 256
const headerListMaxBytes = 64 * 1024

/** How long open streams may take on a connection that its agent has probably lost. */
const takenOverMs = 1000
const takenOver = Buffer.from('taken over')

export interface AgentIdentity {
  readonly agentId: string
  /** The only island that it carries; null if it carries all islands of its device. */
  readonly islandKey: number | null
  readonly caller: DeviceCaller
  readonly service: string | null
}

type State =
  | { readonly kind: 'opening'; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'open'; readonly endWatch: () => void }
  | {
      readonly kind: 'draining'
      readonly endWatch: () => void
      readonly end: NodeJS.Timeout | undefined
    }
  | { readonly kind: 'ended' }

/** Requests may be sent from `onOpen` until `onDraining`. */
type Listeners = Readonly<Record<'onOpen' | 'onDraining' | 'onEnd', () => void>>

/** HTTP/2 over a connection that an agent dialled. This server is the client. */
export class AgentSession {
  readonly identity: AgentIdentity
  readonly ended: Promise<void>
  readonly #session: ClientHttp2Session
  readonly #ending = Promise.withResolvers<void>()
  readonly #wire: Socket
  readonly #listeners: Listeners
  readonly #patience: Patience
  #state: State
  #streams = 0
  #resets = 0

  constructor(
    wire: Socket,
    identity: AgentIdentity,
    listeners: Listeners,
    patience = agentPatience,
  ) {
    this.identity = identity
    this.#wire = wire
    this.#listeners = listeners
    this.#patience = patience
    this.ended = this.#ending.promise
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
      // All open streams fail with it, and each tells its visitor.
      .on('error', () => undefined)
      .on('close', () => this.end())
      // Agents also answer our GOAWAY with one.
      .on('goaway', () => {
        if (this.#state.kind !== 'draining') this.drain(drainMs)
      })
      .once('connect', () => this.#session.setLocalWindowSize(sessionWindowBytes))
      .once('remoteSettings', () => this.#open())
    // Connections of an HTTP server are half-open, so the session does not learn that its agent has
    // gone. Data that arrived with the end comes first.
    wire.once('end', () => setImmediate(() => this.end())).once('close', () => this.end())
  }

  get isOpen(): boolean {
    // Streams learn of the end before `close` is emitted.
    return this.#state.kind === 'open' && !this.#session.destroyed
  }

  get streamCount(): number {
    return this.#streams
  }

  get takesConnect(): boolean {
    return this.#session.remoteSettings?.enableConnectProtocol === true
  }

  /** @throws if HTTP/2 can't carry the headers, or if the session has ended */
  request(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions): ClientHttp2Stream {
    const stream = this.#session.request(headers, options)
    this.#streams += 1
    recordEnd(stream)
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

  /** Call it when the same agent has connected again. It tells another agent with the same id. */
  takeOver(): void {
    this.drain(takenOverMs, takenOver)
  }

  /** Sends GOAWAY, so that the agent dials again. Without `maxMs`, open streams may take forever. */
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
    // Sent before requests of this turn, it would make the agent refuse them.
    setImmediate(() => {
      if (state.kind === 'open' && !this.#session.destroyed) {
        this.#session.goaway(constants.NGHTTP2_NO_ERROR, 0, why)
      }
      // After the GOAWAY is sent.
      if (this.#streams === 0) setImmediate(() => this.end())
    })
  }

  end(): void {
    if (this.#state.kind === 'ended') return
    if (this.#state.kind === 'opening') clearTimeout(this.#state.timer)
    else this.#state.endWatch()
    if (this.#state.kind === 'draining') clearTimeout(this.#state.end)
    this.#state = { kind: 'ended' }
    // A GOAWAY on a silent connection would reach nobody.
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL)
    this.#wire.destroy()
    this.#ending.resolve()
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

export type AnswerHead = IncomingHttpHeaders & IncomingHttpStatusHeader

const properlyEnded = new WeakSet<Http2Stream>()

/** Streams also emit `end` when they are reset, even with NO_ERROR. Half an answer must not pass for whole. */
export function isWhole(stream: Http2Stream): boolean {
  return properlyEnded.has(stream) && stream.rstCode === constants.NGHTTP2_NO_ERROR
}

/** Records a proper end for `isWhole`. After a reset, the stream is closed when its end is pushed. */
export function recordEnd(stream: Http2Stream): void {
  const push = stream.push.bind(stream)
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && !stream.closed) properlyEnded.add(stream)
    return push(chunk, encoding)
  }
}

const cancelled = AbortSignal.abort()

/**
 * Resets a stream with CANCEL. `close` would first end its body properly, and the other end would take half
 * a body for a whole one. An abort signal only resets it.
 * It waits for the next turn, because Node ends the process (`Http2Stream::OnTrailers`, 26.10) if a stream
 * that waits for trailers is destroyed while its session reads.
 */
export function cancel(stream: ClientHttp2Stream): void {
  setImmediate(() => {
    if (!stream.closed && !stream.destroyed) addAbortSignal(cancelled, stream)
  })
}
