import { once } from 'node:events'
import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { listen, portOf } from './listen.ts'
import { PeerSession } from './peer-session.ts'
import type { PeerStream } from './peer-stream.ts'

export interface PeerOptions {
  /** Refuses a dial with this answer; undefined accepts it. */
  readonly refuse?: (request: IncomingMessage, dials: number) => Refusal | undefined
  /** Passes only WebSockets, as some proxies do, and answers other upgrades with this status. */
  readonly webSocketsAlone?: number
  readonly tls?: { readonly key: string; readonly cert: string }
  /** 0 for no pings. */
  readonly pingMs?: number
  readonly hash?: string
  /** Takes agents that lend. */
  readonly lends?: boolean
  /** Answers requests without an upgrade. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => unknown
}

interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A minimal server side of the protocol. It accepts dials and opens a test's streams. */
export class RelayPeer {
  readonly dials: IncomingMessage[] = []
  readonly sessions: PeerSession[] = []
  readonly #server: http.Server
  readonly #pingMs: number
  readonly #sockets = new Set<Duplex>()
  readonly #waiting: ((session: PeerSession) => void)[] = []
  readonly #unseen: PeerSession[] = []

  private constructor(options: PeerOptions) {
    this.#pingMs = options.pingMs ?? 5000
    this.#server = options.tls === undefined ? http.createServer() : https.createServer(options.tls)
    const webSockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      handleProtocols: (offered) =>
        offered.has('astropelago-relay.2') ? 'astropelago-relay.2' : false,
    })
    this.#server.on('request', options.answer ?? ((_, response) => response.writeHead(404).end()))
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
        return webSockets.handleUpgrade(request, socket, head, (webSocket) =>
          this.#open(createWebSocketStream(webSocket)),
        )
      }
      const hash = options.hash === undefined ? '' : `Astropelago-Agent-Hash: ${options.hash}\r\n`
      const lends = options.lends === true ? 'Astropelago-Agent-Lends: 1\r\n' : ''
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: astropelago-relay/2\r\n' +
          `Astropelago-Island: bar, tavern\r\n${hash}${lends}\r\n`,
      )
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
  async connected(): Promise<PeerSession> {
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

  #open(wire: Duplex): void {
    const session = new PeerSession(wire, this.#pingMs)
    this.sessions.push(session)
    const take = this.#waiting.shift()
    if (take === undefined) this.#unseen.push(session)
    else take(session)
  }
}

function writeRefusal(socket: Duplex, { status, headers = {}, body = '' }: Refusal): void {
  const all = { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`,
  )
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * Sends a request through a stream of its own, and reads the answer.
 * @throws if the stream is reset
 */
export async function ask(
  session: PeerSession,
  path: string,
  { body, ...options }: http.RequestOptions & { readonly body?: Buffer | string } = {},
): Promise<Answer> {
  const request = askThrough(session.openStream('http'), path, options)
  request.end(body)
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (response === undefined) throw new Error('no response')
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: await buffer(response) }
}

/** A request through a stream. The caller sends its body, if any, and ends it. */
export function askThrough(
  stream: PeerStream,
  path: string,
  options: http.RequestOptions = {},
): http.ClientRequest {
  const how = { path, host: 'bar.islands.test', ...options, createConnection: () => stream }
  return http.request(how).on('error', () => undefined)
}
