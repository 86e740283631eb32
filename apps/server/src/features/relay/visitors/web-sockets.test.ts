import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import { connectAgent, noise, rawService, type OnRequest } from '../../../test/relay-agent.ts'
import { shareRelayApp } from '../../../test/relay-app.ts'
import type { FrameStream } from '../frames/frame-stream.ts'

interface Opened {
  readonly request: IncomingMessage
  readonly stream: Duplex
}

/** A service that accepts every WebSocket and echoes what it says, unless it does something else. */
async function setUp(
  instead: {
    readonly onUpgrade?: OnRequest
    readonly onStream?: (stream: FrameStream) => void
  } = {},
) {
  const relay = await shareRelayApp()
  const opened: Opened[] = []
  const echoes = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024 * 1024,
    handleProtocols: () => 'chat',
  })
  echoes
    .on('headers', (headers) => headers.push('Set-Cookie: a=b', 'X-Length: 1', 'Content-Length: 1'))
    .on('connection', (socket) =>
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    )
  const { onUpgrade, onStream } = instead
  const agent = await connectAgent(relay.url, relay.token, {
    onRequest: (request, response) => {
      if (request.headers.upgrade !== undefined) onUpgrade?.(request, response)
      else response.writeHead(204).end()
    },
    ...(onUpgrade === undefined && {
      onUpgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => {
        opened.push({ request, stream })
        echoes.handleUpgrade(request, stream, head, (socket) => echoes.emit('connection', socket))
      },
    }),
    ...(onStream && { onStream }),
  })
  await expect.poll(async () => (await relay.visit()).status).toBe(204)
  const open = (headers: Record<string, string> = {}, path = '/talk?a=b') => {
    const socket = new WebSocket(`ws://127.0.0.1:${relay.port}${path}`, 'chat', {
      headers: { host: relay.hostName, ...headers },
    })
    onTestFinished(() => socket.terminate())
    return socket
  }
  return { ...relay, agent, open, opened }
}

/** The answer that came instead of a WebSocket. */
const refusalOf = (socket: WebSocket) =>
  new Promise<IncomingMessage>((resolve) =>
    socket
      .on('error', () => undefined)
      .once('unexpected-response', (_request, answer) => resolve(answer)),
  )

const acceptOf = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

function agreement(accept: string): string {
  return `HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
}

const handshake = (path: string, host: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

test('[A10] [A17] a WebSocket is opened at the service with the visitor’s handshake', async () => {
  const { open, opened, hostName } = await setUp()
  const socket = open({
    cookie: 'astropelago_session=secret; a=1',
    origin: 'https://bar.islands.test',
    'astropelago-user': 'operator',
  })
  const isOpen = once(socket, 'open')
  const answer = await new Promise<IncomingMessage>((resolve) => socket.once('upgrade', resolve))
  await isOpen
  expect(socket.protocol).toBe('chat')
  expect(answer.headers).toMatchObject({ 'set-cookie': ['a=b'], 'x-length': '1' })
  expect(answer.headers).not.toHaveProperty('content-length')
  const { url, method, headers } = opened[0]?.request ?? {}
  expect([method, url]).toEqual(['GET', '/talk?a=b'])
  expect(headers).toMatchObject({
    host: hostName,
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-protocol': 'chat',
    'sec-websocket-key': expect.stringMatching(/^[\w+/]{22}==$/),
    'x-forwarded-for': '127.0.0.1',
    origin: 'https://bar.islands.test',
    cookie: 'a=1',
  })
  expect(JSON.stringify(headers)).not.toMatch(/secret|operator/)
})

test('[A17] text, binary data, 16 MiB at once, pings and close codes pass unchanged', async () => {
  const { open } = await setUp()
  const socket = open()
  await once(socket, 'open')
  const answered = async (message: string | Buffer) => {
    const answer = new Promise<{ data: RawData; isBinary: boolean }>((resolve) =>
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

test('[A17] what both sides say together with the handshake arrives', async () => {
  const { port, hostName } = await setUp({
    onStream: rawService(
      { '/early': (stream) => stream.on('data', (said) => stream.write(`heard ${String(said)}`)) },
      (head, stream) => {
        if (!head.startsWith('GET /early')) return
        const [, key = ''] = /^sec-websocket-key: (.+)$/im.exec(head) ?? []
        stream.write(`${agreement(acceptOf(key))}hello `)
      },
    ),
  })
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`${handshake('/early', hostName)}early`)
  let got = ''
  socket.on('data', (chunk) => (got += String(chunk)))
  await expect.poll(() => got).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nhello heard early$/)
})

test('[A17] a service that opens no WebSocket may send any answer', async () => {
  const { open } = await setUp({
    onUpgrade: (_request, response) =>
      response.writeHead(403, { 'x-why': 'no members' }).end('members only'),
  })
  const answer = await refusalOf(open())
  expect([answer.statusCode, answer.headers['x-why']]).toEqual([403, 'no members'])
  expect(await text(answer)).toBe('members only')
})

test.each([
  ['agrees to another key', agreement('AAAAAAAAAAAAAAAAAAAAAAAAAAA=')],
  ['agrees to no key', 'HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['says 101 and no protocol', 'HTTP/1.1 101 Go\r\n\r\n'],
])('[A17] a service that %s opens no WebSocket', async (_, answer) => {
  const { open, visit } = await setUp({ onStream: rawService({ '/liar': answer }) })
  const refusal = await refusalOf(open({}, '/liar'))
  expect(refusal.statusCode).toBe(502)
  expect(await text(refusal)).toContain('broke off')
  expect((await visit()).status).toBe(204)
})

test('R7 [A14] a refusal that breaks off is cut, and nobody waits for the rest', async () => {
  const began = Promise.withResolvers<ServerResponse>()
  const { open } = await setUp({
    onUpgrade: (_request, response) => {
      // More than anybody on the way takes for a visitor who does not read.
      response.writeHead(403).write(noise(32 * 1024 * 1024))
      began.resolve(response)
    },
  })
  const answer = await refusalOf(open())
  const { req } = await began.promise
  await expect.poll(() => req.socket.writableLength > 0).toBe(true)
  req.socket.destroy()
  await expect(buffer(answer)).rejects.toThrow('aborted')
})

test('[A14] [A15] [A17] a WebSocket that closes on one side closes on the other', async () => {
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
  second?.stream.destroy()
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
  const elsewhere = new WebSocket(`ws://127.0.0.1:${port}/`, {
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
