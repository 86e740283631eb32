import { request } from 'node:http'
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
} from 'node:http2'
import { request as requestByTls } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { recordEnd } from '../agents/agent-session.ts'
import { sessionOver, socketPair, watchSilence } from '../session-over.ts'
import { HopGreeting, hopHeader, type HopSigner } from './hop-signature.ts'
import type { Instance } from './instances-store.ts'

export const hopPath = '/relay/hop'
export const hopProtocol = 'astropelago-hop/1'

/** The servers are close to one another, so one that is silent for 4 s counts as gone. */
export const hopPatience = { pingMs: 1000, silentMs: 4000 }
const dialMs = 5000
/** How much of one answer may arrive before its visitor reads it, as for agents. */
const streamWindowBytes = 512 * 1024
const sessionWindowBytes = 64 * 1024 * 1024
/** For all islands together. Each stream has its own window. */
export const sessionMemoryMb = 2048

export class HopRefused extends Error {}

export class HopConnection {
  /** Resolves when no new requests may be sent. */
  readonly closed: Promise<void>
  readonly #session: ClientHttp2Session
  readonly #wire: Socket
  readonly #signer: HopSigner
  readonly #clock: () => number
  readonly #closing = Promise.withResolvers<void>()
  #isOpen = true
  #streams = 0

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
    const signer = greeting.accept(answer)
    if (signer === undefined) {
      socket.destroy()
      throw new HopRefused('the server that answers there is another one')
    }
    const wire = 'encrypted' in socket ? await unencrypted(socket) : socket
    return new HopConnection(wire, signer, clock)
  }

  private constructor(wire: Socket, signer: HopSigner, clock: () => number) {
    this.#wire = wire
    this.#signer = signer
    this.#clock = clock
    this.closed = this.#closing.promise
    this.#session = sessionOver(wire, {
      maxSessionMemory: sessionMemoryMb,
      maxHeaderListPairs: 1000,
      // Until the other server's SETTINGS arrive, which set no limit.
      peerMaxConcurrentStreams: 100_000,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
    })
    const endWatch = watchSilence(this.#session, hopPatience, () => this.end())
    const close = () => {
      this.#isOpen = false
      this.#closing.resolve()
    }
    const end = () => {
      close()
      this.end()
    }
    this.#session
      .on('error', () => undefined)
      .on('goaway', close)
      .once('close', end)
      .once('connect', () => this.#session.setLocalWindowSize(sessionWindowBytes))
    wire.once('close', () => {
      endWatch()
      end()
    })
  }

  get isOpen(): boolean {
    // Streams learn of the end before `close` is emitted.
    return this.#isOpen && !this.#session.closed && !this.#session.destroyed
  }

  /** Resolves when the other server's SETTINGS have arrived. They enable extended CONNECT. */
  async whenReady(): Promise<void> {
    const ready = Promise.withResolvers<void>()
    this.#session.once('remoteSettings', ready.resolve)
    await Promise.race([ready.promise, this.closed])
  }

  request(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions): ClientHttp2Stream {
    const signature = this.#signer.sign(headers, this.#clock())
    const stream = this.#session.request({ ...headers, [hopHeader]: signature }, options)
    this.#streams += 1
    recordEnd(stream)
    stream.once('close', () => {
      this.#streams -= 1
      if (this.#streams === 0 && !this.#isOpen) this.end()
    })
    return stream
  }

  /** Stops taking requests. Resolves when all open streams have ended or the connection is lost. */
  async drain(): Promise<void> {
    this.#isOpen = false
    if (this.#wire.destroyed) return
    const ended = new Promise((resolve) => this.#wire.once('close', resolve))
    if (this.#streams === 0) this.end()
    await ended
  }

  end(): void {
    this.#isOpen = false
    this.#session.destroy()
    this.#wire.destroy()
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

/** HTTP/2 runs only on plain sockets. docs/relay.md says why. */
async function unencrypted(socket: Socket): Promise<Socket> {
  const [wire, end] = await socketPair()
  pipeline(socket, end, socket, () => end.destroy())
  return wire
}
