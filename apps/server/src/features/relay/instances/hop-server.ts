import type { IncomingMessage } from 'node:http'
import {
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { OtherHosts } from '../../../http/early-answers.ts'
import { answerOn, switchProtocols } from '../../../http/protocol-upgrades.ts'
import { recordEnd } from '../agents/agent-session.ts'
import { serveSessionOver, watchSilence } from '../session-over.ts'
import { answerInstead } from './carry-hop.ts'
import { hopPath, hopPatience, hopProtocol, sessionMemoryMb } from './hop-connection.ts'
import { HopGreetings, hopHeader, type HopChecker } from './hop-signature.ts'

/** How much of one upload may arrive before the agent reads it. */
const streamWindowBytes = 512 * 1024
const sessionWindowBytes = 64 * 1024 * 1024
const farewellMs = 1000

interface HopServerOptions {
  readonly writer: number
  readonly hopKey: Uint8Array
  readonly clock: () => number
  readonly carry: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void
  readonly onRefused: (what: 'connection' | 'request', address: string | undefined) => void
}

export class HopServer {
  readonly #options: HopServerOptions
  readonly #greetings: HopGreetings
  readonly #server: Http2Server
  readonly #checkers = new WeakMap<Http2Session, HopChecker>()
  readonly #connections = new Map<Socket, ServerHttp2Session | undefined>()

  constructor(options: HopServerOptions) {
    this.#options = options
    this.#greetings = new HopGreetings(options.hopKey, options.writer)
    this.#server = createServer({
      maxSessionMemory: sessionMemoryMb,
      maxHeaderListPairs: 1000,
      // Visitors may cancel at any rate, and each cancelled request is a reset stream.
      streamResetBurst: 1_000_000,
      streamResetRate: 1_000_000,
      settings: {
        enableConnectProtocol: true,
        initialWindowSize: streamWindowBytes,
        maxHeaderListSize: 64 * 1024,
      },
    })
    this.#server
      .on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
        this.#carry(stream, headers),
      )
      .on('sessionError', () => undefined)
  }

  /** Adds other servers' connections, which go to the site's host, to the given hosts. */
  hosts(others: OtherHosts): OtherHosts {
    return {
      ...others,
      takes: (request) => isHop(request) || others.takes(request),
      isUpgrade: (request) => (others.takes(request) ? others.isUpgrade(request) : isHop(request)),
      upgrade: (request, socket, head) => {
        if (others.takes(request)) others.upgrade(request, socket, head)
        else this.#take(request, socket, head)
      },
      watches: (socket) => this.#connections.has(socket) || others.watches(socket),
    }
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.#connections].map(async ([socket, session]) => {
        const cut = setTimeout(() => socket.destroy(), farewellMs)
        const closed = new Promise((resolve) => socket.once('close', resolve))
        if (session === undefined) socket.destroy()
        else session.close(() => socket.destroy())
        await closed
        clearTimeout(cut)
      }),
    )
  }

  #take(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { clock, onRefused } = this.#options
    socket.on('error', () => socket.destroy())
    const said = request.headers[hopHeader]
    const greeting = this.#greetings.take(typeof said === 'string' ? said : undefined, clock())
    if (greeting === undefined) {
      onRefused('connection', socket.remoteAddress)
      // As for any unknown path.
      const headers = { 'content-length': 0, 'cache-control': 'no-store' }
      answerOn(request, socket).writeHead(404, headers).end()
      return
    }
    this.#connections.set(socket, undefined)
    socket.once('close', () => this.#connections.delete(socket))
    socket.setTimeout(0)
    socket.setNoDelay(true)
    switchProtocols({ socket, head }, hopProtocol, `${hopHeader}: ${greeting.answer}`, () =>
      this.#begin(socket, greeting.checker),
    )
  }

  #begin(socket: Socket, checker: HopChecker): void {
    if (socket.destroyed) return
    this.#server.once('session', (session) => {
      this.#checkers.set(session, checker)
      if (this.#connections.has(socket)) this.#connections.set(socket, session)
      session.setLocalWindowSize(sessionWindowBytes)
      const end = () => {
        session.destroy()
        socket.destroy()
      }
      const endWatch = watchSilence(session, hopPatience, end)
      // Connections of an HTTP server are half-open, so the session does not learn that the other end
      // has gone.
      socket.once('end', () => setImmediate(end)).once('close', endWatch)
    })
    serveSessionOver(socket, this.#server)
  }

  #carry(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { clock, carry, onRefused } = this.#options
    stream.on('error', () => undefined)
    const { session } = stream
    const checker = session === undefined ? undefined : this.#checkers.get(session)
    if (checker?.isGood(headers, clock()) !== true) {
      onRefused('request', session?.socket.remoteAddress)
      answerInstead(stream, 'gone')
      return
    }
    recordEnd(stream)
    carry(stream, headers)
  }
}

function isHop({ method, url, headers }: IncomingMessage): boolean {
  return headers.upgrade === hopProtocol && method === 'GET' && url === hopPath
}
