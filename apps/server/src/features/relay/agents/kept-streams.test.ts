import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { socketPair } from '../../../test/socket-pair.ts'
import { FrameSession } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { KeptStreams } from './kept-streams.ts'
import { requestService } from './service-request.ts'

/** Before it would end for being idle. */
const atOnce = { timeout: 1500 }

/** A session with an HTTP server at its other end. */
async function setUp(answers: RequestListener) {
  const [wire, agentWire] = await socketPair()
  const service = createServer({ keepAliveTimeout: 0 }, answers)
  const there: FrameStream[] = []
  const agent = new FrameSession(agentWire, {
    onOpen: (stream) => {
      there.push(stream)
      stream.accept()
      service.emit('connection', stream)
    },
    onEnd: () => undefined,
  })
  onTestFinished(() => agent.end())
  const session = new FrameSession(wire, { onEnd: () => undefined })
  const kept = new KeptStreams()
  const ask = async (stream = kept.take() ?? session.open('http')) => {
    const request = requestService(stream, {
      method: 'GET',
      path: '/',
      headers: ['host', 'harbor.example', 'x-mode', 'upgrade'],
      kept,
    }).end()
    const [answer]: IncomingMessage[] = await once(request, 'response')
    if (answer === undefined) throw new Error('no answer')
    await once(answer.resume(), 'end')
    for (let turns = 0; turns < 3; turns += 1) await turn()
    return answer
  }
  return { session, kept, ask, there }
}

/** Timers that keep running. */
const intervals = () => {
  const begun = vi.spyOn(globalThis, 'setInterval').mock
  const ended = vi.spyOn(globalThis, 'clearInterval').mock
  return () =>
    begun.results.filter(
      ({ value }) => value.hasRef?.() === false && !ended.calls.some(([one]) => one === value),
    ).length
}

test('[A21] a stream serves one request after another, and only one at a time', async () => {
  const seen: IncomingMessage[] = []
  const { session, kept, ask, there } = await setUp((request, response) => {
    seen.push(request)
    response.end('hello')
  })
  await ask()
  await ask()
  expect([there.length, kept.count]).toEqual([1, 1])
  const [one, other] = [kept.take(), kept.take()]
  expect(one).toBeDefined()
  expect(other).toBeUndefined()
  await Promise.all([ask(one), ask(session.open('http'))])
  expect([there.length, kept.count]).toEqual([2, 2])
  // A header whose value is a word of HTTP changes nothing.
  expect(new Set(seen.map(({ headers }) => headers.connection))).toEqual(new Set(['keep-alive']))
})

test.each([
  ['says that it closes', { connection: 'close' }],
  ['signs the connection in', { 'www-authenticate': 'NTLM' }],
  ['signs the connection in otherwise', { 'www-authenticate': 'Basic realm="a", Negotiate' }],
  ['keeps it for a second', { connection: 'keep-alive', 'keep-alive': 'timeout=1' }],
])('[A21] a stream whose service %s is not kept', async (_, headers) => {
  const { kept, ask, there } = await setUp((_request, response) => {
    response.writeHead(200, headers).end('hello')
  })
  await ask()
  expect(kept.count).toBe(0)
  await expect.poll(() => there[0]?.destroyed, atOnce).toBe(true)
})

test('[A21] a byte between two answers ends the stream before it is used again', async () => {
  const { kept, ask, there } = await setUp((_request, response) => response.end('hello'))
  await ask()
  there[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged')
  await expect.poll(() => there[0]?.destroyed, atOnce).toBe(true)
  expect([kept.count, kept.take()]).toEqual([0, undefined])

  const behind = await setUp(({ socket }, response) => {
    response.end('hello', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged'))
  })
  await behind.ask()
  await expect.poll(() => behind.there[0]?.destroyed, atOnce).toBe(true)
  expect(behind.kept.take()).toBeUndefined()
})

test('[A21] a stream that its service ends is not used again', async () => {
  const { kept, ask, there } = await setUp((_request, response) => response.end('hello'))
  await ask()
  there[0]?.end()
  await expect.poll(() => kept.count).toBe(0)
  expect(kept.take()).toBeUndefined()
})

/** Asks once a service that answers so. @returns what waits until its stream ends after a time */
async function askFor(headers: OutgoingHttpHeaders, ms: number) {
  const { kept, ask, there } = await setUp((_request, response) => {
    response.writeHead(200, headers).end('hello')
  })
  const startedMs = performance.now()
  await ask()
  const ended = async () => {
    await vi.waitFor(() => expect(there[0]?.destroyed).toBe(true), { timeout: 8000 })
    const lastedMs = performance.now() - startedMs
    expect(lastedMs).toBeGreaterThan(ms - 100)
    expect(lastedMs).toBeLessThan(ms + 1500)
    expect(kept.count).toBe(0)
  }
  return ended
}

test('[A21] streams end after 4 s without a request, a second before the service would, and no timer stays', async () => {
  const running = intervals()
  const before = running()
  const ends = [
    await askFor({}, 4000),
    await askFor({ connection: 'keep-alive', 'keep-alive': 'timeout=3' }, 2000),
    await askFor({ connection: 'keep-alive', 'keep-alive': 'timeout=60' }, 4000),
  ]
  expect(running()).toBe(before + ends.length)
  await Promise.all(ends.map((ended) => ended()))
  await vi.waitFor(() => expect(running()).toBe(before), { timeout: 2000 })
})

test('[A21] at most 32 streams are kept, and none after the end', async () => {
  const { session, kept, ask, there } = await setUp((_request, response) => response.end('hello'))
  await Promise.all(Array.from({ length: 40 }, () => ask(session.open('http'))))
  await expect.poll(() => there.filter(({ destroyed }) => !destroyed).length).toBe(32)
  expect(kept.count).toBe(32)
  const asking = ask()
  kept.end()
  await asking
  expect(kept.count).toBe(0)
  await expect.poll(() => session.streamCount, atOnce).toBe(0)
})

test('[A21] who asked for it learns when no stream is kept any more', async () => {
  const { session } = await setUp((_request, response) => response.end('hello'))
  const onEmpty = vi.fn<() => void>()
  const kept = new KeptStreams(onEmpty)
  kept.keep(session.open('http'), undefined)
  await expect.poll(() => kept.count).toBe(1)
  expect(onEmpty).not.toHaveBeenCalled()
  kept.take()?.destroy()
  await vi.waitFor(() => expect(onEmpty).toHaveBeenCalledOnce(), { timeout: 3000 })
})
