import { EventEmitter, once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  heldBytes,
  openRawPair,
  openSessionPair,
  socketPair,
  uint32,
  type RawPeer,
} from '../../../test/frame-peers.ts'
import { soon } from '../../../test/in-time.ts'
import { frame, frameTypes } from './frames.ts'
import { FrameSession, SessionFull } from './frame-session.ts'
import type { FrameStream } from './frame-stream.ts'

const kib = 1024

/** Opens three streams to a raw agent: one that is open, one that is over, and one that is reset here alone. */
async function openToAgent() {
  const pair = await openRawPair()
  const { session, peer } = pair
  const [open, over, reset] = [session.open('http'), session.open('http'), session.open('http')]
  over.resume().end()
  peer.send('end', over.id)
  await once(over, 'close')
  reset.destroy()
  await expect.poll(() => peer.seen(reset.id, 'reset'), soon).toHaveLength(1)
  return { ...pair, open }
}

test.each<readonly [string, (agent: RawPeer) => void]>([
  ['DATA beyond the credit', (agent) => agent.socket.write(data(1, 64 * kib + 1))],
  ['DATA on a stream that is over', (agent) => agent.send('data', 2, 'x')],
  ['DATA on a stream that was never opened', (agent) => agent.send('data', 4, 'x')],
  ['DATA after END', (agent) => agent.send('end', 1) && agent.send('data', 1, 'x')],
  [
    'DATA after the end of a reset stream',
    (agent) => agent.send('end', 3) && agent.send('data', 3, 'x'),
  ],
  ['a second END', (agent) => agent.send('end', 1) && agent.send('end', 1)],
  ['a second END of a reset stream', (agent) => agent.send('end', 3) && agent.send('end', 3)],
  ['END on a stream that is over', (agent) => agent.send('end', 2)],
  ['END on a stream that was never opened', (agent) => agent.send('end', 4)],
  ['RESET on a stream that was never opened', (agent) => agent.send('reset', 4)],
  ['CREDIT on a stream that was never opened', (agent) => agent.sendCredit(4, 1)],
  ['OPENED on a stream that is over', (agent) => agent.sendOpening('opened', 2, 1)],
  ['OPENED on a stream that was never opened', (agent) => agent.sendOpening('opened', 4, 1)],
  [
    'a second OPENED',
    (agent) => {
      agent.sendOpening('opened', 1, 1)
      agent.sendOpening('opened', 1, 1)
    },
  ],
  ['OPEN by the agent', (agent) => agent.sendOpening('open', 4, 1)],
  ['too much credit at once', (agent) => agent.sendOpening('opened', 1, 2 ** 31)],
  [
    'too much credit in sum',
    (agent) => {
      agent.sendCredit(1, 2 ** 31 - 16 * kib)
      agent.sendCredit(1, 1)
    },
  ],
  ['an unknown frame', (agent) => agent.socket.write(Buffer.alloc(8))],
])('[F5] an agent loses its session for %s', async (_, lie) => {
  const { peer, ends, session, open, wire } = await openToAgent()
  const closed = once(open, 'close')
  lie(peer)
  await closed
  expect(ends).toEqual([expect.any(String)])
  expect(wire.destroyed).toBe(true)
  expect([session.hasEnded, session.streamCount, session.windows]).toEqual([true, 0, 0])
})

test.each<readonly [string, (peer: RawPeer) => void]>([
  ['OPEN out of order', (peer) => peer.sendOpening('open', 3, 1)],
  ['a second OPEN', (peer) => peer.sendOpening('open', 1, 1)],
  ['OPENED by the end that opens', (peer) => peer.sendOpening('opened', 1, 1)],
  ['OPEN with too much credit', (peer) => peer.sendOpening('open', 2, 2 ** 31 + 1)],
  ['DATA beyond the credit before OPENED', (peer) => peer.socket.write(data(1, 16 * kib + 1))],
])('[F5] the end that opens loses its session for %s', async (_, lie) => {
  const { peer, ends } = await openRawPair({ onOpen: () => undefined })
  peer.sendOpening('open', 1, 1)
  lie(peer)
  await expect.poll(() => ends, soon).toEqual([expect.any(String)])
})

test('[F5] what may have been on its way is ignored', async () => {
  const { peer, session, open, ends } = await openToAgent()
  for (const id of [2, 3]) peer.sendCredit(id, 1)
  peer.send('reset', 2, 'late')
  peer.sendOpening('opened', 3, 1)
  peer.send('data', 3, 'x')
  peer.send('end', 3)
  peer.send('reset', 3)
  peer.sendCredit(1, 2 ** 31 - 16 * kib)
  peer.send('data', 1, 'fine')
  expect(String((await once(open, 'data'))[0])).toBe('fine')
  expect([ends, session.streamCount]).toEqual([[], 1])
})

test('[F2] a session has at most 2,048 streams, and counts those that are reset but not finished', async () => {
  const { session, peer, ends } = await openRawPair()
  const streams = Array.from({ length: 2048 }, () => session.open('http'))
  expect(() => session.open('http')).toThrow(SessionFull)
  for (const stream of streams) stream.destroy()
  expect([session.isFull, session.streamCount, session.windows]).toEqual([true, 0, 0])
  for (const { id } of streams) peer.send(id % 2 === 0 ? 'reset' : 'end', id)
  await expect.poll(() => session.isFull, soon).toBe(false)
  expect(session.open('http').id).toBe(2049)
  expect(ends).toEqual([])
})

test('[F2] the end that accepts streams ends the session at one too many', async () => {
  const { session, peer, ends } = await openRawPair({ onOpen: (stream) => stream.accept() })
  for (let id = 1; id <= 2048; id += 1) peer.sendOpening('open', id, 1)
  await expect.poll(() => session.streamCount, soon).toBe(2048)
  expect(ends).toEqual([])
  peer.sendOpening('open', 2049, 1)
  await expect.poll(() => ends, soon).toHaveLength(1)
})

test('[F4] endless DATA on a stream that was reset here is ignored, and gets no credit', async () => {
  const { peer, session, open, ends } = await openToAgent()
  const before = await heldBytes()
  const chunk = data(3, 1024 * kib)
  for (let sent = 0; sent < 32; sent += 1) {
    if (!peer.socket.write(chunk)) await once(peer.socket, 'drain')
  }
  peer.send('data', 1, 'fine')
  expect(String((await once(open, 'data'))[0])).toBe('fine')
  expect((await heldBytes()) - before).toBeLessThan(4 * 1024 * kib)
  expect([ends, peer.seen(3, 'credit'), session.windows]).toEqual([[], [], 64 * kib])
})

test('[F5] a flood of PINGs whose answers nobody reads takes no memory', async () => {
  const { peer, wire, ends } = await openRawPair()
  peer.socket.pause()
  const pings = Buffer.concat(
    Array.from({ length: 4096 }, () => frame(frameTypes.ping, 0, uint64(1))),
  )
  let most = 0
  for (let sent = 0; sent < 400; sent += 1) {
    if (!peer.socket.write(pings)) await once(peer.socket, 'drain')
    most = Math.max(most, wire.writableLength)
  }
  peer.send('ping', 0, uint64(2))
  await new Promise((resolve) => peer.socket.write('', resolve))
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(256 * kib)
  // Afterwards the last one is answered.
  peer.socket.resume()
  await expect.poll(() => peer.seen(0, 'pong').at(-1)?.payload, soon).toEqual(uint64(2))
  expect(ends).toEqual([])
})

test('[F6] frames of one turn go out in one write', async () => {
  const { session, wire, peer } = await openRawPair()
  const [one, all] = [vi.spyOn(wire, '_write'), vi.spyOn(wire, '_writev')]
  const [first, second] = [session.open('http'), session.open('http')]
  first.write('a')
  first.write('b')
  second.end('c')
  await expect.poll(() => peer.seen(2, 'end'), soon).toHaveLength(1)
  expect(one).not.toHaveBeenCalled()
  expect(all.mock.calls.map(([chunks]) => chunks.length)).toEqual([6])
})

test('[F6] waiting streams take turns, so a small answer does not wait for large ones', async () => {
  const { session, peer } = await openRawPair()
  const large = [session.open('http'), session.open('http')] as const
  const small = session.open('http')
  for (const { id } of [...large, small]) peer.sendOpening('opened', id, 2 ** 30)
  await Promise.all([...large, small].map((stream) => once(stream, 'connect')))
  peer.socket.pause()
  const bytes = 12 * 1024 * kib
  for (const stream of large) {
    for (let left = bytes; left > 0; left -= 16 * kib) stream.write(Buffer.alloc(16 * kib))
  }
  // Until the connection takes no more.
  const sent = () => large[0].bytesWritten + large[1].bytesWritten
  let before = -1
  while (sent() !== before) {
    before = sent()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(before).toBeLessThan(2 * bytes)
  small.write('small')
  peer.socket.resume()
  await expect.poll(() => large.map(({ id }) => peer.dataBytes(id)), soon).toEqual([bytes, bytes])
  const sums = new Map([...large, small].map(({ id }) => [id, 0]))
  let ahead = 0
  const sumOf = ({ id }: FrameStream) => sums.get(id) ?? 0
  for (const { id, payload } of peer.frames.filter(({ type }) => type === frameTypes.data)) {
    sums.set(id, (sums.get(id) ?? 0) + payload.length)
    const [one, other] = [sumOf(large[0]), sumOf(large[1])]
    if (sumOf(small) === 0) ahead = one + other - before
    expect(Math.abs(one - other)).toBeLessThanOrEqual(96 * kib)
  }
  // Besides what was in the connection already: two turns of each.
  expect(ahead).toBeLessThanOrEqual(4 * 16 * kib)
})

test('[F6] a slow stream delays no other one', async () => {
  const { openStream } = await openSessionPair()
  const [slow, slowService] = await openStream()
  const [fast, fastService] = await openStream()
  slowService.write(Buffer.alloc(4 * 1024 * kib))
  fastService.end(Buffer.alloc(4 * 1024 * kib))
  expect((await buffer(fast)).length).toBe(4 * 1024 * kib)
  // The slow one holds exactly its window.
  expect([slow.bytesRead, slow.unreadBytes]).toEqual([64 * kib, 64 * kib])
})

/** With time that moves by hand, except for the sockets. */
async function openPatient() {
  const realTimeout = setTimeout
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const heard = new EventEmitter()
  const pair = await openRawPair({
    patience: { pingMs: 5000, silentMs: 15_000 },
    onAway: () => void heard.emit('away'),
  })
  const { peer } = pair
  /** Answers a ping, and waits until the session knows. */
  const pong = async () => {
    peer.send('pong', 0, uint64(0))
    peer.send('away', 0)
    await once(heard, 'away')
  }
  return { ...pair, pong, realTimeout }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('[A4] a session pings at once and then every 5 s, and ends after 15 s without an answer', async () => {
  const { peer, ends, pong, session } = await openPatient()
  const stream = session.open('http')
  while (peer.seen(0, 'ping').length < 1) await turn()
  vi.advanceTimersByTime(14_999)
  while (peer.seen(0, 'ping').length < 3) await turn()
  await pong()
  vi.advanceTimersByTime(14_999)
  // Data is no answer.
  peer.send('data', stream.id, 'x')
  await once(stream.resume(), 'data')
  expect(ends).toEqual([])
  vi.advanceTimersByTime(1)
  while (ends.length < 1) await turn()
  expect(ends).toEqual(['The other end is silent'])
  while (vi.getTimerCount() > 0) await turn()
})

test('[A4] an answer that waited while this end was busy counts', async () => {
  const { peer, ends, pong, realTimeout } = await openPatient()
  await new Promise<void>((resolve) => {
    realTimeout(() => {
      peer.send('pong', 0, uint64(0))
      vi.advanceTimersByTime(15_000)
      resolve()
    }, 1)
  })
  await pong()
  vi.advanceTimersByTime(14_999)
  await turn()
  expect(ends).toEqual([])
})

test.each<readonly [string, (pair: Awaited<ReturnType<typeof openRawPair>>) => void]>([
  ['this end', ({ session }) => session.end()],
  ['the other end', ({ peer }) => peer.socket.end()],
  ['a cut', ({ peer }) => peer.socket.resetAndDestroy()],
  ['a failure', ({ wire }) => wire.destroy(new Error('broken'))],
])('a session that %s ends ends all streams, once', async (_, end) => {
  const pair = await openRawPair()
  const { session, ends, wire } = pair
  const streams = [session.open('http'), session.open('tcp')]
  streams[0]?.write(Buffer.alloc(100_000))
  streams[1]?.end()
  const closed = Promise.all(streams.map((stream) => once(stream, 'close')))
  end(pair)
  await closed
  session.end(new Error('again'))
  if (!wire.closed) await once(wire, 'close')
  expect(ends).toHaveLength(1)
  expect([session.windows, session.streamCount, session.hasEnded]).toEqual([0, 0, true])
  expect(() => session.open('http')).toThrow('has ended')
})

test('a session whose connection is already gone ends, but not before its maker knows it', async () => {
  const [wire] = await socketPair()
  wire.destroy()
  await once(wire, 'close')
  const onEnd = vi.fn<() => void>()
  const session = new FrameSession(wire, { onEnd })
  expect(session.hasEnded).toBe(false)
  await turn()
  expect(onEnd).toHaveBeenCalledOnce()
})

test('AWAY carries its text', async () => {
  const texts: string[] = []
  const { session, peer } = await openRawPair({ onAway: (text) => texts.push(text) })
  session.away('taken over')
  peer.send('away', 0, 'jetzt süß')
  await expect.poll(() => texts, soon).toEqual(['jetzt süß'])
  expect(peer.seen(0, 'away').map(String)).toHaveLength(1)
})

test('no stream opens in a session that ended in the same chunk', async () => {
  const opened: FrameStream[] = []
  const { session, peer, ends } = await openRawPair({
    onOpen: (stream) => {
      opened.push(stream)
      session.end()
    },
  })
  peer.socket.write(Buffer.concat([1, 2].map((id) => frame(frameTypes.open, id, uint32(1)))))
  await expect.poll(() => ends, soon).toHaveLength(1)
  await turn()
  expect([opened.length, session.streamCount, session.windows]).toEqual([1, 0, 0])
})

function uint64(value: number): Buffer {
  return Buffer.concat([uint32(0), uint32(value)])
}

/** DATA in as many frames as it takes. */
function data(id: number, bytes: number): Buffer {
  const frames: Buffer[] = []
  for (let left = bytes; left > 0; left -= 16 * kib) {
    frames.push(frame(frameTypes.data, id, Buffer.alloc(Math.min(left, 16 * kib))))
  }
  return Buffer.concat(frames)
}
