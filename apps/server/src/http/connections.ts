import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, type RateLimits } from './rate-limits.ts'

/** How many bytes may wait on all connections of one address together. */
export const waitingMaxBytes = 64 * 1024 * 1024

interface ConnectionTimes {
  readonly lookMs: number
  /**
   * A connection whose peer reads nothing between this many checks is ended. Checks, not a time, because
   * nobody reads while the machine sleeps.
   */
  readonly stuckLooks: number
}

interface Connection {
  readonly address: string
  readonly isBounded: boolean
  /** How many bytes were left at the last check. */
  left: string
  stuckLooks: number
}

/**
 * Limits what connections hold: how many an address may have, and how much may wait on them. A connection
 * whose peer reads nothing of what it asked for is ended. A slow reader goes on.
 */
export function watchConnections(
  server: Server,
  { maxConnections }: Pick<RateLimits, 'maxConnections'>,
  isWatchedElsewhere: (socket: Socket) => boolean = () => false,
  times: ConnectionTimes = { lookMs: 2000, stuckLooks: 15 },
): void {
  const connections = new Map<Socket, Connection>()
  const counts = new Map<string, number>()

  server.on('connection', (socket) => {
    const ip = socket.remoteAddress
    if (ip === undefined) {
      socket.destroy()
      return
    }
    const address = addressKey({ ip })
    const count = (counts.get(address) ?? 0) + 1
    const most = maxConnections(ip)
    if (count > most) {
      socket.destroy()
      return
    }
    counts.set(address, count)
    connections.set(socket, {
      address,
      isBounded: most !== Infinity,
      left: '',
      stuckLooks: 0,
    })
    socket.once('close', () => {
      connections.delete(socket)
      const left = (counts.get(address) ?? 1) - 1
      if (left === 0) counts.delete(address)
      else counts.set(address, left)
    })
  })

  // A server that never listens, such as a test's or the command line's, never reports that it is
  // closed.
  server.once('listening', () => {
    const look = setInterval(
      () => endStuck(connections, { ...times, isWatchedElsewhere }),
      times.lookMs,
    )
    look.unref()
    server.once('close', () => clearInterval(look))
  })
}

interface StuckOptions extends ConnectionTimes {
  /** Whether its peer's patience is not ours to judge. */
  readonly isWatchedElsewhere: (socket: Socket) => boolean
}

function endStuck(
  connections: ReadonlyMap<Socket, Connection>,
  { stuckLooks, isWatchedElsewhere }: StuckOptions,
): void {
  const waiting = new Map<string, number>()
  for (const [socket, connection] of connections) {
    const { writableLength } = socket
    const left = `${socket.bytesWritten} ${writableLength} ${unsentBytes(socket)}`
    const isStuck = writableLength > 0 && left === connection.left && !isWatchedElsewhere(socket)
    connection.stuckLooks = isStuck ? connection.stuckLooks + 1 : 0
    connection.left = left
    const sum = (waiting.get(connection.address) ?? 0) + writableLength
    const isOver = connection.isBounded && writableLength > 0 && sum > waitingMaxBytes
    if (isOver || connection.stuckLooks >= stuckLooks) socket.destroy()
    else waiting.set(connection.address, sum)
  }
}

/**
 * Bytes of the present write that the system has not taken, since one write may be a whole list. Node
 * reports them only to its own timeouts, which a byte from the client postpones.
 */
export function unsentBytes(
  socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } },
) {
  return socket._handle?.writeQueueSize ?? 0
}
