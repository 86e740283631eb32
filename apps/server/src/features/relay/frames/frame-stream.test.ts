import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { heldBytes, openRawPair, openSessionPair } from '../../../test/frame-peers.ts'
import { soon } from '../../../test/in-time.ts'
import { noise } from '../../../test/relay-agent.ts'
import { frame, frameTypes } from './frames.ts'
import type { FrameStream } from './frame-stream.ts'

const kib = 1024
const mib = 1024 * kib

/** Reads up to the end. `buffer` from Node would destroy what it has read. */
async function read(stream: FrameStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(stream, 'end')
  return Buffer.concat(chunks)
}

/** A session with room for one stream: it is full as long as anything of a stream is left. */
const oneStream = { limits: { streams: 1, windowsBytes: mib } }

/** A stream of a session whose agent keeps to no rule. */
async function openRawStream(options: Parameters<typeof openRawPair>[0] = {}) {
  const pair = await openRawPair(options)
  const stream = pair.session.open('http')
  await expect.poll(() => pair.peer.seen(stream.id, 'open'), soon).toHaveLength(1)
  return { ...pair, stream }
}

test('a stream carries bytes both ways at once, to the last one', async () => {
  const { openStream, opening, accepting } = await openSessionPair()
  const [near, far] = await openStream()
  const [up, down] = [noise(3_000_001), noise(5_000_001)]
  near.end(up)
  far.end(down)
  const [gotUp, gotDown] = await Promise.all([read(far), read(near)])
  expect([gotUp.equals(up), gotDown.equals(down)]).toEqual([true, true])
  expect([near.bytesWritten, near.bytesRead]).toEqual([up.length, down.length])
  await expect.poll(() => [near.closed, far.closed], soon).toEqual([true, true])
  for (const session of [opening, accepting]) {
    expect([session.streamCount, session.windows]).toEqual([0, 0])
  }
})

test.each(['opens', 'accepts'])(
  '[F4] the end that %s a stream may end first, and still reads',
  async (which) => {
    const { openStream } = await openSessionPair()
    const [near, far] = await openStream()
    const [first, last] = which === 'opens' ? [near, far] : [far, near]
    first.end('the end')
    expect(String(await read(last))).toBe('the end')
    expect(last.writable).toBe(true)
    last.end('answered')
    expect(String(await read(first))).toBe('answered')
    await expect.poll(() => [near.closed, far.closed], soon).toEqual([true, true])
  },
)

test('[F4] a stream that both have ended is over, without a RESET', async () => {
  const { peer, stream, session } = await openRawStream(oneStream)
  stream.resume().end('x')
  peer.send('end', stream.id)
  await once(stream, 'close')
  expect([session.isFull, peer.seen(stream.id, 'reset')]).toEqual([false, []])
})

test('[F4] RESET brings its word, and ends the stream without an error or a proper end', async () => {
  const { openStream, opening, accepting } = await openSessionPair()
  const [near, far] = await openStream()
  const ended = vi.fn<() => void>()
  near.on('end', ended).on('error', ended).resume()
  far.write('half an answer')
  far.reset('refused')
  await once(near, 'close')
  expect([near.resetWord, near.readableEnded, far.destroyed]).toEqual(['refused', false, true])
  expect(ended).not.toHaveBeenCalled()
  expect([opening.streamCount, opening.windows]).toEqual([0, 0])
  await expect.poll(() => [accepting.streamCount, accepting.windows], soon).toEqual([0, 0])
})

test('[F4] RESET is answered by an end that has sent neither END nor RESET, and by no other', async () => {
  const { peer, stream, session } = await openRawStream()
  const ended = session.open('http').end()
  await expect.poll(() => peer.seen(ended.id, 'end'), soon).toHaveLength(1)
  for (const { id } of [stream, ended]) peer.send('reset', id)
  await expect.poll(() => [stream.closed, ended.closed], soon).toEqual([true, true])
  await expect.poll(() => peer.seen(stream.id, 'reset'), soon).toHaveLength(1)
  expect(peer.seen(ended.id, 'reset')).toEqual([])
})

test.each([0, mib])(
  '[F4] what came before END is whole, even if RESET follows (%i bytes unsent)',
  async (unsent) => {
    const { peer, stream, session } = await openRawStream()
    stream.write(Buffer.alloc(unsent))
    const sent = Math.min(unsent, 16 * kib)
    await expect.poll(() => peer.dataBytes(stream.id), soon).toBe(sent)
    const whole = frame(frameTypes.data, stream.id, Buffer.alloc(16 * kib))
    peer.socket.write(Buffer.concat([whole, whole, whole]))
    peer.send('end', stream.id)
    peer.send('reset', stream.id, 'reset')
    await expect.poll(() => session.streamCount, soon).toBe(0)
    stream.end('late')
    expect((await read(stream)).length).toBe(48 * kib)
    await expect.poll(() => [stream.closed, session.windows], soon).toEqual([true, 0])
    expect(stream.resetWord).toBe('reset')
    // Nothing more is sent on it.
    peer.sendCredit(stream.id, mib)
    const next = session.open('http')
    await expect.poll(() => peer.seen(next.id, 'open'), soon).toHaveLength(1)
    expect([peer.dataBytes(stream.id), peer.seen(stream.id, 'end')]).toEqual([sent, []])
  },
)

test('[F4] a stream that RESET ended after its END may be ended here, too', async () => {
  const { peer, stream, session } = await openRawStream()
  peer.send('data', stream.id, 'x')
  peer.send('end', stream.id)
  peer.send('reset', stream.id)
  await expect.poll(() => session.streamCount, soon).toBe(0)
  stream.end()
  await once(stream, 'finish')
  const next = session.open('http')
  await expect.poll(() => peer.seen(next.id, 'open'), soon).toHaveLength(1)
  expect(peer.seen(stream.id, 'end')).toEqual([])
})

const endings: Readonly<Record<string, (stream: FrameStream) => void>> = {
  END: (stream) => stream.end(),
  RESET: (stream) => stream.destroy(),
  'END and RESET': (stream) => stream.end().once('finish', () => stream.destroy()),
  'DATA and END': (stream) => stream.end('x'),
  'DATA and RESET': (stream) => stream.write('x') && stream.destroy(),
}
const crossings = Object.keys(endings).flatMap((near) =>
  Object.keys(endings).map((far) => [near, far] as const),
)

test.each(crossings)('[F4] %s from one end and %s from the other may cross', async (one, other) => {
  const pair = await openSessionPair({ opening: oneStream, accepting: oneStream })
  // In the same turn, so that they cross. Then one after the other.
  for (const isTogether of [true, false]) {
    const [near, far] = await pair.openStream()
    near.resume()
    far.resume()
    endings[one]?.(near)
    if (!isTogether) await new Promise((resolve) => setTimeout(resolve, 5))
    endings[other]?.(far)
    await expect.poll(() => [near.closed, far.closed], soon).toEqual([true, true])
    await expect
      .poll(() => [pair.opening.isFull, pair.accepting.isFull], soon)
      .toEqual([false, false])
  }
  const [near, far] = await pair.openStream()
  near.end('still here')
  expect(String(await read(far))).toBe('still here')
  expect([pair.opening.hasEnded, pair.accepting.hasEnded]).toEqual([false, false])
})

test('[F3] an end sends exactly as much as it has credit for', async () => {
  const { peer, stream } = await openRawStream()
  stream.write(Buffer.alloc(mib))
  const sent = () => peer.dataBytes(stream.id)
  await expect.poll(sent, soon).toBe(16 * kib)
  for (const [grant, sum] of [
    [() => peer.sendOpening('opened', stream.id, 10), 16 * kib + 10],
    [() => peer.sendCredit(stream.id, 1), 16 * kib + 11],
    [() => peer.sendCredit(stream.id, 0), 16 * kib + 11],
    [() => peer.sendCredit(stream.id, 100_000), 16 * kib + 100_011],
  ] as const) {
    grant()
    // What it may not send would come before the answer to this.
    const before = peer.seen(0, 'pong').length
    peer.send('ping', 0, '12345678')
    await expect.poll(() => peer.seen(0, 'pong'), soon).toHaveLength(before + 1)
    expect(sent()).toBe(sum)
  }
})

test('[F3] the agent’s credit is what OPEN says, and the other end’s what OPENED says in addition to 16 KiB', async () => {
  const { peer, stream } = await openRawStream()
  expect(peer.seen(stream.id, 'open')[0]?.payload).toEqual(Buffer.from('\0\x01\0\0http'))
  const accepting = await openRawPair({ onOpen: (opened) => opened.accept('told') })
  accepting.peer.sendOpening('open', 1, 0)
  const opened = () => accepting.peer.seen(1, 'opened')[0]?.payload.toString('latin1')
  await expect.poll(opened, soon).toBe('\0\0\xc0\0told')
  expect(accepting.session.windows).toBe(64 * kib)
})

test('[F3] no credit is given before a stream is accepted', async () => {
  const opened: FrameStream[] = []
  const { peer, session } = await openRawPair({ onOpen: (stream) => opened.push(stream) })
  peer.sendOpening('open', 1, 0)
  peer.socket.write(frame(frameTypes.data, 1, Buffer.alloc(16 * kib)))
  await expect.poll(() => opened[0]?.bytesRead, soon).toBe(16 * kib)
  opened[0]?.accept()
  await expect
    .poll(() => peer.seen(1, 'opened')[0]?.payload, soon)
    .toEqual(Buffer.from([0, 1, 0, 0]))
  // What was passed on before is part of what OPENED gives.
  opened[0]?.resume()
  peer.socket.write(frame(frameTypes.data, 1, Buffer.alloc(16 * kib)))
  await expect.poll(() => opened[0]?.bytesRead, soon).toBe(32 * kib)
  peer.send('ping', 0, '12345678')
  await expect.poll(() => peer.seen(0, 'pong'), soon).toHaveLength(1)
  expect([peer.seen(1, 'credit'), session.windows]).toEqual([[], 64 * kib])
})

/** Sends all that the credit permits, but at most so many bytes a round. @returns the greatest credit */
async function fill(
  { peer, stream }: Awaited<ReturnType<typeof openRawStream>>,
  afterRound: () => unknown = () => undefined,
  bytesPerRound = mib,
): Promise<number> {
  let sent = 0
  let most = 0
  const allowed = () =>
    [...peer.seen(stream.id, 'open'), ...peer.seen(stream.id, 'credit')].reduce(
      (sum, { payload }) => sum + payload.readUInt32BE(),
      -sent,
    )
  for (let round = 0; round < 40; round += 1) {
    await expect.poll(allowed, soon).toBeGreaterThan(0)
    most = Math.max(most, allowed())
    const bytes = Math.min(allowed(), bytesPerRound)
    for (let left = bytes; left > 0; left -= 16 * kib) {
      peer.send('data', stream.id, Buffer.alloc(Math.min(left, 16 * kib)))
    }
    sent += bytes
    await expect.poll(() => stream.bytesRead, soon).toBe(sent)
    afterRound()
  }
  return most
}

test('[F3] a window grows from 64 to 512 KiB while it is used', async () => {
  const raw = await openRawStream()
  raw.stream.resume()
  expect(await fill(raw)).toBe(512 * kib)
  expect([raw.session.windows, raw.ends]).toEqual([512 * kib, []])
  raw.stream.destroy()
  expect(raw.session.windows).toBe(0)
})

test('[F3] a window does not grow by slow use', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const raw = await openRawStream()
  raw.stream.resume()
  vi.advanceTimersByTime(1000)
  const most = await fill(raw, () => vi.advanceTimersByTime(1000), 32 * kib)
  expect([most, raw.session.windows]).toEqual([64 * kib, 64 * kib])
})

test('[F3] if all windows together are at their limit, one begins with 16 KiB and does not grow', async () => {
  const limits = { streams: 10, windowsBytes: 150 * kib }
  const raw = await openRawStream({ limits })
  const { session, peer } = raw
  const second = session.open('http')
  const third = session.open('http')
  expect(session.windows).toBe((64 + 64 + 16) * kib)
  await expect.poll(() => peer.seen(third.id, 'open'), soon).toHaveLength(1)
  const credits = [second, third].map(({ id }) => peer.seen(id, 'open')[0]?.payload.readUInt32BE())
  expect(credits).toEqual([64 * kib, 16 * kib])
  raw.stream.resume()
  expect(await fill(raw)).toBe(64 * kib)
  for (const stream of [raw.stream, second]) stream.destroy()
  // Even if there is room again.
  expect(await fill({ ...raw, stream: third.resume() })).toBe(16 * kib)
  expect(session.windows).toBe(16 * kib)
  third.destroy()
  expect(session.windows).toBe(0)
})

test('[F3] a slow reader holds one window in each place', async () => {
  const { openStream } = await openSessionPair()
  const [near, far] = await openStream()
  expect(far.write(Buffer.alloc(mib))).toBe(false)
  await expect.poll(() => near.unreadBytes, soon).toBe(64 * kib)
  // As much as it reads may follow, and no more.
  near.read()
  near.pause()
  await expect.poll(() => near.bytesRead, soon).toBeGreaterThan(64 * kib)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(near.unreadBytes).toBeLessThanOrEqual(128 * kib)
  near.resume()
  await expect.poll(() => near.bytesRead, soon).toBe(mib)
  expect(near.unreadBytes).toBe(0)
})

test.each([
  ['small slices that wait', { streams: 1, slices: 600, bytes: 100, isRead: false }],
  ['larger slices that wait', { streams: 20, slices: 32, bytes: 2000, isRead: false }],
  ['small slices that were read', { streams: 1, slices: 600, bytes: 100, isRead: true }],
])(
  '[F3] %s do not keep the chunks in which they arrived',
  async (_, { streams, slices, bytes, isRead }) => {
    const { peer, session } = await openRawPair()
    const waiting = Array.from({ length: streams }, () => session.open('http'))
    const kept: Buffer[] = []
    if (isRead) waiting[0]?.on('data', (slice: Buffer) => kept.push(slice))
    const other = session.open('http')
    other.destroy()
    const large = frame(frameTypes.data, other.id, Buffer.alloc(16 * kib))
    const before = await heldBytes()
    for (let sent = 0; sent < slices * streams; sent += 1) {
      const slice = frame(frameTypes.data, 1 + (sent % streams), Buffer.alloc(bytes))
      const isSent = peer.socket.write(Buffer.concat([slice, large, large, large]))
      if (!isSent) await once(peer.socket, 'drain')
    }
    for (const stream of waiting) {
      await expect.poll(() => stream.bytesRead, soon).toBe(slices * bytes)
    }
    expect((await heldBytes()) - before).toBeLessThan(4 * mib)
    expect(Buffer.concat(kept).length).toBe(isRead ? slices * bytes : 0)
  },
)

test('write() returns false at a full buffer, and "drain" follows', async () => {
  const { peer, stream } = await openRawStream()
  expect(stream.write(Buffer.alloc(100))).toBe(true)
  expect(stream.write(Buffer.alloc(200_000))).toBe(false)
  const drained = vi.fn<() => void>()
  stream.on('drain', drained)
  peer.sendCredit(stream.id, 100_000)
  await expect.poll(() => peer.dataBytes(stream.id), soon).toBe(16 * kib + 100_000)
  expect(drained).not.toHaveBeenCalled()
  peer.sendCredit(stream.id, 200_000)
  await expect.poll(() => drained.mock.calls.length, soon).toBeGreaterThan(0)
  expect(stream.writableLength).toBe(0)
})

test('"drain" also follows short writes that had to wait', async () => {
  const { peer, stream } = await openRawStream()
  stream.write(Buffer.alloc(16 * kib))
  const drained = vi.fn<() => void>()
  stream.on('drain', drained)
  for (const part of ['a', 'b', 'c']) expect(stream.write(part)).toBe(true)
  peer.sendCredit(stream.id, 100)
  await expect.poll(() => drained.mock.calls, soon).toHaveLength(1)
})

/** Node's HTTP server at the accepting end. */
async function serveHttp(onRequest: Parameters<typeof createServer>[1]) {
  const server = createServer(onRequest)
  const pair = await openSessionPair({
    accepting: {
      onOpen: (stream) => {
        stream.accept()
        server.emit('connection', stream)
      },
    },
  })
  onTestFinished(() => pair.opening.end())
  return pair
}

test('Node’s HTTP carries a large body in short pieces through it, both ways', async () => {
  const { opening } = await serveHttp((asked, answer) => {
    let rest = Buffer.alloc(0)
    asked.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 60_000) {
        const isFull = !answer.write(rest.subarray(0, 60_000))
        rest = rest.subarray(60_000)
        if (!isFull) continue
        asked.pause()
        answer.once('drain', () => asked.resume())
      }
    })
    asked.on('end', () => answer.end(rest))
  })
  const body = noise(6_000_000)
  const sent = request({ method: 'POST', createConnection: () => opening.open('http') })
  let at = 0
  const write = () => {
    while (at < body.length) {
      at += 60_000
      if (sent.write(body.subarray(at - 60_000, at))) continue
      sent.once('drain', write)
      return
    }
    sent.end()
  }
  write()
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  if (answer === undefined) throw new Error('no answer')
  expect((await buffer(answer)).equals(body)).toBe(true)
})

test('Node’s HTTP takes half an answer for no whole one', async () => {
  const { opening } = await serveHttp((asked, answer) => {
    answer.writeHead(
      200,
      asked.url === '/length' ? { 'content-length': 10 } : { connection: 'close' },
    )
    if (asked.url === '/close') answer.useChunkedEncodingByDefault = false
    answer.write('half', () => asked.socket.destroy())
  })
  for (const path of ['/length', '/chunked', '/close']) {
    const sent = request({ path, createConnection: () => opening.open('http') }).end()
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    await expect(answer === undefined ? undefined : buffer(answer)).rejects.toThrow('aborted')
    expect(answer?.complete).toBe(false)
  }
})

test('a stream has the methods of a socket', async () => {
  const { openStream } = await openSessionPair()
  const [near, far] = await openStream()
  for (const same of [near.setNoDelay(), near.setKeepAlive(), near.ref(), near.unref()]) {
    expect(same).toBe(near)
  }
  // All that was written arrives, and the other end need not answer.
  near.write(Buffer.alloc(300_000))
  near.destroySoon()
  expect(near.destroyed).toBe(false)
  expect((await read(far)).length).toBe(300_000)
  await expect.poll(() => [near.closed, far.closed], soon).toEqual([true, true])
  near.destroySoon()
  const [, finished] = await openStream()
  await once(finished.end(), 'finish')
  finished.destroySoon()
  expect(finished.destroyed).toBe(true)
})

test('setTimeout tells of idle streams, as often as they are idle', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { opening, accepting, accepted } = await openSessionPair()
  const near = opening.open('http')
  const far = await accepted()
  const onTimeout = vi.fn<() => void>()
  const times = () => onTimeout.mock.calls.length
  near.on('timeout', onTimeout)
  expect(near.setTimeout(1000)).toBe(near)
  vi.advanceTimersByTime(999)
  near.write('x')
  vi.advanceTimersByTime(999)
  far.write('x')
  await once(near, 'data')
  vi.advanceTimersByTime(999)
  expect(times()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(times()).toBe(1)
  near.write('x')
  vi.advanceTimersByTime(1000)
  expect(times()).toBe(2)
  const afterwards = vi.fn<() => void>()
  near.setTimeout(1000, afterwards)
  near.setTimeout(0, afterwards)
  vi.advanceTimersByTime(5000)
  expect([times(), afterwards.mock.calls, near.listenerCount('timeout')]).toEqual([2, [], 1])
  near.setTimeout(1000)
  near.destroy()
  expect(vi.getTimerCount()).toBe(0)
  expect(accepting.hasEnded).toBe(false)
})

test('[A21] a strict stream ends at what nobody asked for', async () => {
  const { peer, session } = await openRawPair()
  const [talks, ends, reads] = [session.open('http'), session.open('http'), session.open('http')]
  for (const stream of [talks, ends, reads]) stream.isStrict = true
  reads.resume().on('data', () => undefined)
  await expect.poll(() => peer.seen(reads.id, 'open'), soon).toHaveLength(1)
  peer.send('data', talks.id, 'x')
  peer.send('end', ends.id)
  peer.send('data', reads.id, 'x')
  await expect
    .poll(() => [talks.closed, ends.closed, reads.bytesRead], soon)
    .toEqual([true, true, 1])
  expect(reads.destroyed).toBe(false)
  await expect
    .poll(() => peer.frames.filter(({ type }) => type === frameTypes.reset).length, soon)
    .toBe(2)
})

test('[F4] the word of RESET is passed on byte for byte', async () => {
  const { openStream } = await openSessionPair()
  const [near, far] = await openStream()
  far.reset('\xFF'.repeat(32))
  await once(near, 'close')
  expect(near.resetWord).toBe('\xFF'.repeat(32))
})

const letterAt = (at: number) => 'abcdefghijklmnopqrstuvwxyz'.charAt(at % 26)
const heldInAll = async () => (await heldBytes()) + process.memoryUsage().heapUsed

test('[F3] bytes that come one by one and wait share their memory, and arrive in order', async () => {
  const { peer, stream } = await openRawStream()
  const count = 60_000
  const before = await heldInAll()
  const pieces = (at: number) => frame(frameTypes.data, stream.id, Buffer.from(letterAt(at)))
  peer.socket.write(Buffer.concat(Array.from({ length: count }, (_, at) => pieces(at))))
  await expect.poll(() => stream.bytesRead, soon).toBe(count)
  // A Buffer for each took 9 MB.
  expect((await heldInAll()) - before).toBeLessThan(3 * mib)
  peer.send('end', stream.id)
  const expected = Array.from({ length: count }, (_, at) => letterAt(at)).join('')
  expect((await read(stream)).toString()).toBe(expected)
})
