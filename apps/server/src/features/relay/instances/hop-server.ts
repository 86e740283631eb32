import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { OtherHosts } from '../../../http/early-answers.ts'
import { answerOn, switchProtocols } from '../../../http/protocol-upgrades.ts'
import { FrameSession } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { hopLimits, hopPath, hopPatience, hopProtocol } from './hop-connection.ts'
import { HopGreetings, hopHeader } from './hop-greeting.ts'

const farewellMs = 1000

/** Takes the connections of other servers, on which they open streams to agents of this one. */
export class HopServer {
  readonly #options
  readonly #greetings: HopGreetings
  readonly #sessions = new Map<Socket, FrameSession>()
  #isLeaving = false

  constructor(options: {
    readonly writer: number
    readonly hopKey: Uint8Array
    readonly clock: () => number
    readonly carry: (stream: FrameStream) => void
    readonly onRefused: (address: string | undefined) => void
  }) {
    this.#options = options
    this.#greetings = new HopGreetings(options.hopKey, options.writer)
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
      watches: (socket) => this.#sessions.has(socket) || others.watches(socket),
    }
  }

  /** Takes no more streams, and lets other servers end those that they only keep. */
  leave(): void {
    this.#isLeaving = true
    for (const session of this.#sessions.values()) session.away()
  }

  async stop(): Promise<void> {
    this.leave()
    await Promise.all(
      [...this.#sessions].map(async ([socket, session]) => {
        const cut = setTimeout(() => session.end(), farewellMs)
        const closed = new Promise((resolve) => socket.once('close', resolve))
        await closed
        clearTimeout(cut)
      }),
    )
  }

  #take(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { clock, carry, onRefused } = this.#options
    socket.on('error', () => socket.destroy())
    if (this.#isLeaving) {
      socket.destroy()
      return
    }
    const said = request.headers[hopHeader]
    const answer = this.#greetings.take(typeof said === 'string' ? said : undefined, clock())
    if (answer === undefined) {
      onRefused(socket.remoteAddress)
      // As for any unknown path.
      const headers = { 'content-length': 0, 'cache-control': 'no-store' }
      answerOn(request, socket).writeHead(404, headers).end()
      return
    }
    socket.setTimeout(0)
    socket.setNoDelay(true)
    switchProtocols({ socket, head }, hopProtocol, [`${hopHeader}: ${answer}`])
    const session = new FrameSession(socket, {
      patience: hopPatience,
      limits: hopLimits,
      onOpen: carry,
      onEnd: () => this.#sessions.delete(socket),
    })
    this.#sessions.set(socket, session)
  }
}

function isHop({ method, url, headers }: IncomingMessage): boolean {
  return headers.upgrade === hopProtocol && method === 'GET' && url === hopPath
}
