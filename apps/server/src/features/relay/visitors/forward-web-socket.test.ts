import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import {
  connect as connectHttp2,
  constants,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { connect, createServer, type Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import * as ws from 'ws'
import { answerOn } from '../../../http/protocol-upgrades.ts'
import { listen } from '../../../test/listen.ts'
import { connectAgent, noise, type OnStream } from '../../../test/relay-agent.ts'
import { shareRelayApp } from '../../../test/relay-app.ts'
import { RelayCounts } from '../relay-counts.ts'
import { forwardWebSocket } from './forward-web-socket.ts'

interface Opened {
  readonly headers: IncomingHttpHeaders
  readonly stream: ServerHttp2Stream
}

/** A service that accepts every WebSocket. */
async function setUp(onStream?: OnStream) {
  const relay = await shareRelayApp()
  const opened: Opened[] = []
  const take: OnStream = (stream, headers) => {
    if (headers[':method'] !== 'CONNECT') {
      stream.respond({ ':status': 204 }, { endStream: true })
      return
    }
    if (onStream !== undefined) {
      onStream(stream, headers)
      return
    }
    opened.push({ stream, headers })
    stream.respond({ ':status': 200, 'sec-websocket-protocol': 'chat', 'set-cookie': 'a=b' })
    echo(stream)
  }
  const agent = await connectAgent(relay.url, relay.token, { onStream: take })
  await expect.poll(async () => (await relay.visit()).status).toBe(204)
  const open = (headers: Record<string, string> = {}, path = '/talk?a=b') => {
    const socket = new ws.WebSocket(`ws://127.0.0.1:${relay.port}${path}`, 'chat', {
      headers: { host: relay.hostName, ...headers },
    })
    onTestFinished(() => socket.terminate())
    return socket
  }
  return { ...relay, agent, open, opened }
}

/** The answer that came instead of a WebSocket. */
const refusalOf = (socket: ws.WebSocket) =>
  new Promise<IncomingMessage>((resolve) =>
    socket
      .on('error', () => undefined)
      .once('unexpected-response', (_request, answer) => resolve(answer)),
  )

// The classes that `ws` reads and writes frames with. Its types leave them out.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { Receiver, Sender } = ws as unknown as {
  readonly Receiver: new (options: object) => NodeJS.WritableStream
  readonly Sender: new (stream: ServerHttp2Stream) => {
    readonly send: (data: Buffer, options: object) => void
    readonly pong: (data: Buffer, mask: boolean) => void
    readonly close: (code: number, reason: Buffer, mask: boolean, done: () => void) => void
  }
}

/** Echoes messages and closes on a stream of WebSocket frames. */
function echo(stream: ServerHttp2Stream): void {
  const receiver = new Receiver({ isServer: true, maxPayload: 64 * 1024 * 1024, extensions: {} })
  const sender = new Sender(stream)
  receiver.on('message', (data: Buffer, isBinary: boolean) =>
    sender.send(data, { binary: isBinary, compress: false, fin: true, mask: false }),
  )
  receiver.on('ping', (data: Buffer) => sender.pong(data, false))
  receiver.on('conclude', (code: number, reason: Buffer) => {
    sender.close(code, reason, false, () => stream.end())
  })
  stream.pipe(receiver)
  stream.on('end', () => stream.end())
}

test('[A17] a WebSocket is opened at the service, which does not receive the visitor’s key', async () => {
  const { open, opened, hostName } = await setUp()
  const socket = open({ cookie: 'astropelago_session=secret', 'astropelago-user': 'operator' })
  const isOpen = once(socket, 'open')
  const answer = await new Promise<IncomingMessage>((resolve) => socket.once('upgrade', resolve))
  await isOpen
  expect(socket.protocol).toBe('chat')
  expect(answer.headers['set-cookie']).toEqual(['a=b'])
  const { headers } = opened[0] ?? {}
  expect(headers).toMatchObject({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': '/talk?a=b',
    ':authority': hostName,
    'sec-websocket-protocol': 'chat',
    'x-forwarded-for': '127.0.0.1',
  })
  expect(headers).not.toHaveProperty('sec-websocket-key')
  expect(JSON.stringify(headers)).not.toMatch(/secret|operator/)
})

test('text, binary data, 16 MiB at once, pings and close codes pass unchanged', async () => {
  const { open } = await setUp()
  const socket = open()
  await once(socket, 'open')
  const answered = async (message: string | Buffer) => {
    const answer = new Promise<{ data: ws.RawData; isBinary: boolean }>((resolve) =>
      socket.once('message', (data, isBinary) => resolve({ data, isBinary })),
    )
    socket.send(message)
    return await answer
  }
  expect(await answered('Ærø')).toEqual({ data: Buffer.from('Ærø'), isBinary: false })
  const large = noise(16 * 1024 * 1024)
  const { data, isBinary } = await answered(large)
  expect([large.equals(data instanceof Buffer ? data : noise(0)), isBinary]).toEqual([true, true])
  const pong = once(socket, 'pong')
  socket.ping('are you there')
  expect(String((await pong)[0])).toBe('are you there')
  const closed = new Promise((resolve) =>
    socket.once('close', (code, reason) => resolve([code, String(reason)])),
  )
  socket.close(4321, 'enough')
  expect(await closed).toEqual([4321, 'enough'])
})

test('a service that opens no WebSocket may send any answer', async () => {
  const { open } = await setUp((stream) => {
    stream.respond({ ':status': 403, 'x-why': 'no members' })
    stream.end('members only')
  })
  const answer = await refusalOf(open())
  expect([answer.statusCode, answer.headers['x-why']]).toEqual([403, 'no members'])
  expect(await text(answer)).toBe('members only')
})

test('R7 a refusal that breaks off is cut, and nobody waits for the rest', async () => {
  const began = Promise.withResolvers<ServerHttp2Stream>()
  const { open } = await setUp((stream) => {
    stream.respond({ ':status': 403 })
    // More than anybody on the way takes for a visitor who does not read.
    stream.write(noise(32 * 1024 * 1024))
    began.resolve(stream)
  })
  const answer = await refusalOf(open())
  const stream = await began.promise
  await expect.poll(() => stream.writableLength > 0).toBe(true)
  stream.on('error', () => undefined).close(constants.NGHTTP2_INTERNAL_ERROR)
  await expect.poll(() => stream.destroyed).toBe(true)
  await expect(buffer(answer)).rejects.toThrow('aborted')
})

test('R7 a service that accepts a WebSocket just after it was given up opens none', async () => {
  const site = createServer()
  const visitor = connect(Number(new URL(await listen(site)).port), '127.0.0.1')
  const [socket]: Socket[] = await once(site, 'connection')
  const agent = createHttp2Server()
  const session = connectHttp2(await listen(agent))
  onTestFinished(() => {
    for (const one of [visitor, session]) one.destroy()
    for (const one of [site, agent]) one.close()
  })
  if (socket === undefined) throw new Error('nobody came')
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'tcp' })
  const request = new IncomingMessage(socket)
  request.headers['sec-websocket-key'] = 'AAAAAAAAAAAAAAAAAAAAAA=='
  const response = answerOn(request, socket)
  const begun = Promise.withResolvers<(why: 'stuck') => void>()
  forwardWebSocket({
    request,
    socket,
    head: Buffer.alloc(0),
    response,
    agent: { isOpen: true, takesConnect: true, request: () => stream },
    islandKey: 1,
    network: '203.0.113.7',
    headers: {},
    transfers: {
      begin: (options) => {
        begun.resolve(options.cut)
        return { mayRest: () => undefined, end: () => undefined }
      },
    },
    counts: new RelayCounts(),
    answerState: () => response.writeHead(504, { 'content-length': '0' }).end(),
  })
  const said = text(visitor)
  const cut = await begun.promise
  const finished = once(response, 'finish')
  cut('stuck')
  await finished
  stream.emit('response', { ':status': 200 })
  expect(await said).toMatch(/^HTTP\/1\.1 504 /)
})

test('a WebSocket that closes on one side closes on the other', async () => {
  const { open, opened } = await setUp()
  const one = open()
  await once(one, 'open')
  const other = open()
  await once(other, 'open')
  const [first, second] = opened
  const gone = once(first?.stream ?? one, 'close')
  one.terminate()
  await gone
  const closed = once(other, 'close')
  second?.stream.destroy(new Error('the service is gone'))
  expect((await closed)[0]).toBe(1006)
})

test('S57 a stricter access policy ends WebSockets within a second', async () => {
  const { open, host, island } = await setUp()
  const socket = open()
  await once(socket, 'open')
  const closed = once(socket, 'close')
  const startedMs = performance.now()
  await host.inject({
    method: 'POST',
    url: `/api/islands/${island.id}/publish`,
    payload: { access: 'members', isListed: false },
  })
  expect((await closed)[0]).toBe(1006)
  expect(performance.now() - startedMs).toBeLessThan(1000)
})

test('a WebSocket to an island without access or agent is refused as a request would be', async () => {
  const { open, host, agent, port } = await setUp()
  const elsewhere = new ws.WebSocket(`ws://127.0.0.1:${port}/`, {
    headers: { host: 'none.localhost' },
  })
  expect((await refusalOf(elsewhere)).statusCode).toBe(404)
  await host.inject({ method: 'POST', url: '/api/me/devices/tokens/renew' })
  await agent.closed
  expect((await refusalOf(open())).statusCode).toBe(503)
})

test('a handshake without a key gets 400', async () => {
  const { port, hostName } = await setUp()
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(
    `GET / HTTP/1.1\r\nHost: ${hostName}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  )
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
})
