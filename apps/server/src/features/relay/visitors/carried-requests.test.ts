import { once } from 'node:events'
import {
  createServer,
  request as askFor,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { answerOn } from '../../../http/protocol-upgrades.ts'
import { listen, portOf } from '../../../test/listen.ts'
import { rawService, type RawAnswer } from '../../../test/relay-agent.ts'
import { KeptStreams } from '../agents/kept-streams.ts'
import { FrameSession } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { RelayCounts } from '../relay-counts.ts'
import { forwardRequest, type Forwarding } from './forward-request.ts'
import { stateTexts } from './visitor-states.ts'

const onEnd = () => undefined
const say = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const sayInChunks = (body: string) =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

/**
 * A server that only forwards, with a service behind one session. Each transfer is cut by hand.
 * @param early what the service says before it is asked
 */
async function setUp(answers: Readonly<Record<string, RawAnswer>>, early = '') {
  const [near, far] = duplexPair()
  const streams: FrameStream[] = []
  /** How many transfers have begun and not ended, and whether the island has room for another one. */
  const transfers = { count: 0, haveRoom: true, retries: 0, isAgentGone: false }
  const serve = rawService(answers)
  const home = new FrameSession(far, {
    onOpen: (stream) => {
      streams.push(stream)
      if (transfers.isAgentGone) {
        stream.reset('gone')
        return
      }
      serve(stream)
      stream.write(early)
    },
    onEnd,
  })
  const session = new FrameSession(near, { onEnd })
  const kept = new KeptStreams()
  const counts = new RelayCounts()
  const cuts = new Map<string | undefined, (why: 'stuck' | 'shut') => void>()
  const forward = (
    asked: IncomingMessage,
    response: ServerResponse,
    webSocket?: Forwarding['webSocket'],
  ): void =>
    forwardRequest({
      request: asked,
      response,
      agent: {
        isOpen: true,
        kept,
        open: (kind) => session.open(kind),
        withService: (_stream, use) => {
          // As if the agent's server were slow to say what it knows of the service.
          setTimeout(() => use({ origin: null, host: null }), early === '' ? 0 : 50)
        },
      },
      islandKey: 1,
      network: '203.0.113.7',
      headers: webSocket === undefined ? [] : ['sec-websocket-key', 'x'],
      asked: { scheme: 'http', authority: 'bar.localhost', path: asked.url ?? '', address: '' },
      isByGrant: false,
      transfers: {
        begin: ({ cut }) => {
          if (!transfers.haveRoom) return undefined
          cuts.set(asked.url, cut)
          transfers.count += 1
          let hasEnded = false
          const end = () => {
            if (!hasEnded) transfers.count -= 1
            hasEnded = true
          }
          return { mayRest: () => undefined, end }
        },
      },
      counts,
      answerState: (state) => response.writeHead(stateTexts[state].status).end(),
      onAnswer: () => undefined,
      retry: () => {
        transfers.retries += 1
        response.writeHead(200).end(`again, beside ${transfers.count}`)
      },
      isRetry: false,
      ...(webSocket && { webSocket }),
    })
  const site = createServer((asked, response) => {
    // What is sent to this visitor does not leave before the end, or has no end.
    if (asked.headers['x-is'] === 'slow') asked.socket.cork()
    if (asked.headers['x-is'] === 'endless') response.end = () => response
    forward(asked, response)
  })
  site.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) =>
    forward(asked, answerOn(asked, socket), { socket, head }),
  )
  await listen(site)
  onTestFinished(() => {
    kept.end()
    for (const one of [home, session]) one.end()
    site.closeAllConnections()
    site.close()
  })
  const port = portOf(site)
  const begin = (path: string, headers = {}, method = 'GET') => {
    const sent = askFor({ host: '127.0.0.1', port, path, method, headers, agent: false })
    onTestFinished(() => void sent.destroy())
    const answer = new Promise<IncomingMessage>((resolve, reject) =>
      sent.on('error', reject).once('response', resolve),
    )
    answer.catch(() => undefined)
    return { sent, answer }
  }
  const ask = async (path: string, headers = {}) => {
    const { sent, answer } = begin(path, headers)
    sent.end()
    return await text(await answer)
  }
  const cut = async (path: string, why: 'stuck' | 'shut' = 'stuck') => {
    await expect.poll(() => cuts.has(path)).toBe(true)
    cuts.get(path)?.(why)
  }
  return { begin, ask, cut, cuts, kept, counts, streams, port, site, transfers }
}

test('[A16] without progress, a service that gives no answer is late, and so is half a request', async () => {
  const { begin, cut, streams } = await setUp({
    '/wait': () => undefined,
    '/half': () => undefined,
  })
  const waiting = begin('/wait')
  waiting.sent.end()
  const half = begin('/half', { 'content-length': '10' }, 'POST')
  half.sent.write('half')
  await expect.poll(() => streams.length).toBe(2)
  await cut('/wait')
  expect((await waiting.answer).statusCode).toBe(504)
  await cut('/half')
  expect((await half.answer).statusCode).toBe(408)
  await expect.poll(() => streams.every(({ destroyed }) => destroyed)).toBe(true)
})

test('[A21] what a service says before it is asked is no answer', async () => {
  const { begin, streams } = await setUp({ '/own': say('own') }, say('forged'))
  const { sent, answer } = begin('/own')
  sent.end()
  expect((await answer).statusCode).toBe(502)
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
})

test.each([
  ['stuck', 504],
  ['shut', 'Error: socket hang up'],
] as const)('[A11] [A16] a %s request on a kept stream is not sent again', async (why, end) => {
  const { begin, ask, cut, kept, streams } = await setUp({
    '/own': say('own'),
    '/wait': () => undefined,
  })
  expect(await ask('/own')).toBe('own')
  await expect.poll(() => kept.count).toBe(1)
  const waiting = begin('/wait')
  waiting.sent.end()
  await cut('/wait', why)
  expect(await waiting.answer.then(({ statusCode }) => statusCode, String)).toBe(end)
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
  expect(streams).toHaveLength(1)
})

test.each(['stuck', 'shut'] as const)(
  '[A21] a %s visitor whose answer has been read takes nobody’s stream along',
  async (why) => {
    const waiting: FrameStream[] = []
    const { begin, ask, cut, kept, counts, streams } = await setUp({
      '/slow': say('slow'),
      '/wait': (stream) => void waiting.push(stream),
    })
    const slow = begin('/slow', { 'x-is': 'endless' })
    slow.sent.end()
    await expect.poll(() => kept.count).toBe(1)
    const next = ask('/wait')
    await expect.poll(() => waiting.length).toBe(1)
    const before = counts.bytesToVisitors
    const gone = once((await slow.answer).socket, 'close')
    await cut('/slow', why)
    await gone
    waiting[0]?.write(say('own'))
    expect(await next).toBe('own')
    expect(streams).toHaveLength(1)
    expect(counts.bytesToVisitors - before).toBe(say('own').length)
  },
)

test('[A21] bytes behind an answer that waits for its visitor, anywhere on the way, reach nobody', async () => {
  const forged = 'HTTP/1.1 200 OK\r\nX-Forged: '
  const ends = Array.from({ length: 20 }, (_, at) => 16_000 * (at + 1))
  for (const answerWith of [say, sayInChunks]) {
    for (const length of ends) {
      const body = 'x'.repeat(length)
      const { begin, ask, site, streams } = await setUp({
        '/slow': (stream) => void stream.write(answerWith(body) + forged),
        '/own': say('own'),
      })
      const asked = once(site, 'request')
      const { sent, answer } = begin('/slow', { 'x-is': 'slow' })
      sent.end()
      const [request]: IncomingMessage[] = await asked
      // Until everything on the way is full.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
      request?.socket.uncork()
      expect(await text(await answer)).toBe(body)
      expect([length, await ask('/own')]).toEqual([length, 'own'])
      await expect.poll(() => streams[0]?.destroyed).toBe(true)
    }
  }
})

test('R7 a service that accepts a WebSocket just after it was given up opens none', async () => {
  const { port, cut, streams } = await setUp({ '/talk': () => undefined })
  const visitor = connect(port, '127.0.0.1')
  onTestFinished(() => void visitor.destroy())
  visitor.write(
    'GET /talk HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  await expect.poll(() => streams.length).toBe(1)
  await cut('/talk')
  streams[0]?.write(
    'HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n\r\n',
  )
  expect(await text(visitor)).toMatch(/^HTTP\/1\.1 504 /)
})

test('[A21] a request for which an island has no room leaves the kept stream to others', async () => {
  const { begin, ask, kept, streams, transfers } = await setUp({ '/own': say('own') })
  expect(await ask('/own')).toBe('own')
  await expect.poll(() => kept.count).toBe(1)
  transfers.haveRoom = false
  const { sent, answer } = begin('/own')
  sent.end()
  expect((await answer).statusCode).toBe(503)
  expect(kept.count).toBe(1)
  transfers.haveRoom = true
  expect(await ask('/own')).toBe('own')
  expect(streams).toHaveLength(1)
})

test('R13 a request that another agent takes over is in one transfer, not in two', async () => {
  const { ask, transfers } = await setUp({})
  // As another server says it.
  transfers.isAgentGone = true
  expect(await ask('/gone')).toBe('again, beside 0')
  expect(transfers.retries).toBe(1)
})
