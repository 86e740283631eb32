import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, type RateLimits } from './rate-limits.ts'
import { whileListening } from './slow-bodies.ts'

/** How many bytes may wait on all connections of one address together. */
export const waitingMaxBytes = 64 * 1024 * 1024

interface ConnectionTimes {
  readonly checkMs: number
  /**
   * A connection whose peer reads nothing between this many checks is ended. Checks, not a time, because
   * nothing is read while the machine sleeps.
   */
  readonly stuckChecks: number
}

interface Connection {
  readonly address: string
  readonly isBounded: boolean
  /** How many bytes were left at the last check. */
  left: string
  stuckChecks: number
}

/**
 * Limits what connections hold: how many an address may have, and how much may wait on them. A connection
 * whose peer reads nothing of what it asked for is ended. A slow reader goes on.
 * @param isWatchedElsewhere whether its peer's patience is not ours to judge
 */
export function watchConnections(
  server: Server,
  { maxConnections }: Pick<RateLimits, 'maxConnections'>,
  isWatchedElsewhere: (socket: Socket) => boolean = () => false,
  { checkMs, stuckChecks }: ConnectionTimes = { checkMs: 2000, stuckChecks: 15 },
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
    connections.set(socket, { address, isBounded: most !== Infinity, left: '', stuckChecks: 0 })
    socket.once('close', () => {
      connections.delete(socket)
      const left = (counts.get(address) ?? 1) - 1
      if (left === 0) counts.delete(address)
      else counts.set(address, left)
    })
  })

  whileListening(server, checkMs, () => {
    const waiting = new Map<string, number>()
    for (const [socket, connection] of connections) {
      const { writableLength } = socket
      const left = `${socket.bytesWritten} ${writableLength} ${unsentBytes(socket)}`
      const isStuck = writableLength > 0 && left === connection.left && !isWatchedElsewhere(socket)
      connection.stuckChecks = isStuck ? connection.stuckChecks + 1 : 0
      connection.left = left
      const sum = (waiting.get(connection.address) ?? 0) + writableLength
      const isOver = connection.isBounded && writableLength > 0 && sum > waitingMaxBytes
      if (isOver || connection.stuckChecks >= stuckChecks) socket.destroy()
      else waiting.set(connection.address, sum)
    }
  })
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
