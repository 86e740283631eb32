import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { unsentBytes } from '../../http/connections.ts'
import { SessionFull } from './frames/frame-session.ts'
import type { FrameStream } from './frames/frame-stream.ts'
import type { RelayCounts } from './relay-counts.ts'
import type { Transfers } from './visitors/transfers.ts'
import { stateOfReset, type VisitorState } from './visitors/visitor-states.ts'

/** How long a service that has ended may take to read what is left. */
const lastBytesMs = 5000

interface CarryOptions {
  readonly islandKey: number
  /** The visitor's network; left out if somebody else limits networks. */
  readonly network?: string
  readonly transfers: Pick<Transfers, 'begin'>
  /** Left out if somebody else counts the bytes. */
  readonly counts?: Pick<RelayCounts, 'bytesToVisitors' | 'bytesToServices'>
  /** The visitor's connection. */
  readonly visitor: Duplex & { readonly bytesWritten: number }
  /** Breaks the visitor's connection off. By default, it is destroyed. */
  readonly cutVisitor?: () => void
  /** Its `close` ends the transfer: the answer's, or the connection's. */
  readonly until: EventEmitter
  /** @throws if the agent has gone */
  readonly open: () => FrameStream
  /** Whether the visitor has a part of an answer, so that a failure can only be a cut. */
  readonly hasBegun: () => boolean
  /** Why a request that makes no progress is stuck. */
  readonly stuckState?: () => VisitorState
  /** How much of an answer waits to be sent, without what waits in the connection. */
  readonly waitingBytes?: () => number
}

export interface Carried {
  readonly stream: FrameStream
  /** Lets it be idle from now on, as a WebSocket. */
  readonly mayRest: () => void
  /** Goes on with another stream. The last one has served another request, and ended before this one. */
  readonly openAgain: (open: () => FrameStream) => void
  /** Another agent takes over, with a transfer of its own. */
  readonly end: () => void
  /** The stream is free for another request, whatever becomes of the visitor. */
  readonly release: () => void
}

/**
 * Carries a stream for a visitor, from its beginning to its end: counted, within the limits of its island, and
 * watched for progress. A visitor who leaves ends the stream.
 * @param begin what the stream is for
 * @param onEnd called once if the stream ends before the visitor does. `why` is undefined if nobody said.
 */
export function carryStream(
  options: CarryOptions,
  begin: (carried: Carried) => void,
  onEnd: (why: VisitorState | undefined) => void,
): void {
  const { visitor, until, counts, cutVisitor = () => visitor.destroy() } = options
  let current: FrameStream | undefined
  let why: VisitorState | undefined
  let before = { read: 0, written: 0 }
  const unsent = () => visitor.writableLength + unsentBytes(visitor)
  const transfer = options.transfers.begin({
    islandKey: options.islandKey,
    ...(options.network !== undefined && { network: options.network }),
    progress: () =>
      `${current?.bytesRead} ${current?.bytesWritten} ${visitor.bytesWritten - unsent()}`,
    isWaiting: () =>
      unsent() > 0 || (current?.unreadBytes ?? 0) > 0 || (current?.writableLength ?? 0) > 0,
    waitingBytes: () => unsent() + (current?.unreadBytes ?? 0) + (options.waitingBytes?.() ?? 0),
    cut: (reason) => {
      why = options.stuckState?.()
      if (options.hasBegun() || reason === 'shut') cutVisitor()
      current?.destroy()
    },
  })
  if (transfer === undefined) {
    onEnd('busy')
    return
  }

  const count = () => {
    if (current === undefined) return
    if (counts !== undefined) {
      counts.bytesToVisitors += current.bytesRead - before.read
      counts.bytesToServices += current.bytesWritten - before.written
    }
    current = undefined
  }
  const start = (open: () => FrameStream) => {
    let stream: FrameStream
    try {
      stream = open()
    } catch (error) {
      transfer.end()
      onEnd(error instanceof SessionFull ? 'busy' : 'agent-gone')
      return
    }
    current = stream
    before = { read: stream.bytesRead, written: stream.bytesWritten }
    const end = () => {
      if (current !== stream) return
      count()
      onEnd(why ?? stateOfReset(stream.resetWord))
    }
    stream.once('close', end)
    begin({
      stream,
      mayRest: transfer.mayRest,
      end: transfer.end,
      openAgain: (again) => {
        count()
        start(again)
      },
      release: () => {
        stream.off('close', end)
        count()
      },
    })
  }
  until.once('close', () => {
    transfer.end()
    const stream = current
    count()
    if (stream === undefined) return
    // The visitor's last bytes may still be on their way.
    const isLeaving = visitor.readableEnded && stream.readableEnded && !stream.destroyed
    if (isLeaving) stream.setTimeout(lastBytesMs, () => stream.destroy())
    else stream.destroy()
  })
  start(options.open)
}

/** Copies both ways. An end of one side becomes an end of the other, and a cut becomes a cut. */
export function joinStreams(visitor: Duplex, stream: FrameStream): void {
  visitor.pipe(stream)
  stream.pipe(visitor)
}

/** Whether both directions of a stream have ended properly. */
export function isWhole(stream: Duplex): boolean {
  return stream.readableEnded && stream.writableFinished
}
