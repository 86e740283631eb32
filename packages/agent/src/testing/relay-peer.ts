import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { listen, portOf } from './listen.ts'
import { socketPair } from './socket-pair.ts'

export const islandHost = 'bar.islands.test'

interface PeerOptions {
  /** Refuses a dial with this answer; undefined accepts it. */
  readonly refuse?: (request: IncomingMessage, dials: number) => Refusal | undefined
  /** Passes only WebSockets, as some proxies do, and answers other upgrades with this status. */
  readonly webSocketsAlone?: number
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly pingMs?: number
}

interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: http2.IncomingHttpHeaders
  readonly body: Buffer
  readonly trailers: http2.IncomingHttpHeaders
  readonly interim: readonly http2.IncomingHttpHeaders[]
}

/** A minimal server side of the protocol. It accepts dials and sends a test's requests. */
export class RelayPeer {
  readonly dials: IncomingMessage[] = []
  readonly sessions: ClientHttp2Session[] = []
  readonly #server: http.Server
  readonly #pingMs: number
  readonly #sockets = new Set<Duplex>()
  readonly #waiting: ((session: ClientHttp2Session) => void)[] = []
  readonly #unseen: ClientHttp2Session[] = []

  private constructor(options: PeerOptions) {
    this.#pingMs = options.pingMs ?? 5000
    this.#server = options.tls === undefined ? http.createServer() : https.createServer(options.tls)
    const webSockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      handleProtocols: (offered) =>
        offered.has('astropelago-relay.1') ? 'astropelago-relay.1' : false,
    })
    this.#server.on('request', (request, response) => this.#answer(request, response))
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
    })
    this.#server.on('upgrade', (request, socket, head) => {
      this.dials.push(request)
      const isWebSocket = request.headers.upgrade === 'websocket'
      const refusal =
        options.webSocketsAlone !== undefined && !isWebSocket
          ? { status: options.webSocketsAlone }
          : options.refuse?.(request, this.dials.length)
      if (refusal !== undefined) return writeRefusal(socket, refusal)
      if (isWebSocket) {
        return webSockets.handleUpgrade(request, socket, head, (webSocket) => {
          const frames = createWebSocketStream(webSocket)
          frames.on('error', () => undefined)
          void this.#openBridged(frames)
        })
      }
      const head101 =
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: astropelago-relay/1\r\n' +
        `Astropelago-Island: bar, tavern\r\n\r\n`
      socket.write(head101)
      if (options.tls !== undefined) return void this.#openBridged(socket)
      return this.#open(socket)
    })
  }

  static async start(options: PeerOptions = {}): Promise<RelayPeer> {
    const peer = new RelayPeer(options)
    await listen(peer.#server)
    return peer
  }

  get port(): number {
    return portOf(this.#server)
  }

  get url(): string {
    return `${this.#server instanceof https.Server ? 'https' : 'http'}://localhost:${this.port}`
  }

  /** The oldest session that no test has taken yet, or else the next one. */
  async connected(): Promise<ClientHttp2Session> {
    return this.#unseen.shift() ?? (await new Promise((resolve) => this.#waiting.push(resolve)))
  }

  /** Ends all connections without a goodbye, as a network failure does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #openBridged(stream: Duplex): Promise<void> {
    const [near, far] = await socketPair()
    near.on('close', () => stream.destroy())
    stream.on('close', () => near.destroy())
    stream.pipe(near).pipe(stream)
    this.#open(far)
  }

  #open(wire: Duplex): void {
    const session = http2.connect('http://agent', {
      createConnection: () => wire,
      settings: { initialWindowSize: 2 ** 20, maxHeaderListSize: 65_536, enablePush: false },
      // Node's default limits are too low for a session with many visitors. [A8]
      maxSessionMemory: 1000,
      maxHeaderListPairs: 2100,
    })
    session.on('error', () => undefined)
    this.sessions.push(session)
    const pings = setInterval(() => {
      if (!session.destroyed) session.ping(() => undefined)
    }, this.#pingMs)
    session.on('close', () => clearInterval(pings))
    session.once('remoteSettings', () => {
      const take = this.#waiting.shift()
      if (take === undefined) this.#unseen.push(session)
      else take(session)
    })
  }

  #answer(_request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(404).end()
  }
}

function writeRefusal(socket: Duplex, { status, headers = {}, body = '' }: Refusal): void {
  const all = { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`,
  )
}

const visitors = new WeakMap<ClientHttp2Stream, AbortController>()

/**
 * Makes the visitor of a request leave. It only resets the stream, where `close` would first end the body.
 * [A15]
 */
export function leave(stream: ClientHttp2Stream): void {
  visitors.get(stream)?.abort()
}

/** Opens a visitor's request. The headers override those of a GET. */
export function open(
  session: ClientHttp2Session,
  path: string,
  headers: http2.OutgoingHttpHeaders = {},
  options: http2.ClientSessionRequestOptions = {},
): ClientHttp2Stream {
  const visitor = new AbortController()
  const stream = session.request(
    { ':method': 'GET', ':scheme': 'https', ':authority': islandHost, ':path': path, ...headers },
    { ...options, signal: visitor.signal },
  )
  visitors.set(stream, visitor)
  stream.on('error', () => undefined)
  return stream
}

/**
 * Sends a whole request and reads the whole answer.
 * @throws if the stream is reset
 */
export async function ask(
  session: ClientHttp2Session,
  path: string,
  headers: http2.OutgoingHttpHeaders = {},
  body?: Buffer | string,
): Promise<Answer> {
  const stream = open(session, path, headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return await readAnswer(stream)
}

/** @throws if the stream is reset */
export function readAnswer(stream: ClientHttp2Stream): Promise<Answer> {
  const interim: http2.IncomingHttpHeaders[] = []
  const parts: Buffer[] = []
  let headers: http2.IncomingHttpHeaders = {}
  let trailers: http2.IncomingHttpHeaders = {}
  stream.on('headers', (found) => interim.push(found))
  stream.on('response', (found) => {
    headers = found
  })
  stream.on('trailers', (found) => {
    trailers = found
  })
  stream.on('data', (part: Buffer) => parts.push(part))
  return new Promise((resolve, reject) => {
    stream.on('close', () => {
      if (stream.rstCode !== 0 || headers[':status'] === undefined) {
        reject(new Error(`the stream was reset with code ${stream.rstCode}`))
        return
      }
      const body = Buffer.concat(parts)
      resolve({ status: Number(headers[':status']), headers, body, trailers, interim })
    })
  })
}
