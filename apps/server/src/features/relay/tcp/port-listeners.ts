import { createServer, type Server, type Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

/** On an idle connection, TCP keep-alive finds out whether the other end still exists. */
const keepAliveMs = 60_000

interface PortListenersOptions {
  readonly host: string | undefined
  /** Whether servers on the same database may share a port of one machine. */
  readonly isShared: boolean
  readonly onConnection: (port: number, socket: Socket) => void
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

type Listener =
  | { readonly kind: 'opening'; readonly server: Server; readonly settled: Promise<void> }
  | { readonly kind: 'listening'; readonly server: Server }
  /** Probably another program has it. Tried again. */
  | { readonly kind: 'blocked' }

export class PortListeners {
  readonly #options: PortListenersOptions
  readonly #listeners = new Map<number, Listener>()
  #isStopped = false

  constructor(options: PortListenersOptions) {
    this.#options = options
  }

  isListening(port: number): boolean {
    return this.#listeners.get(port)?.kind === 'listening'
  }

  count(kind: 'listening' | 'blocked'): number {
    return [...this.#listeners.values()].filter((listener) => listener.kind === kind).length
  }

  /** Listens on exactly these ports. Resolves when each is listening or blocked. */
  async listenOn(ports: ReadonlySet<number>): Promise<void> {
    if (this.#isStopped) return
    for (const port of this.#listeners.keys()) if (!ports.has(port)) this.#close(port)
    for (const port of ports) if (!this.#listeners.has(port)) this.#open(port, false)
    for (const one of this.#listeners.values()) if (one.kind === 'opening') await one.settled
  }

  retry(): void {
    for (const [port, { kind }] of this.#listeners) if (kind === 'blocked') this.#open(port, true)
  }

  stop(): void {
    this.#isStopped = true
    for (const port of this.#listeners.keys()) this.#close(port)
  }

  #open(port: number, wasBlocked: boolean): void {
    const { host, isShared, onConnection, log } = this.#options
    const server = createServer(
      {
        allowHalfOpen: true,
        pauseOnConnect: true,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: keepAliveMs,
      },
      (socket) => onConnection(port, socket),
    )
    const { promise: settled, resolve } = Promise.withResolvers<void>()
    this.#listeners.set(port, { kind: 'opening', server, settled })
    const settle = (listener: Listener): boolean => {
      resolve()
      const current = this.#listeners.get(port)
      const isWanted = current?.kind === 'opening' && current.server === server
      if (isWanted) this.#listeners.set(port, listener)
      return isWanted
    }
    server.once('listening', () => {
      if (!settle({ kind: 'listening', server })) server.close()
      else if (wasBlocked) log.info({ port }, 'this server listens on the port of an island again')
    })
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (!settle({ kind: 'blocked' }) || wasBlocked) return
      log.warn(
        { port, code: error.code },
        `port ${port} of RELAY_TCP_PORTS can’t be listened on (${whatOf(error)}): its island can’t be ` +
          'reached there until a retry succeeds',
      )
    })
    server.listen({ port, host, reusePort: isShared && process.platform === 'linux' })
  }

  #close(port: number): void {
    const listener = this.#listeners.get(port)
    this.#listeners.delete(port)
    if (listener !== undefined && listener.kind !== 'blocked') listener.server.close()
  }
}

function whatOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'another program has it'
  if (code === 'EACCES') return 'the system does not permit it'
  return message
}
