import net from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listen } from './testing/listen.ts'
import { frame, types, uint32 } from './testing/frames.ts'
import type { PeerSession } from './testing/peer-session.ts'
import { RelayPeer } from './testing/relay-peer.ts'
import { runAgent, type RunningAgent } from './testing/run-agent.ts'

let port: number
let peer: RelayPeer
let agent: RunningAgent
/** It accepts connections, and reads what they send. */
const service = net.createServer((socket) => socket.on('error', () => undefined).resume())

beforeAll(async () => {
  port = await listen(service)
})

afterAll(() => void service.close())

async function startAgent(): Promise<PeerSession> {
  peer = await RelayPeer.start({ pingMs: 0 })
  agent = await runAgent(['--server', peer.url, '--tcp', `127.0.0.1:${port}`])
  const session = await peer.connected()
  onTestFinished(async () => {
    await agent.stop()
    await peer.close()
  })
  return session
}

const open = (id: number, credit = 65_536) =>
  frame(types.open, id, Buffer.concat([uint32(credit), Buffer.from('tcp')]))
const raw = (...bytes: number[]) => Buffer.from(bytes)

test.each([
  ['an unknown type', [raw(10, 0, 0, 0, 0, 0, 0, 0)]],
  ['type 0', [raw(0, 0, 0, 0, 0, 0, 0, 0)]],
  ['a second byte other than 0', [raw(7, 1, 0, 8, 0, 0, 0, 0), Buffer.alloc(8)]],
  ['more than 16,384 bytes', [open(1), raw(3, 0, 0x40, 1, 0, 0, 0, 1)]],
  ['DATA without bytes', [open(1), frame(types.data, 1)]],
  ['a PING with a wrong length', [frame(types.ping, 0, 'short')]],
  ['a PING on a stream', [open(1), frame(types.ping, 1, 'pingping')]],
  ['a CREDIT with a wrong length', [open(1), frame(types.credit, 1, 'abc')]],
  ['an OPEN without credit', [frame(types.open, 1, 'abc')]],
  ['an END with bytes', [open(1), frame(types.end, 1, 'x')]],
  ['a RESET with a long word', [open(1), frame(types.reset, 1, Buffer.alloc(33))]],
  [
    'DATA beyond the first credit',
    [open(1), frame(types.data, 1, Buffer.alloc(16_384)), frame(types.data, 1, 'x')],
  ],
  ['more than 2^31 bytes of credit', [open(1), frame(types.credit, 1, uint32(2 ** 31))]],
  ['more than 2^31 bytes of credit in OPEN', [open(1, 2 ** 31 + 1)]],
  ['an OPEN out of order', [open(2)]],
  ['an OPEN that was there before', [open(1), open(1)]],
  ['OPENED', [open(1), frame(types.opened, 1, uint32(0))]],
  ['DATA on stream 0', [frame(types.data, 0, 'x')]],
  ['DATA on a stream that was never opened', [frame(types.data, 1, 'x')]],
  ['END on a stream that was never opened', [frame(types.end, 1)]],
  ['CREDIT on a stream that was never opened', [frame(types.credit, 1, uint32(1))]],
  ['RESET on a stream that was never opened', [frame(types.reset, 1)]],
  ['DATA after END', [open(1), frame(types.end, 1), frame(types.data, 1, 'x')]],
  ['a second END', [open(1), frame(types.end, 1), frame(types.end, 1)]],
  ['DATA on a stream that is over', [open(1), frame(types.reset, 1), frame(types.data, 1, 'x')]],
  ['END on a stream that is over', [open(1), frame(types.reset, 1), frame(types.end, 1)]],
  [
    'more than 2,048 streams',
    Array.from({ length: 2049 }, (_, at) =>
      frame(types.open, at + 1, Buffer.concat([uint32(0), Buffer.from('none')])),
    ),
  ],
])('R48 [F5] %s ends the session, and the agent connects again', async (_, frames) => {
  const session = await startAgent()
  session.wire.write(Buffer.concat(frames))
  await session.closed
  await agent.says(/^connection lost: the server broke the protocol: /)
  const next = await peer.connected()
  await next.ping()
  expect(peer.sessions.length).toBe(2)
})

test('[F1] frames can be cut anywhere', async () => {
  const session = await startAgent()
  const id = session.nextId()
  const all = Buffer.concat([
    open(id),
    frame(types.data, id, 'some bytes'),
    frame(types.end, id),
    frame(types.ping, 0, 'the-mark'),
  ])
  for (const byte of all) {
    session.wire.write(Buffer.from([byte]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const pong = await session.next(({ type }) => type === types.pong)
  expect(pong.payload.toString()).toBe('the-mark')
})

test('[F6] what is sent in one turn of the event loop goes out together', async () => {
  const session = await startAgent()
  const chunks: Buffer[] = []
  session.wire.on('data', (chunk: Buffer) => chunks.push(chunk))
  session.wire.write(
    Buffer.concat(Array.from({ length: 50 }, () => frame(types.ping, 0, 'pingping'))),
  )
  await expect.poll(() => Buffer.concat(chunks).length).toBe(50 * 16)
  expect(chunks.length).toBeLessThan(4)
})

test('R48 a server that reads nothing is left', async () => {
  const session = await startAgent()
  session.wire.pause()
  const pings = Buffer.concat(Array.from({ length: 4096 }, () => frame(types.ping, 0, 'pingping')))
  for (let at = 0; at < 500 && !session.isClosed; at += 1) {
    session.wire.write(pings)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await agent.says(/^connection lost: the server reads nothing$/)
  expect(await peer.connected()).not.toBe(session)
})

test('[F4] 5,000 visitors who leave early leave nothing behind', async () => {
  const session = await startAgent()
  for (let at = 0; at < 100; at += 1) {
    const streams = Array.from({ length: 50 }, () => session.openStream('tcp'))
    for (const stream of streams) stream.destroy()
    await session.ping()
  }
  const last = session.openStream('tcp')
  last.end('x')
  expect(await text(last)).toBe('')
  expect(agent.lines().filter((line) => line.startsWith('connection lost'))).toEqual([])
})
