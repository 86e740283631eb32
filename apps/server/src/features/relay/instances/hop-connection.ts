import { text as textOf } from 'node:stream/consumers'
import { request } from 'node:http'
import { request as requestByTls } from 'node:https'
import type { Socket } from 'node:net'
import * as v from 'valibot'
import type { Service } from '../agents/agent-session.ts'
import { KeptStreams } from '../agents/kept-streams.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { FrameSession, type Patience, type SessionLimits } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { HopGreeting, hopHeader } from './hop-greeting.ts'
import type { Instance } from './instances-store.ts'

export const hopPath = '/relay/hop'
export const hopProtocol = 'astropelago-hop/2'

/** The servers are close to one another, so one that is silent for 4 s counts as gone. */
export const hopPatience: Patience = { pingMs: 1000, silentMs: 4000 }
/** For all islands together. */
export const hopLimits: SessionLimits = { streams: 65_536, windowsBytes: 64 * 1024 * 1024 }
const dialMs = 5000
/** The stream on which a server tells what it has changed. */
export const noticesKind = 'notices'
/** The stream on which a server asks for one look by an agent of another one. */
export const assignmentKind = 'assignment'
const unreadMaxBytes = 4 * 1024 * 1024

/** What the other server tells about an agent when it accepts a stream to it. */
const HopService = v.object({ origin: v.nullable(v.string()), host: v.nullable(v.string()) })

/** An island, and the device whose agent carries it. */
export interface HopTarget {
  readonly key: number
  readonly carrierKey: number
}

export class HopRefused extends Error {}

/** A connection to another server, on which this one opens streams to its agents. */
export class HopConnection {
  /** Resolves when no more streams may be opened. */
  readonly closed: Promise<void>
  readonly #session: FrameSession
  readonly #closing = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  /** By island. */
  readonly #kept = new Map<string, KeptStreams>()
  readonly #services = new WeakMap<FrameStream, Service>()
  #isClosed = false

  /** @throws HopRefused, or a network error */
  static async dial(options: {
    readonly to: Pick<Instance, 'writer' | 'hopKey'> & { readonly url: string }
    readonly from: number
    readonly clock: () => number
    readonly signal: AbortSignal
  }): Promise<HopConnection> {
    const { to, from, clock, signal } = options
    const greeting = new HopGreeting(to.hopKey, { from, to: to.writer, nowMs: clock() })
    const { socket, answer } = await upgrade(to.url, greeting.header, signal)
    if (!greeting.isAnsweredBy(answer)) {
      socket.destroy()
      throw new HopRefused('the server that answers there is another one')
    }
    return new HopConnection(socket)
  }

  private constructor(wire: Socket) {
    this.closed = this.#closing.promise
    this.#session = new FrameSession(wire, {
      patience: hopPatience,
      limits: hopLimits,
      onAway: () => this.#close(),
      onEnd: () => {
        this.#close()
        this.#ended.resolve()
      },
    })
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#session.hasEnded
  }

  /**
   * An agent on the other server. Streams are kept for its next requests.
   * @param onOpen called with each stream that is opened
   */
  agentOf(target: HopTarget, onOpen: () => void): ReachableAgent {
    const of = `${target.key} ${target.carrierKey}`
    const isOpen = () => this.isOpen
    return {
      get isOpen() {
        return isOpen()
      },
      kept: {
        take: () => this.#kept.get(of)?.take(),
        keep: (stream, seconds) => this.#keptOf(of).keep(stream, seconds),
      },
      open: (kind) => {
        onOpen()
        return this.#open(`${kind} ${of}`)
      },
      withService: (stream, take) => {
        const service = this.#services.get(stream)
        if (service !== undefined) take(service)
        else stream.once('connect', () => take(this.#services.get(stream) ?? unknownService))
      },
    }
  }

  /** Opens a stream for what this server tells the other one. @returns what writes a line */
  openNotices(from: number): { readonly write: (line: string) => void } {
    const stream = this.#open(`${noticesKind} ${from}`)
    stream.on('error', () => undefined).resume()
    // A new connection begins them anew. A server of an older version never takes them.
    stream.once('close', () => stream.isConnected && this.#close())
    void this.closed.then(() => stream.end())
    return {
      write: (line) => {
        // The other server reads the database if it has missed something.
        if (stream.writableLength > unreadMaxBytes) stream.destroy()
        else if (!stream.destroyed) stream.write(line)
      },
    }
  }

  /** Asks for one look. Resolves with undefined if there is no answer in time. */
  async ask(question: string, limitMs: number): Promise<string | undefined> {
    if (!this.isOpen) return undefined
    const stream = this.#open(assignmentKind)
    const late = setTimeout(() => stream.destroy(), limitMs)
    stream.end(question)
    try {
      return await textOf(stream)
    } catch {
      return undefined
    } finally {
      clearTimeout(late)
    }
  }

  /** Opens no more streams. Resolves when all open ones have ended or the connection is lost. */
  async drain(): Promise<void> {
    this.#close()
    await this.#ended.promise
  }

  end(): void {
    this.#session.end()
  }

  #keptOf(target: string): KeptStreams {
    let kept = this.#kept.get(target)
    if (kept === undefined) {
      kept = new KeptStreams(() => this.#kept.delete(target))
      if (this.#isClosed) kept.end()
      else this.#kept.set(target, kept)
    }
    return kept
  }

  #open(text: string): FrameStream {
    const stream = this.#session.open(text)
    stream.once('connect', (said: string) => this.#services.set(stream, readService(said)))
    stream.once('close', () => this.#endIfDrained())
    return stream
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#closing.resolve()
    for (const kept of this.#kept.values()) kept.end()
    this.#endIfDrained()
  }

  #endIfDrained(): void {
    if (this.#isClosed && this.#session.streamCount === 0) this.#session.finish()
  }
}

const unknownService: Service = { origin: null, host: null }

function readService(text: string): Service {
  try {
    return v.parse(HopService, JSON.parse(text))
  } catch {
    return unknownService
  }
}

async function upgrade(
  url: string,
  greeting: string,
  signal: AbortSignal,
): Promise<{ readonly socket: Socket; readonly answer: string | undefined }> {
  const send = url.startsWith('https:') ? requestByTls : request
  const asked = send(new URL(hopPath, url), {
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(dialMs)]),
    headers: { connection: 'Upgrade', upgrade: hopProtocol, [hopHeader]: greeting },
  })
  asked.setNoDelay(true)
  return await new Promise((resolve, reject) => {
    asked
      .on('error', reject)
      .on('response', (response) => {
        asked.destroy()
        reject(new HopRefused(`it answers ${response.statusCode}`))
      })
      .on('upgrade', ({ headers }, socket: Socket, head) => {
        socket.on('error', () => socket.destroy())
        if (head.length > 0) socket.unshift(head)
        const answer = headers[hopHeader]
        resolve({ socket, answer: typeof answer === 'string' ? answer : undefined })
      })
      .end()
  })
}
