import { constants, type ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { unsentBytes } from '../../../http/connections.ts'
import { cancel, isWhole, type AnswerHead } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import type { Refusal, RelayCounts } from '../relay-counts.ts'
import type { Transfers } from '../visitors/transfers.ts'
import { stateOfFailure } from '../visitors/visitor-states.ts'

/**
 * Passes bytes both ways between a visitor's connection and an agent, with backpressure. Either side may
 * end its half first. If one side breaks off, the other is reset, so that nobody takes it for a proper end.
 */
export function carryConnection(options: {
  /** Has to allow half-open connections. */
  readonly socket: Socket
  readonly agent: Pick<ReachableAgent, 'request' | 'isOpen'>
  readonly islandKey: number
  readonly transfers: Pick<Transfers, 'begin'>
  readonly counts: RelayCounts
}): void {
  const { socket, agent, islandKey, transfers, counts } = options
  let received = 0
  let sent = 0
  let isOpen = false
  let refusal: Refusal | undefined
  let stream: ClientHttp2Stream | undefined
  const unsent = () => socket.writableLength + unsentBytes(socket)
  const refuse = (why: Refusal) => {
    counts.refuse(why)
    socket.resetAndDestroy()
  }
  const transfer = transfers.begin({
    islandKey,
    progress: () => `${isOpen} ${received} ${sent} ${socket.bytesWritten - unsent()}`,
    isWaiting: () => !isOpen || unsent() > 0 || (stream?.writableLength ?? 0) > 0,
    cut: () => {
      socket.resetAndDestroy()
      if (stream !== undefined) cancel(stream)
    },
  })
  if (transfer === undefined) {
    refuse('busy')
    return
  }
  transfer.mayRest()
  try {
    stream = agent.request({ ':method': 'CONNECT', ':authority': 'tcp' }, { endStream: false })
  } catch {
    transfer.end()
    refuse('agent-gone')
    return
  }
  const tunnel = stream
  counts.tcpConnections += 1

  tunnel
    .on('response', (answer: AnswerHead) => {
      if (answer[':status'] !== 200) {
        refusal = stateOfFailure(answer)
        cancel(tunnel)
        return
      }
      isOpen = true
      tunnel.on('data', (chunk: Buffer) => (received += chunk.length))
      socket.on('data', (chunk: Buffer) => (sent += chunk.length))
      tunnel.on('end', () => {
        if (isWhole(tunnel)) socket.end()
      })
      tunnel.pipe(socket, { end: false })
      socket.pipe(tunnel)
    })
    // Its code says what it was when the stream closes.
    .on('error', () => undefined)
    .on('close', () => {
      transfer.end()
      counts.bytesToVisitors += received
      counts.bytesToServices += sent
      if (!isOpen && !socket.destroyed) refuse(refusal ?? (agent.isOpen ? 'broken' : 'agent-gone'))
      else if (isWhole(tunnel) && tunnel.rstCode === constants.NGHTTP2_NO_ERROR)
        socket.destroySoon()
      else socket.resetAndDestroy()
    })
  socket.once('close', () => {
    // The visitor's last bytes may still be on their way.
    if (!socket.readableEnded || !isWhole(tunnel)) cancel(tunnel)
  })
  if (socket.destroyed) cancel(tunnel)
}
