import { createServer, type Server, type Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

/** On an idle connection, TCP keep-alive finds out whether the other end still exists. */
const keepAliveMs = 60_000

type Listener =
  | { readonly kind: 'opening'; readonly server: Server; readonly settled: Promise<void> }
  | { readonly kind: 'listening'; readonly server: Server }
  /** Probably another program has it. Tried again. */
  | { readonly kind: 'blocked' }

export type PortListeners = ReturnType<typeof createPortListeners>

export function createPortListeners(options: {
  readonly host: string | undefined
  /** Whether servers on the same database may share a port of one machine. */
  readonly isShared: boolean
  readonly onConnection: (port: number, socket: Socket) => void
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}) {
  const { host, isShared, onConnection, log } = options
  const listeners = new Map<number, Listener>()
  let isStopped = false

  const open = (port: number, wasBlocked: boolean) => {
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
    listeners.set(port, { kind: 'opening', server, settled })
    const settle = (listener: Listener): boolean => {
      resolve()
      const current = listeners.get(port)
      const isWanted = current?.kind === 'opening' && current.server === server
      if (isWanted) listeners.set(port, listener)
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
  const close = (port: number) => {
    const listener = listeners.get(port)
    listeners.delete(port)
    if (listener !== undefined && listener.kind !== 'blocked') listener.server.close()
  }

  return {
    isListening: (port: number): boolean => listeners.get(port)?.kind === 'listening',
    count: (kind: 'listening' | 'blocked'): number =>
      [...listeners.values()].filter((listener) => listener.kind === kind).length,
    /** Listens on exactly these. Resolves when each is listening or blocked. */
    listenOn: async (ports: ReadonlySet<number>): Promise<void> => {
      if (isStopped) return
      for (const port of listeners.keys()) if (!ports.has(port)) close(port)
      for (const port of ports) if (!listeners.has(port)) open(port, false)
      for (const one of listeners.values()) if (one.kind === 'opening') await one.settled
    },
    retry: (): void => {
      for (const [port, { kind }] of listeners) if (kind === 'blocked') open(port, true)
    },
    stop: (): void => {
      isStopped = true
      for (const port of listeners.keys()) close(port)
    },
  }
}

function whatOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'another program has it'
  if (code === 'EACCES') return 'the system does not permit it'
  return message
}
