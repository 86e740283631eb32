import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { addressKey, type RateLimits } from './rate-limits.ts'
import { whileListening } from './slow-bodies.ts'

export const waitingMaxBytes = 64 * 1024 * 1024

interface Connection {
  readonly address: string
  readonly isBounded: boolean
  left: string
  stuckChecks: number
}

/** Limits an address's connections and what waits on them. Ends a connection whose peer reads nothing. */
export function watchConnections(
  server: Server,
  { maxConnections }: Pick<RateLimits, 'maxConnections'>,
  isWatchedElsewhere: (socket: Socket) => boolean = () => false,
  {
    checkMs,
    stuckChecks,
  }: {
    readonly checkMs: number
    /** Checks without any reading after which it is ended. Not a time: nothing is read while asleep. */
    readonly stuckChecks: number
  } = { checkMs: 2000, stuckChecks: 15 },
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
      const left = sentTo(socket)
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

/** A text that changes as soon as the system takes a byte. */
export function sentTo(socket: Socket): string {
  return `${socket.bytesWritten} ${socket.writableLength} ${unsentBytes(socket)}`
}

/** Bytes of the present write that the system has not taken. Node reports them only to its own timeouts. */
export function unsentBytes(
  socket: Duplex & { readonly _handle?: { readonly writeQueueSize?: number } },
) {
  return socket._handle?.writeQueueSize ?? 0
}

/** What a piece of a body costs beside its bytes: an object, and memory of its own. */
const pieceBytes = 500

/** How much memory the unread part of a body takes. It may have come byte by byte. Node counts bytes alone. */
export function unreadBytes(
  body: Readable & { readonly _readableState?: { readonly buffer?: { readonly length: number } } },
): number {
  return body.readableLength + (body._readableState?.buffer?.length ?? 0) * pieceBytes
}
