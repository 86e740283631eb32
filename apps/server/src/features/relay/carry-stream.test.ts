import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inTime } from '../../test/in-time.ts'
import { noise } from '../../test/relay-agent.ts'
import { socketPair } from '../../test/socket-pair.ts'
import { carryStream, isWhole, joinStreams, type Carried } from './carry-stream.ts'
import { FrameSession } from './frames/frame-session.ts'
import type { FrameStream } from './frames/frame-stream.ts'
import { RelayCounts } from './relay-counts.ts'
import { Transfers } from './visitors/transfers.ts'
import type { VisitorState } from './visitors/visitor-states.ts'

/** A session between a server and an agent. */
async function openSession() {
  const [wire, agentWire] = await socketPair()
  const opened: FrameStream[] = []
  const waiting: ((stream: FrameStream) => void)[] = []
  const session = new FrameSession(wire, { onEnd: () => undefined })
  const agent = new FrameSession(agentWire, {
    onOpen: (stream) => {
      const next = waiting.shift()
      if (next === undefined) opened.push(stream)
      else next(stream)
    },
    onEnd: () => undefined,
  })
  onTestFinished(() => {
    session.end()
    agent.end()
  })
  /** The agent's end of the next stream. */
  const nextStream = () =>
    new Promise<FrameStream>((resolve) => {
      const next = opened.shift()
      if (next === undefined) waiting.push(resolve)
      else resolve(next)
    })
  return { session, nextStream }
}

type CarryOptions = Parameters<typeof carryStream>[0]

/** Carries a visitor's connection as a stream of the session. */
async function carry({
  checks = { checkMs: 5000, stuckChecks: 12 },
  rests = true,
  accepts = true,
  ...options
}: Partial<CarryOptions> & {
  readonly checks?: ConstructorParameters<typeof Transfers>[0]
  readonly rests?: boolean
  readonly accepts?: boolean
} = {}) {
  const { session, nextStream } = await openSession()
  const [visitor, socket] = await socketPair()
  visitor.pause()
  socket.on('error', () => socket.destroy())
  const transfers = new Transfers(checks)
  onTestFinished(() => transfers.stop())
  const counts = new RelayCounts()
  const ends: (VisitorState | undefined)[] = []
  let carried: Carried | undefined
  carryStream(
    {
      islandKey: 1,
      transfers,
      counts,
      visitor: socket,
      cutVisitor: () => socket.resetAndDestroy(),
      until: socket,
      open: () => session.open('tcp'),
      hasBegun: () => true,
      ...options,
    },
    (begun) => {
      carried = begun
      if (rests) begun.mayRest()
      joinStreams(socket, begun.stream)
    },
    (why) => {
      ends.push(why)
      if (carried !== undefined && isWhole(carried.stream)) socket.destroySoon()
      else socket.resetAndDestroy()
    },
  )
  if (carried === undefined) throw new Error('it was not carried')
  const stream = await nextStream()
  if (accepts) stream.accept()
  /** How it ended for the visitor: `end`, or the code of an error. */
  const ended = new Promise<string>((resolve) => {
    visitor
      .on('end', () => resolve('end'))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  return { visitor, socket, stream, session, transfers, counts, ends, ended, carried }
}

test('bytes are counted both ways, and a proper end of both sides is a proper end', async () => {
  const { visitor, stream, transfers, counts, ends, ended } = await carry()
  stream.end('from home')
  visitor.end('hello')
  stream.resume()
  visitor.resume()
  expect(await ended).toBe('end')
  await expect.poll(() => transfers.count, inTime).toBe(0)
  expect(counts).toMatchObject({ bytesToVisitors: 9, bytesToServices: 5 })
  expect(ends).toEqual([undefined])
  await expect.poll(() => isWhole(stream)).toBe(true)
})

test('R39 a stream that the agent breaks off is reset, never ended as if it were whole', async () => {
  const { visitor, stream, transfers, counts, ends, ended } = await carry()
  stream.write('half')
  visitor.resume().end()
  await once(visitor, 'data')
  await once(stream.resume(), 'end')
  stream.reset('reset')
  expect(await ended).toBe('ECONNRESET')
  expect(ends).toEqual(['broken'])
  await expect.poll(() => transfers.count).toBe(0)
  expect(counts).toMatchObject({ bytesToVisitors: 4 })
})

test('R39 an agent that disconnects midway leaves no visitor hanging', async () => {
  const { visitor, stream, session, ends, ended } = await carry()
  stream.write('half')
  visitor.resume()
  await once(visitor, 'data')
  session.end()
  expect(await ended).toBe('ECONNRESET')
  expect(ends).toEqual([undefined])
})

test('R39 a visitor who breaks off never ends a service’s connection properly', async () => {
  const { visitor, stream, ends } = await carry()
  let isEnded = false
  stream.on('end', () => (isEnded = true)).resume()
  visitor.write('half')
  await once(stream, 'data')
  visitor.resetAndDestroy()
  await once(stream, 'close')
  expect([isEnded, stream.hasReceivedEnd]).toEqual([false, false])
  expect(ends).toEqual([])
})

test('R39 a visitor who only hangs up before the answer is whole breaks the stream off', async () => {
  const { socket, stream, ends } = await carry()
  stream.write('half')
  socket.destroy()
  await once(stream, 'close')
  expect(stream.hasReceivedEnd).toBe(false)
  expect(ends).toEqual([])
})

test('[A18] a visitor’s last bytes arrive after the service has ended, even if it reads slowly', async () => {
  const { visitor, stream, ended } = await carry()
  stream.end('bye')
  visitor.resume()
  expect(await ended).toBe('end')
  const last = noise(1024 * 1024)
  visitor.end(last)
  await once(visitor, 'close')
  expect(stream.destroyed).toBe(false)
  let receivedBytes = 0
  for await (const chunk of stream) receivedBytes += Buffer.from(chunk).length
  expect(receivedBytes).toBe(last.length)
})

test('[A18] a service that does not read a visitor’s last bytes loses them after 5 s', async () => {
  const { visitor, stream, ended } = await carry({ accepts: false })
  stream.end('bye')
  visitor.resume()
  expect(await ended).toBe('end')
  const startedMs = performance.now()
  visitor.end(noise(40_000))
  await once(visitor, 'close')
  await vi.waitFor(() => expect(stream.destroyed).toBe(true), { timeout: 10_000 })
  expect(performance.now() - startedMs).toBeGreaterThan(4900)
  expect(stream.hasReceivedEnd).toBe(false)
})

test('R39 a stream that makes no progress while bytes wait is ended; an idle one is not', async () => {
  const checks = { checkMs: 20, stuckChecks: 3 }
  const resting = await carry({ checks })
  resting.stream.write('hello')
  resting.visitor.resume()
  await once(resting.visitor, 'data')

  const unread = await carry({ checks })
  unread.stream.write(noise(32 * 1024 * 1024))
  await once(unread.stream, 'close')
  expect(unread.stream.hasReceivedEnd).toBe(false)
  // What it has got never looks like all of it.
  unread.visitor.resume()
  expect(await unread.ended).toBe('ECONNRESET')

  const untaken = await carry({ checks })
  untaken.visitor.resume().write(noise(32 * 1024 * 1024))
  expect(await untaken.ended).toMatch(/ECONNRESET|EPIPE/)

  const idleRequest = await carry({ checks, rests: false, stuckState: () => 'timeout' })
  idleRequest.visitor.resume()
  expect(await idleRequest.ended).toBe('ECONNRESET')

  expect(resting.transfers.count).toBe(1)
  resting.stream.write(' still here')
  await once(resting.visitor, 'data')
})

test('a stuck request without a part of an answer ends its stream and says why, and its visitor stays', async () => {
  const cut = vi.fn<() => void>()
  const { stream, ends } = await carry({
    checks: { checkMs: 20, stuckChecks: 3 },
    rests: false,
    hasBegun: () => false,
    stuckState: () => 'timeout',
    cutVisitor: cut,
  })
  await once(stream.resume(), 'close')
  expect(ends).toEqual(['timeout'])
  expect(cut).not.toHaveBeenCalled()
})

test('a visitor who has lost access is cut, even without a part of an answer', async () => {
  const cuts: ((why: 'stuck' | 'shut') => void)[] = []
  const end = vi.fn<() => void>()
  const cutVisitor = vi.fn<() => void>()
  const { stream, visitor, ended } = await carry({
    hasBegun: () => false,
    cutVisitor,
    transfers: {
      begin: (options) => {
        cuts.push(options.cut)
        return { mayRest: () => undefined, end }
      },
    },
  })
  visitor.resume()
  const closed = once(stream.resume(), 'close')
  for (const cut of cuts) cut('shut')
  expect(await ended).toBe('ECONNRESET')
  await closed
  expect(cutVisitor).toHaveBeenCalledTimes(1)
  expect(end).toHaveBeenCalledTimes(1)
})

test('without room, no stream is opened', async () => {
  const open = vi.fn<() => never>()
  const onEnd = vi.fn<(why?: VisitorState) => void>()
  const [, socket] = await socketPair()
  const transfers = { begin: () => undefined }
  const options = { islandKey: 1, transfers, visitor: socket, until: socket, open }
  carryStream({ ...options, hasBegun: () => false }, () => expect.unreachable(), onEnd)
  expect(onEnd.mock.calls).toEqual([['busy']])
  expect(open).not.toHaveBeenCalled()
})

test('an agent that has gone takes no place of the one that is asked next', async () => {
  const [, socket] = await socketPair()
  const transfers = new Transfers()
  onTestFinished(() => transfers.stop())
  const onEnd = vi.fn<(why?: VisitorState) => void>(() => expect(transfers.count).toBe(0))
  const open = vi.fn<() => never>(() => {
    throw new Error('gone')
  })
  carryStream(
    { islandKey: 1, transfers, visitor: socket, until: socket, open, hasBegun: () => false },
    () => expect.unreachable(),
    onEnd,
  )
  expect(onEnd.mock.calls).toEqual([['agent-gone']])
})

test('a request that goes on with another stream is one transfer, and only its own bytes count', async () => {
  const { session, nextStream } = await openSession()
  const [, socket] = await socketPair()
  const transfers = new Transfers()
  onTestFinished(() => transfers.stop())
  const counts = new RelayCounts()
  const kept = session.open('http')
  const keptThere = await nextStream()
  keptThere.accept()
  keptThere.write('of an earlier request')
  await once(kept, 'data')
  let carried: Carried | undefined
  carryStream(
    {
      islandKey: 1,
      transfers,
      counts,
      visitor: socket,
      until: socket,
      open: () => kept,
      hasBegun: () => false,
    },
    (opened) => {
      carried = opened
    },
    () => carried?.openAgain(() => session.open('http')),
  )
  carried?.stream.write('asks')
  await once(keptThere, 'data')
  keptThere.reset('')
  const there = await nextStream()
  expect(carried?.stream).not.toBe(kept)
  expect(transfers.count).toBe(1)
  there.accept()
  there.write('answer')
  if (carried !== undefined) await once(carried.stream, 'data')

  // The stream is free for another request when the visitor leaves.
  carried?.release()
  socket.destroy()
  await expect.poll(() => transfers.count).toBe(0)
  expect(carried?.stream.destroyed).toBe(false)
  expect(counts).toMatchObject({ bytesToVisitors: 6, bytesToServices: 4 })
})

test.each([
  ['refused', 'refused'],
  ['no-tcp', 'refused'],
  ['timeout', 'timeout'],
  ['reset', 'broken'],
  ['toString', 'broken'],
  // Sent by the server to which the agent is connected.
  ['busy', 'busy'],
  ['gone', 'agent-gone'],
] as const)('[A16] an agent’s report %s means %s', async (word, state) => {
  const { stream, ends } = await carry()
  stream.reset(word)
  await expect.poll(() => ends).toEqual([state])
})
