import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inTime } from '../../../test/in-time.ts'
import { connectAgent, rawService, type RawAnswer } from '../../../test/relay-agent.ts'
import { shareRelayApp } from '../../../test/relay-app.ts'
import type { FrameStream } from '../frames/frame-stream.ts'

const say = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
const forged = say('forged')

/** A service that answers each of its visitors with the path that they asked for, except at some. */
async function setUp(
  answers: Readonly<Record<string, RawAnswer>> = {},
  onOpen: (stream: FrameStream, count: number) => void = () => undefined,
) {
  const relay = await shareRelayApp()
  const streams: FrameStream[] = []
  /** Each request, with the number of the stream that it came on. */
  const asked: (readonly [path: string, stream: number])[] = []
  const ownAnswers: Record<string, RawAnswer> = { ...answers }
  const serve = rawService(ownAnswers, (head, stream) => {
    const [, path = ''] = head.split(' ')
    asked.push([path, streams.indexOf(stream)])
    ownAnswers[path] ??= say(path)
  })
  await connectAgent(relay.url, relay.token, {
    onStream: (stream) => {
      streams.push(stream)
      serve(stream)
      onOpen(stream, streams.length)
    },
  })
  await expect.poll(async () => (await relay.visit({ method: 'POST' })).status).toBe(200)
  streams.length = 0
  asked.length = 0
  const bodyOf = async (path: string, headers = {}, method = 'GET', body = '') =>
    (await relay.visit({ path, headers, method, body })).body
  return { ...relay, streams, asked, bodyOf }
}

test('[A11] [A21] repeatable requests share a kept stream, and all others have one of their own', async () => {
  const { visit, bodyOf, asked } = await setUp({
    '/head': 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n',
  })
  for (const path of ['/1', '/2']) expect(await bodyOf(path)).toBe(path)
  expect((await visit({ path: '/head', method: 'HEAD' })).status).toBe(200)
  expect(await bodyOf('/options', {}, 'OPTIONS')).toBe('/options')
  for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND']) {
    expect(await bodyOf(`/${method}`, {}, method)).toBe(`/${method}`)
  }
  expect(await bodyOf('/ntlm', { authorization: 'NTLM x' })).toBe('/ntlm')
  expect(await bodyOf('/negotiate', { authorization: 'negotiate x' })).toBe('/negotiate')
  expect(await bodyOf('/upgrade', { connection: 'upgrade', upgrade: 'h2c' })).toBe('/upgrade')
  expect(await bodyOf('/expect', { expect: '100-continue' })).toBe('/expect')
  expect(await bodyOf('/body', { 'content-length': '1' }, 'GET', 'x')).toBe('/body')
  expect(await bodyOf('/last')).toBe('/last')
  const kept = ['/1', '/2', '/head', '/options', '/last']
  const numbers = new Map(asked)
  expect(kept.map((path) => numbers.get(path))).toEqual(kept.map(() => 0))
  expect(new Set(numbers.values()).size).toBe(numbers.size - kept.length + 1)
})

test.each<[string, string]>([
  ['says that it closes', say('own', 'Connection: close\r\n')],
  ['speaks HTTP/1.0', say('own', 'Connection: keep-alive\r\n').replace('1.1', '1.0')],
  ['signs in a connection by NTLM', say('own', 'WWW-Authenticate: Basic, NTLM\r\n')],
  ['signs in a connection by Negotiate', say('own', 'WWW-Authenticate: negotiate\r\n')],
  ['waits for only a second', say('own', 'Keep-Alive: max=5, timeout=1\r\n')],
])('[A21] no stream is kept after an answer that %s', async (_, answer) => {
  const { bodyOf, streams, asked } = await setUp({ '/own': answer })
  expect(await bodyOf('/own')).toBe('own')
  expect(await bodyOf('/next')).toBe('/next')
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
  expect(asked).toEqual([
    ['/own', 0],
    ['/next', 1],
  ])
})

test('[A21] an idle stream ends a second before the service would end it', async () => {
  const { bodyOf, streams, asked } = await setUp({
    '/two': say('two', 'Keep-Alive: timeout=2\r\n'),
  })
  expect(await bodyOf('/one')).toBe('/one')
  expect(await bodyOf('/two')).toBe('two')
  const startedMs = performance.now()
  expect(asked.map(([, number]) => number)).toEqual([0, 0])
  const [stream] = streams
  if (stream === undefined) throw new Error('no stream')
  await once(stream, 'end')
  expect(performance.now() - startedMs).toBeGreaterThan(950)
  expect(performance.now() - startedMs).toBeLessThan(3000)
})

test.each<[string, RawAnswer]>([
  ['in the same write', say('/odd') + forged],
  [
    'in the same segment',
    (stream) => {
      stream.write(say('/odd'))
      stream.write(forged)
    },
  ],
  [
    'one turn later',
    (stream) => {
      stream.write(say('/odd'))
      setImmediate(() => stream.write(forged))
    },
  ],
  ['as half an answer', `${say('/odd')}HTTP/1.1 200 OK\r\nX-Forged:`],
  ['as an interim answer', `${say('/odd')}HTTP/1.1 100 Continue\r\n\r\n`],
  ['as no HTTP', `${say('/odd')}\0`],
  ['as an empty line', `${say('/odd')}\r\n`],
])('[A21] bytes behind an answer %s reach no visitor, and end the stream', async (_, answer) => {
  const { bodyOf, streams } = await setUp({ '/odd': answer })
  expect(await bodyOf('/before')).toBe('/before')
  expect(await bodyOf('/odd')).toBe('/odd')
  expect(await bodyOf('/after')).toBe('/after')
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
})

test('[A21] bytes behind an answer that its visitor has not read yet reach nobody', async () => {
  const long = 'x'.repeat(32 * 1024 * 1024)
  const { begin, bodyOf, streams } = await setUp({
    '/long': (stream) => void stream.write(say(long) + forged),
  })
  const answer = await begin({ path: '/long' })
  await expect.poll(() => streams[0]?.writableLength).toBeGreaterThan(0)
  expect(await bodyOf('/meanwhile')).toBe('/meanwhile')
  expect(await text(answer)).toHaveLength(long.length)
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
  expect(await bodyOf('/after')).toBe('/after')
})

test('[A21] bytes on an idle stream end it before it is used again', async () => {
  const { bodyOf, streams, asked } = await setUp()
  expect(await bodyOf('/before')).toBe('/before')
  streams[0]?.write(forged)
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
  expect(await bodyOf('/after')).toBe('/after')
  expect(asked.at(-1)).toEqual(['/after', 1])
})

test('[A21] a service that answers before it is asked disturbs one visitor at most', async () => {
  const { bodyOf, streams } = await setUp({}, (stream, count) => {
    if (count === 1) stream.write(forged)
  })
  // Nobody can tell whose answer the first one is. The second one has no request.
  expect(['forged', '/one']).toContain(await bodyOf('/one'))
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
  for (const path of ['/two', '/three']) expect(await bodyOf(path)).toBe(path)
})

test('[A21] a service that answers twice after the next request went out disturbs one visitor at most', async () => {
  const { bodyOf, streams } = await setUp({ '/two': forged + say('/two') })
  expect(await bodyOf('/one')).toBe('/one')
  expect(['forged', '/two']).toContain(await bodyOf('/two'))
  expect(await bodyOf('/three')).toBe('/three')
  expect(streams).toHaveLength(2)
})

test.each<[string, (stream: FrameStream) => void]>([
  ['a cut', (stream) => stream.destroy()],
  ['its end', (stream) => void stream.end()],
])('[A11] [A21] half an answer before %s on a kept stream is not repeated', async (_, end) => {
  const { visit, bodyOf, asked } = await setUp({
    '/head': (stream) => {
      stream.write('HTTP/1.1 200 O')
      setTimeout(() => end(stream), 20)
    },
    '/body': (stream) => {
      stream.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf')
      setTimeout(() => end(stream), 20)
    },
  })
  expect(await bodyOf('/one')).toBe('/one')
  expect((await visit({ path: '/head' })).status).toBe(502)
  expect(await bodyOf('/two')).toBe('/two')
  await expect(bodyOf('/body')).rejects.toThrow('aborted')
  expect(await bodyOf('/three')).toBe('/three')
  expect(asked).toEqual([
    ['/one', 0],
    ['/head', 0],
    ['/two', 1],
    ['/body', 1],
    ['/three', 2],
  ])
})

test.each<[string, (stream: FrameStream) => void]>([
  ['ends', (stream) => void stream.end()],
  ['resets', (stream) => stream.reset('reset')],
])('[A11] [A21] a visitor does not notice that the service %s idle streams', async (_, end) => {
  const { bodyOf, streams, asked } = await setUp()
  for (let count = 0; count < 10; count += 1) {
    expect(await bodyOf(`/${count}`)).toBe(`/${count}`)
    const last = streams.at(-1)
    if (last !== undefined) end(last)
    // Sometimes the next request is faster, and sometimes not.
    if (count % 2 === 0) await vi.waitUntil(() => last?.destroyed, inTime)
  }
  expect(asked.map(([path]) => path).filter((path, at, all) => path !== all[at - 1])).toHaveLength(
    10,
  )
})

test.each<[string, (stream: FrameStream) => void]>([
  ['ends', (stream) => void stream.end()],
  ['resets', (stream) => stream.reset('reset')],
])(
  '[A11] a request is repeated once if the service %s its kept stream on it, and a POST never',
  async (_, end) => {
    let left = 0
    const { visit, bodyOf, asked } = await setUp({
      '/odd': (stream) => {
        left -= 1
        if (left >= 0) end(stream)
        else stream.write(say('own'))
      },
    })
    expect(await bodyOf('/one')).toBe('/one')
    left = 1
    expect(await bodyOf('/odd')).toBe('own')
    left = 2
    expect((await visit({ path: '/odd' })).status).toBe(502)
    // On a fresh stream, even a GET is sent once.
    left = 1
    expect((await visit({ path: '/odd' })).status).toBe(502)
    expect(await bodyOf('/two')).toBe('/two')
    left = 1
    expect((await visit({ path: '/odd', method: 'POST', body: 'x' })).status).toBe(502)
    expect(asked.map(([path, stream]) => `${path} ${stream}`)).toEqual([
      '/one 0',
      '/odd 0',
      '/odd 1',
      '/odd 1',
      '/odd 2',
      '/odd 3',
      '/two 4',
      '/odd 5',
    ])
  },
)

test('[A21] an island keeps at most 32 streams', async () => {
  const waiting: FrameStream[] = []
  const { bodyOf, streams } = await setUp({ '/wait': (stream) => void waiting.push(stream) })
  const answers = Promise.all(Array.from({ length: 40 }, () => bodyOf('/wait')))
  await expect.poll(() => waiting.length).toBe(40)
  for (const stream of waiting) stream.write(say('all'))
  await answers
  await expect.poll(() => streams.filter(({ destroyed }) => !destroyed).length).toBe(32)
  expect(await bodyOf('/after')).toBe('/after')
  expect(streams).toHaveLength(40)
})

test('[A12] [A21] a stream whose answer came before the end of its request is reset', async () => {
  const { port, hostName, bodyOf, streams } = await setUp({ '/early': say('early') })
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/early',
    method: 'POST',
    agent: false,
    headers: { host: hostName, 'content-length': '100000' },
  })
  onTestFinished(() => void sent.destroy())
  const answering = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
  sent.on('error', () => undefined).write('x'.repeat(1000))
  expect(await text(await answering)).toBe('early')
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
  expect(await bodyOf('/after')).toBe('/after')
})
