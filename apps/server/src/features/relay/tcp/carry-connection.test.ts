import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import { connect, createServer, type Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { relayErrorHeader } from '@astropelago/contract/relay'
import { expect, onTestFinished, test } from 'vitest'
import { listen, portOf } from '../../../test/listen.ts'
import { noise } from '../../../test/relay-agent.ts'
import { AgentSession } from '../agents/agent-session.ts'
import { socketPair } from '../session-over.ts'
import { RelayCounts } from '../relay-counts.ts'
import { Transfers } from '../visitors/transfers.ts'
import { carryConnection } from './carry-connection.ts'

/** Carries one visitor's connection to an agent. */
async function carryOne({ checkMs = 5000, stuckChecks = 12 } = {}) {
  const [wire, agentWire] = await socketPair()
  const agent = createHttp2Server({ settings: { enableConnectProtocol: true } })
  const streams = once(agent, 'stream')
  agent.emit('connection', agentWire)
  const caller = { deviceKey: 1, tokenKey: 1 }
  const identity = { agentId: randomUUID(), islandKey: null, service: null, caller }
  const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>()
  const session = new AgentSession(wire, identity, {
    onOpen,
    onDraining: () => undefined,
    onEnd: () => undefined,
  })
  await opened
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true })
  await listen(server)
  const visitor = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true })
  const [socket]: Socket[] = await once(server, 'connection')
  if (socket === undefined) throw new Error('nobody connected')
  socket.on('error', () => socket.destroy())
  const transfers = new Transfers({ checkMs, stuckChecks })
  const counts = new RelayCounts()
  onTestFinished(() => {
    transfers.stop()
    visitor.destroy()
    session.end()
    agentWire.destroy()
    server.close()
  })
  carryConnection({ socket, agent: session, islandKey: 1, transfers, counts })
  const [stream]: ServerHttp2Stream[] = await streams
  if (stream === undefined) throw new Error('the agent was not asked')
  stream.on('error', () => undefined)
  /** How it ended for the visitor: `end`, or the code of an error. */
  const ended = new Promise<string>((resolve) => {
    visitor
      .on('end', () => resolve('end'))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  return { visitor, stream, session, transfers, counts, ended }
}

test('R39 a connection that the agent breaks off is reset, never ended as if it were whole', async () => {
  const { visitor, stream, transfers, counts, ended } = await carryOne()
  stream.respond({ ':status': 200 })
  stream.write('half')
  await once(visitor, 'data')
  // `close` would first end the stream properly.
  addAbortSignal(AbortSignal.abort(), stream)
  expect(await ended).toBe('ECONNRESET')
  expect(transfers.count).toBe(0)
  expect(counts).toMatchObject({ tcpConnections: 1, bytesToVisitors: 4 })
})

test('R39 an agent that disconnects midway leaves no visitor hanging', async () => {
  const { visitor, stream, session, ended } = await carryOne()
  stream.respond({ ':status': 200 })
  stream.write('half')
  await once(visitor, 'data')
  session.end()
  expect(await ended).toBe('ECONNRESET')
})

test.each([
  ['no-tcp', 'refused'],
  ['timeout', 'timeout'],
  ['reset', 'broken'],
  // Sent by the server to which the agent is connected.
  ['busy', 'busy'],
  ['gone', 'agent-gone'],
] as const)('an agent’s report %s counts as %s', async (said, refusal) => {
  const { stream, counts, ended } = await carryOne()
  stream.respond({ ':status': 502, [relayErrorHeader]: said }, { endStream: true })
  expect(await ended).toBe('ECONNRESET')
  expect([...counts.refused]).toEqual([[refusal, 1]])
})

test('R39 a visitor who breaks off never ends a service’s connection properly', async () => {
  const { visitor, stream } = await carryOne()
  stream.respond({ ':status': 200 })
  let isEnded = false
  stream.on('end', () => (isEnded = true))
  stream.resume()
  visitor.write('half')
  await once(stream, 'data')
  visitor.resetAndDestroy()
  await once(stream, 'close')
  expect(stream.rstCode).not.toBe(0)
  expect(isEnded && stream.rstCode === 0).toBe(false)
})

test('[A18] a visitor’s last bytes arrive after the service has ended, even if it reads slowly', async () => {
  const { visitor, stream, ended } = await carryOne()
  stream.respond({ ':status': 200 })
  // Without this, nobody reads the stream, and Node closes it with its answer.
  stream.pause()
  stream.end('bye')
  visitor.resume()
  expect(await ended).toBe('end')
  const last = noise(1024 * 1024)
  visitor.end(last)
  await once(visitor, 'close')
  let receivedBytes = 0
  for await (const chunk of stream) receivedBytes += Buffer.from(chunk).length
  expect(receivedBytes).toBe(last.length)
})

test('R39 a connection that makes no progress while bytes wait is ended; an idle one is not', async () => {
  const checks = { checkMs: 20, stuckChecks: 3 }
  const resting = await carryOne(checks)
  resting.stream.respond({ ':status': 200 })
  resting.stream.write('hello')
  await once(resting.visitor, 'data')

  // The visitor reads nothing.
  const unread = await carryOne(checks)
  unread.visitor.pause()
  unread.stream.respond({ ':status': 200 })
  unread.stream.write(noise(32 * 1024 * 1024))
  await once(unread.stream, 'close')
  expect(unread.stream.rstCode).not.toBe(0)

  // The service reads nothing.
  const untaken = await carryOne(checks)
  untaken.stream.respond({ ':status': 200 })
  untaken.visitor.write(noise(32 * 1024 * 1024))
  expect(await untaken.ended).toMatch(/ECONNRESET|EPIPE/)

  // The agent does not answer.
  const unanswered = await carryOne(checks)
  expect(await unanswered.ended).toBe('ECONNRESET')

  expect(resting.transfers.count).toBe(1)
  resting.stream.write(' still here')
  await once(resting.visitor, 'data')
})
