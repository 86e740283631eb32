import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, type RateLimits } from './rate-limits.ts'

/** What may wait to be taken by all connections of an address. */
export const waitingMaxBytes = 64 * 1024 * 1024

interface ConnectionTimes {
  readonly lookMs: number
  /**
   * Whoever takes nothing of an answer between so many looks has it ended. Looks, not a time: nobody
   * takes anything while the machine sleeps.
   */
  readonly stuckLooks: number
}

interface Connection {
  readonly address: string
  readonly isBounded: boolean
  /** What was left to take when it was last looked. */
  left: string
  stuckLooks: number
}

/**
 * Bounds what connections hold: an address has so many of them and so much waiting in them, and one that
 * takes nothing of what it asked for is ended. A reader that is merely slow goes on.
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

  // One that never listens, as a test's or the command line's own, never says that it is closed.
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
  /** Whether its patience is not ours to judge. */
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
 * What the system has not taken of the write that is under way: one write may be a whole list. Node tells
 * it to its own timeouts alone, which a byte from the client puts off.
 */
export function unsentBytes(
  socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } },
) {
  return socket._handle?.writeQueueSize ?? 0
}
