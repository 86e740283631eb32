import type { Duplex } from 'node:stream'
import type { DeviceCaller } from '../../../http/callers.ts'
import { FrameSession, type Patience } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { KeptStreams } from './kept-streams.ts'

export const agentPatience: Patience = { pingMs: 5000, silentMs: 15_000 }
const drainMs = 60_000
/** How long open streams may take on a connection that its agent has probably lost. */
const takenOverMs = 1000

/** The service behind an agent, as its host has named it. */
export interface Service {
  /** Null for a folder. */
  readonly origin: string | null
  /** The `Host` that it wants instead of the island's. */
  readonly host: string | null
}

export interface AgentIdentity {
  readonly agentId: string
  /** The only island that it carries; null if it carries all islands of its device. */
  readonly islandKey: number | null
  readonly caller: DeviceCaller
  readonly service: Service
}

/** Streams may be opened until `onDraining`. */
type Listeners = Readonly<Record<'onDraining' | 'onEnd', () => void>>

/** A connection that an agent has dialled. This server opens its streams. */
export class AgentSession {
  readonly identity: AgentIdentity
  readonly ended: Promise<void>
  readonly kept = new KeptStreams()
  readonly #session: FrameSession
  readonly #ending = Promise.withResolvers<void>()
  readonly #listeners: Listeners
  #isDraining = false
  #drainEnd: NodeJS.Timeout | undefined

  constructor(
    wire: Duplex,
    identity: AgentIdentity,
    listeners: Listeners,
    patience = agentPatience,
  ) {
    this.identity = identity
    this.#listeners = listeners
    this.ended = this.#ending.promise
    this.#session = new FrameSession(wire, {
      patience,
      onAway: () => {
        if (!this.#isDraining) this.drain(drainMs)
      },
      onEnd: () => {
        clearTimeout(this.#drainEnd)
        this.kept.end()
        this.#ending.resolve()
        this.#listeners.onEnd()
      },
    })
  }

  get isOpen(): boolean {
    return !this.#isDraining && !this.#session.hasEnded
  }

  get isFull(): boolean {
    return this.#session.isFull
  }

  /** Without those that are kept for the next request. */
  get streamCount(): number {
    return this.#session.streamCount - this.kept.count
  }

  /** @throws if the session has ended, or has too many streams */
  open(kind: 'http' | 'tcp'): FrameStream {
    const stream = this.#session.open(kind)
    stream.once('close', () => this.#endIfDrained())
    return stream
  }

  withService(_stream: FrameStream, take: (service: Service) => void): void {
    take(this.identity.service)
  }

  /** Call it when the same agent has connected again. It tells another agent with the same id. */
  takeOver(): void {
    this.drain(takenOverMs, 'taken over')
  }

  /** Sends AWAY, so that the agent dials again. */
  drain(maxMs: number, why = ''): void {
    if (this.#session.hasEnded) return
    clearTimeout(this.#drainEnd)
    this.#drainEnd = setTimeout(() => this.end(), maxMs)
    if (!this.#isDraining) {
      this.#isDraining = true
      this.#listeners.onDraining()
      this.#session.away(why)
      this.kept.end()
    }
    this.#endIfDrained()
  }

  end(): void {
    this.#session.end()
  }

  #endIfDrained(): void {
    if (this.#isDraining && this.#session.streamCount === 0) this.#session.finish()
  }
}
