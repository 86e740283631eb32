import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import net, { type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { HomeService } from './testing/home-service.ts'
import { listen } from './testing/listen.ts'
import { ask, leave, open, readAnswer, RelayPeer } from './testing/relay-peer.ts'
import { runAgent, type RunningAgent } from './testing/run-agent.ts'

const { NGHTTP2_INTERNAL_ERROR } = http2.constants

let peer: RelayPeer
let service: HomeService
let webSockets: WebSocketServer
let tcpService: Server
let agent: RunningAgent
let session: ClientHttp2Session
/** Handlers for the next TCP connections. */
const tcpHandlers: ((socket: Socket) => void)[] = []

beforeAll(async () => {
  service = await HomeService.start()
  webSockets = new WebSocketServer({ server: service.server, handleProtocols: () => 'chat' })
  tcpService = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    tcpHandlers.shift()?.(socket)
  })
  const port = await listen(tcpService)
  peer = await RelayPeer.start()
  const to = ['--to', service.url, '--tcp', `localhost:${port}`]
  agent = await runAgent(['--server', peer.url, ...to])
  session = await peer.connected()
})

afterAll(async () => {
  await agent.stop()
  await peer.close()
  await service.close()
  tcpService.close()
})

const asWebSocket = {
  ':method': 'CONNECT',
  ':protocol': 'websocket',
  'sec-websocket-version': '13',
}

/** Opens a visitor’s WebSocket: answers its handshake and passes its bytes over a stream, as the server does. */
async function openWebSocket(): Promise<{ visitor: WebSocket; home: WebSocket }> {
  const door = http.createServer()
  door.on('upgrade', (request, socket) => {
    const stream = open(session, '/ws', asWebSocket)
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    stream.once('response', () => {
      socket.write(
        `HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      )
      socket.pipe(stream).pipe(socket)
    })
  })
  const port = await listen(door)
  onTestFinished(() => void door.close())
  const opened = nextAtHome()
  const visitor = new WebSocket(`ws://127.0.0.1:${port}/`)
  const [home] = await opened
  await once(visitor, 'open')
  return { visitor, home }
}

/** The next WebSocket that reaches the service, and its request. */
function nextAtHome(): Promise<readonly [WebSocket, IncomingMessage]> {
  return new Promise((resolve) =>
    webSockets.once('connection', (webSocket, request) => resolve([webSocket, request])),
  )
}

/** Resolves when the stream closes, with or without an error. */
function closing(stream: ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => stream.once('close', () => resolve()))
}

describe('a WebSocket', () => {
  test('[A17] is opened at the service with the agent’s own key, and its protocol is returned', async () => {
    const opened = nextAtHome()
    const stream = open(session, '/ws?a=b', {
      ...asWebSocket,
      'sec-websocket-protocol': 'chat, other',
      origin: 'https://bar.islands.test',
      cookie: 'a=1',
    })
    const [headers]: http2.IncomingHttpHeaders[] = await once(stream, 'response')
    expect(headers).toMatchObject({ ':status': 200, 'sec-websocket-protocol': 'chat' })
    expect(headers?.['sec-websocket-accept']).toBeUndefined()
    expect(headers?.['upgrade']).toBeUndefined()
    const [, request] = await opened
    expect(request).toMatchObject({
      url: '/ws?a=b',
      headers: { origin: 'https://bar.islands.test', cookie: 'a=1', host: 'bar.islands.test' },
    })
    leave(stream)
  })

  test('[A17] carries text, 16 MiB of bytes, pings and close codes', async () => {
    const { visitor, home } = await openWebSocket()
    home.on('message', (data: Buffer, isBinary) => home.send(data, { binary: isBinary }))
    visitor.send('grüße')
    const [said]: Buffer[] = await once(visitor, 'message')
    expect(said?.toString()).toBe('grüße')
    const bytes = randomBytes(16 * 2 ** 20)
    visitor.send(bytes)
    const [echoed]: Buffer[] = await once(visitor, 'message')
    expect(bytes.equals(echoed ?? Buffer.alloc(0))).toBe(true)
    visitor.ping('there?')
    const [pong]: Buffer[] = await once(visitor, 'pong')
    expect(pong?.toString()).toBe('there?')
    home.close(4001, 'enough')
    const [code, reason]: unknown[] = await once(visitor, 'close')
    expect([code, String(reason)]).toEqual([4001, 'enough'])
  })

  test('[A15] ends at the service when the visitor leaves', async () => {
    const opened = nextAtHome()
    const stream = open(session, '/ws', asWebSocket)
    const [home] = await opened
    await once(stream, 'response')
    leave(stream)
    const [code]: unknown[] = await once(home, 'close')
    // Cut, without a close frame.
    expect(code).toBe(1006)
  })

  test('[A14] is cut for the visitor when the service dies', async () => {
    const opened = nextAtHome()
    const stream = open(session, '/ws', asWebSocket)
    const [home] = await opened
    await once(stream, 'response')
    stream.resume()
    const closed = closing(stream)
    Reflect.get(home, '_socket').resetAndDestroy()
    await closed
    expect(stream.rstCode).toBe(NGHTTP2_INTERNAL_ERROR)
  })

  test('[A17] gets the service’s answer if the service does not upgrade', async () => {
    const own = await HomeService.start()
    const ownPeer = await RelayPeer.start()
    const running = await runAgent(['--server', ownPeer.url, '--to', own.url])
    onTestFinished(async () => {
      await running.stop()
      await ownPeer.close()
      await own.close()
    })
    const path = own.serve((_, response) => {
      response.writeHead(403, { 'X-Why': 'no' }).end('not here')
    })
    const answer = await ask(await ownPeer.connected(), path, asWebSocket)
    expect([answer.status, answer.headers['x-why'], answer.body.toString()]).toEqual([
      403,
      'no',
      'not here',
    ])
  })

  test('[A17] is a bad answer if the service answers with another key', async () => {
    const liar = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAA\r\n\r\n',
        ),
      )
    })
    const port = await listen(liar)
    const ownPeer = await RelayPeer.start()
    const running = await runAgent(['--server', ownPeer.url, '--to', `http://127.0.0.1:${port}`])
    onTestFinished(async () => {
      await running.stop()
      await ownPeer.close()
      liar.close()
    })
    const answer = await ask(await ownPeer.connected(), '/', asWebSocket)
    expect([answer.status, answer.headers['astropelago-relay-error']]).toEqual([502, 'bad-answer'])
  })
})

function connectTcp(): ClientHttp2Stream {
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'tcp' })
  stream.on('error', () => undefined)
  return stream
}

describe('plain TCP', () => {
  test('[A18] carries bytes both ways, and either side can end first', async () => {
    tcpHandlers.push((socket) => {
      const parts: Buffer[] = []
      socket.write('hello')
      socket.on('data', (part: Buffer) => parts.push(part))
      // Only when the visitor has sent everything.
      socket.on('end', () => socket.end(Buffer.concat(parts)))
    })
    const stream = connectTcp()
    const answer = readAnswer(stream)
    await once(stream, 'response')
    const bytes = randomBytes(4 * 2 ** 20)
    stream.end(bytes)
    const { status, body } = await answer
    expect(status).toBe(200)
    expect(body.subarray(0, 5).toString()).toBe('hello')
    expect(body.subarray(5).equals(bytes)).toBe(true)
  })

  test('[A14] is cut when the service resets its connection', async () => {
    tcpHandlers.push((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const stream = connectTcp()
    await once(stream, 'response')
    stream.write('x')
    stream.resume()
    await closing(stream)
    expect(stream.rstCode).toBe(NGHTTP2_INTERNAL_ERROR)
  })

  test('[A15] ends at the service when the visitor leaves', async () => {
    const sockets: Socket[] = []
    const closed = new Promise((resolve) => {
      tcpHandlers.push((socket) => {
        sockets.push(socket)
        socket.resume()
        socket.on('close', resolve)
        socket.on('end', () => socket.end())
      })
    })
    const stream = connectTcp()
    await once(stream, 'response')
    stream.destroy(new Error('left'))
    await closed
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  test('[A18] does not exist without --tcp, and is refused if nothing listens', async () => {
    const free = net.createServer()
    const port = await listen(free)
    free.close()
    await once(free, 'close')
    for (const [args, word] of [
      [['--to', service.url], 'no-tcp'],
      [['--tcp', `127.0.0.1:${port}`], 'refused'],
    ] as const) {
      const ownPeer = await RelayPeer.start()
      const running = await runAgent(['--server', ownPeer.url, ...args])
      onTestFinished(async () => {
        await running.stop()
        await ownPeer.close()
      })
      const stream = (await ownPeer.connected()).request({
        ':method': 'CONNECT',
        ':authority': 'tcp',
      })
      stream.on('error', () => undefined)
      const answer = await readAnswer(stream)
      expect([answer.status, answer.headers['astropelago-relay-error']]).toEqual([502, word])
    }
  })

  test('[A16] an agent with only --tcp refuses requests', async () => {
    const ownPeer = await RelayPeer.start()
    const running = await runAgent(['--server', ownPeer.url, '--tcp', 'localhost:1'])
    onTestFinished(async () => {
      await running.stop()
      await ownPeer.close()
    })
    const answer = await ask(await ownPeer.connected(), '/')
    expect([answer.status, answer.headers['astropelago-relay-error']]).toEqual([502, 'refused'])
  })
})
