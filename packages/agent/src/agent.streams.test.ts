import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net, { type Server, type Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listen } from './testing/listen.ts'
import { types } from './testing/frames.ts'
import { ownCertificate } from './testing/own-certificate.ts'
import type { PeerSession } from './testing/peer-session.ts'
import { RelayPeer } from './testing/relay-peer.ts'
import { agentNode, runAgent, type RunningAgent } from './testing/run-agent.ts'

let peer: RelayPeer
let service: Server
let agent: RunningAgent
let session: PeerSession
/** Handlers for the next connections to the service. */
const handlers: ((socket: Socket) => void)[] = []

beforeAll(async () => {
  service = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    handlers.shift()?.(socket)
  })
  const port = await listen(service)
  peer = await RelayPeer.start()
  const to = ['--to', `http://localhost:${port}`, '--tcp', `localhost:${port}`]
  agent = await runAgent(['--server', peer.url, ...to])
  session = await peer.connected()
})

afterAll(async () => {
  await agent.stop()
  await peer.close()
  service.close()
})

/** A stream, and the service's end of its connection. */
async function connect(window?: number) {
  const taken = new Promise<Socket>((resolve) => handlers.push(resolve))
  const stream = session.openStream('tcp', window)
  return { stream, socket: await taken }
}

async function start(...args: string[]): Promise<{ own: PeerSession; running: RunningAgent }> {
  const ownPeer = await RelayPeer.start()
  const running = await runAgent(['--server', ownPeer.url, ...args])
  onTestFinished(async () => {
    await running.stop()
    await ownPeer.close()
  })
  return { own: await ownPeer.connected(), running }
}

/** The word with which a new stream is reset. */
async function wordOf(own: PeerSession, kind: 'http' | 'tcp' = 'http') {
  const stream = own.openStream(kind)
  await once(stream, 'close')
  return stream.word
}

function sayHi(socket: Socket): void {
  socket.on('error', () => undefined).end('hi')
}

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const free = net.createServer()
  const port = await listen(free)
  free.close()
  await once(free, 'close')
  return port
}

describe.each(['http', 'tcp'] as const)('a stream of the kind %s', (kind) => {
  test('[A10] [A18] [F1] carries bytes both ways, and either side can end first', async () => {
    handlers.push((socket) => {
      const parts: Buffer[] = []
      socket.write('hello')
      socket.on('data', (part: Buffer) => parts.push(part))
      // Only when the visitor has sent everything.
      socket.on('end', () => socket.end(Buffer.concat(parts)))
    })
    const stream = session.openStream(kind)
    const answer = buffer(stream)
    const bytes = randomBytes(4 * 2 ** 20)
    stream.end(bytes)
    const all = await answer
    expect(all.subarray(0, 5).toString()).toBe('hello')
    expect(all.subarray(5).equals(bytes)).toBe(true)
  })
})

test('[F4] a service that ends first still gets what the visitor sends', async () => {
  const { stream, socket } = await connect()
  socket.end('bye')
  stream.resume()
  await once(stream, 'end')
  const received = text(socket)
  stream.end('and more')
  expect(await received).toBe('and more')
})

test('[A18] each part arrives before the next one is sent', async () => {
  const { stream, socket } = await connect()
  socket.pipe(socket)
  for (const part of ['one', 'two', 'three']) {
    stream.write(part)
    const [echo]: Buffer[] = await once(stream, 'data')
    expect(echo?.toString()).toBe(part)
  }
  stream.destroy()
})

test('[F3] bytes before OPENED reach the service, also if it can only be reached later', async () => {
  const received = new Promise<string>((resolve) =>
    handlers.push((socket) => socket.once('data', (part) => resolve(part.toString()))),
  )
  const id = session.nextId()
  session.write(types.open, id, Buffer.concat([Buffer.alloc(4), Buffer.from('tcp')]))
  session.write(types.data, id, 'early')
  expect(await received).toBe('early')
  session.write(types.reset, id)
})

describe('the end of a stream', () => {
  test('[A14] is a reset if the service cuts its connection', async () => {
    const { stream, socket } = await connect()
    stream.resume()
    const closed = once(stream, 'close')
    stream.write('x')
    await once(socket, 'data')
    socket.resetAndDestroy()
    await closed
    expect([stream.word, stream.readableEnded]).toEqual(['reset', false])
  })

  test('[A15] is a cut for the service if the visitor leaves, and never looks complete', async () => {
    const { stream, socket } = await connect()
    let isWhole = false
    socket.on('end', () => (isWhole = true)).resume()
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.on('error', resolve))
    stream.write('half')
    await once(socket, 'data')
    stream.destroy()
    expect((await failed).code).toBe('ECONNRESET')
    expect(isWhole).toBe(false)
  })

  test('[A15] is a cut for the service if the connection to the server is lost', async () => {
    const { promise: code, resolve } = Promise.withResolvers<string | undefined>()
    const home = net.createServer((socket) => {
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).resume()
    })
    onTestFinished(() => void home.close())
    const { own } = await start('--tcp', `127.0.0.1:${await listen(home)}`)
    await own.openStream('tcp').opened
    own.wire.destroy()
    expect(await code).toBe('ECONNRESET')
  })

  test('[F4] RESET is answered with RESET, unless END or RESET was sent', async () => {
    const { stream } = await connect()
    await stream.opened
    stream.destroy()
    const answer = await session.next(({ type, id }) => type === types.reset && id === stream.id)
    expect(answer.payload.length).toBe(0)
    const ended = await connect()
    ended.socket.end()
    await session.next(({ type, id }) => type === types.end && id === ended.stream.id)
    ended.stream.destroy()
    const refused = session.nextId()
    session.write(types.open, refused, Buffer.concat([Buffer.alloc(4), Buffer.from('gopher')]))
    await session.next(({ type, id }) => type === types.reset && id === refused)
    session.write(types.reset, refused)
    await session.ping()
    const resets = session.frames.filter(({ type }) => type === types.reset).map(({ id }) => id)
    expect(resets.filter((id) => id === ended.stream.id)).toEqual([])
    expect(resets.filter((id) => id === refused)).toEqual([refused])
  })

  test('[F4] what arrives after its own RESET is ignored, and gets no credit', async () => {
    const id = session.nextId()
    session.write(types.open, id, Buffer.concat([Buffer.alloc(4), Buffer.from('none')]))
    for (let at = 0; at < 8; at += 1) session.write(types.data, id, Buffer.alloc(16_384))
    session.write(types.credit, id, Buffer.alloc(4, 0xff))
    session.write(types.end, id)
    // Both are over now, and these may have been on their way.
    session.write(types.credit, id, Buffer.alloc(4))
    session.write(types.reset, id)
    await session.ping()
    expect(session.frames.filter((frame) => frame.id === id).map(({ type }) => type)).toEqual([
      types.reset,
    ])
  })
})

describe('[F3] a slow', () => {
  test('R48 visitor stops the service, and delays no other stream', async () => {
    const { stream, socket } = await connect()
    stream.pause()
    let written = 0
    const chunk = Buffer.alloc(64 * 1024)
    await new Promise<void>((resolve) => {
      const write = () => {
        while (written < 2 ** 28) {
          written += chunk.length
          if (socket.write(chunk)) continue
          const timer = setTimeout(resolve, 500)
          socket.once('drain', () => {
            clearTimeout(timer)
            write()
          })
          return
        }
        resolve()
      }
      write()
    })
    // A window, and the buffers of sockets.
    expect(written).toBeLessThan(2 ** 24)
    const other = await connect()
    other.socket.pipe(other.socket)
    other.stream.write('other')
    const [echo]: Buffer[] = await once(other.stream, 'data')
    expect(echo?.toString()).toBe('other')
    other.stream.destroy()
    stream.destroy()
  })

  test('R48 service gets one window, and the others continue', async () => {
    const before = await memoryOf(agent)
    const many = await Promise.all(Array.from({ length: 64 }, () => connect()))
    for (const { stream, socket } of many) {
      socket.pause()
      stream.write(Buffer.alloc(16 * 2 ** 20))
    }
    const { stream, socket } = await connect()
    socket.pipe(socket)
    const bytes = randomBytes(2 ** 21)
    stream.end(bytes)
    expect((await buffer(stream)).equals(bytes)).toBe(true)
    // All windows together, and what sockets hold.
    expect((await memoryOf(agent)) - before).toBeLessThan(96 * 2 ** 20)
    for (const each of many) each.stream.destroy()
  })

  test('service that reads again gets all of it', async () => {
    const { stream, socket } = await connect()
    socket.pause()
    const bytes = randomBytes(8 * 2 ** 20)
    stream.end(bytes)
    await stream.opened
    while (stream.credit > 0) await session.ping()
    expect((await buffer(socket)).equals(bytes)).toBe(true)
    socket.end()
  })
})

/** The resident memory of a running agent in bytes. */
async function memoryOf({ pid }: RunningAgent): Promise<number> {
  const [, kib = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

test('R48 bytes that come one by one reach a slow service in order', async () => {
  const { stream, socket } = await connect()
  socket.pause()
  const letters = Array.from({ length: 60_000 }, (_, at) => String(at % 10)).join('')
  for (const letter of letters) stream.write(letter)
  stream.end()
  // The first ones fill what the system buffers for a service that does not read.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await text(socket)).toBe(letters)
  socket.end()
})

test('[F3] the agent sends no more than its credit', async () => {
  const taken = new Promise<Socket>((resolve) => handlers.push(resolve))
  const id = session.nextId()
  const credit = Buffer.alloc(4)
  credit.writeUInt32BE(1000)
  session.write(types.open, id, Buffer.concat([credit, Buffer.from('tcp')]))
  const socket = await taken
  socket.end(Buffer.alloc(50_000))
  const got = () =>
    session.frames
      .filter((frame) => frame.id === id && frame.type === types.data)
      .reduce((sum, { payload }) => sum + payload.length, 0)
  await expect.poll(got).toBe(1000)
  await session.ping()
  expect(got()).toBe(1000)
  credit.writeUInt32BE(60_000)
  session.write(types.credit, id, credit)
  await session.next((frame) => frame.id === id && frame.type === types.end)
  expect(got()).toBe(50_000)
  expect(Math.max(...session.frames.map(({ payload }) => payload.length))).toBe(16_384)
  session.write(types.end, id)
})

test('[F3] a window grows while it is used, and windows stay below 16 MiB together', async () => {
  const home = net.createServer((socket) => socket.on('error', () => undefined).resume())
  onTestFinished(() => void home.close())
  const { own } = await start('--tcp', `127.0.0.1:${await listen(home)}`)
  const first = own.openStream('tcp')
  await first.opened
  expect(first.credit).toBe(64 * 1024)
  await new Promise((resolve) => first.write(Buffer.alloc(2 ** 23), resolve))
  await own.ping()
  await expect.poll(() => first.credit).toBeGreaterThan(256 * 1024)
  expect(first.credit).toBeLessThanOrEqual(512 * 1024)
  const streams = Array.from({ length: 400 }, () => own.openStream('tcp'))
  await Promise.all(streams.map(({ opened }) => opened))
  const windows = streams.map(({ credit }) => credit)
  expect(new Set(windows)).toEqual(new Set([64 * 1024, 16 * 1024]))
  expect(
    windows.filter((credit) => credit > 16 * 1024).reduce((sum, each) => sum + each, 0),
  ).toBeLessThan(16 * 2 ** 20)
  // They are free again.
  for (const stream of streams) stream.destroy()
  await own.ping()
  const last = own.openStream('tcp')
  await last.opened
  expect(last.credit).toBe(64 * 1024)
})

test('[F6] streams that send at the same time get equal shares', async () => {
  const pairs = await Promise.all(Array.from({ length: 4 }, () => connect(2 ** 24)))
  session.wire.pause()
  for (const { socket } of pairs) socket.write(Buffer.alloc(2 ** 23))
  // Until the connection takes no more. What it took before that is not shared.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const from = session.frames.length
  session.wire.resume()
  const sent = () => session.frames.slice(from).filter(({ type }) => type === types.data)
  await expect.poll(() => sent().length).toBeGreaterThan(2000)
  const some = sent().slice(1024, 1536)
  const shares = pairs.map(({ stream }) => some.filter(({ id }) => id === stream.id).length)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(128)
  for (const { stream } of pairs) stream.destroy()
})

test('R48 [F2] 2,048 streams are carried at a time', async () => {
  const home = net.createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  onTestFinished(() => void home.close())
  const { own } = await start('--tcp', `127.0.0.1:${await listen(home)}`)
  const streams = Array.from({ length: 2048 }, () => own.openStream('tcp'))
  for (const stream of streams) stream.end(`number ${stream.id}`)
  const answers = await Promise.all(streams.map((stream) => text(stream)))
  expect(answers).toEqual(streams.map(({ id }) => `number ${id}`))
  expect(own.isClosed).toBe(false)
})

describe('[A16] a service that', () => {
  test('does not run is refused, and the log has a line at each change', async () => {
    const port = await freePort()
    const { own, running } = await start('--to', String(port))
    for (let at = 0; at < 3; at += 1) expect(await wordOf(own)).toBe('refused')
    const back = net.createServer(sayHi)
    back.listen(port, '127.0.0.1')
    await once(back, 'listening')
    onTestFinished(() => void back.close())
    for (let at = 0; at < 3; at += 1) expect(await text(own.openStream('http'))).toBe('hi')
    await running.says(/ answers again$/)
    expect(running.lines().filter((line) => line.startsWith('http:'))).toEqual([
      `http://localhost:${port} can't be reached: nothing listens there (ECONNREFUSED)`,
      `http://localhost:${port} answers again`,
    ])
  })

  test('nobody can find is refused', async () => {
    const { own } = await start('--to', 'http://nowhere.invalid')
    expect(await wordOf(own)).toBe('refused')
  })

  test('accepts no connection for 10 s is a timeout', async () => {
    const mute = net.createServer((socket) => socket.on('error', () => undefined))
    onTestFinished(() => void mute.close())
    const port = await listen(mute)
    const ownPeer = await RelayPeer.start({ pingMs: 100 })
    // It accepts TCP, and never answers the handshake of TLS.
    const running = await runAgent(['--server', ownPeer.url, '--to', `https://localhost:${port}`], {
      speed: 20,
    })
    onTestFinished(async () => {
      await running.stop()
      await ownPeer.close()
    })
    expect(await wordOf(await ownPeer.connected())).toBe('timeout')
    await running.says(/can't be reached: no answer in time \(ETIMEDOUT\)$/)
  })

  test('is missing: no --tcp, no --to, or another kind', async () => {
    const web = await start('--to', '1')
    expect(await wordOf(web.own, 'tcp')).toBe('no-tcp')
    const tcp = await start('--tcp', 'localhost:1')
    expect(await wordOf(tcp.own)).toBe('refused')
  })

  test.each([
    ['127.0.0.1', 'localhost'],
    ['::1', '[::1]'],
  ])('[A10] listens only at %s is found as %s', async (host, name) => {
    const home = net.createServer(sayHi)
    onTestFinished(() => void home.close())
    const { own } = await start('--to', `http://${name}:${await listen(home, host)}`)
    expect(await text(own.openStream('http'))).toBe('hi')
  })
})

/** Node 18.13 has no TLS sessions if it tries several addresses. */
const forgetsSessions = execFileSync(agentNode, ['--version']).toString().startsWith('v18.13')

/** A service that answers with the name and the protocol that it was asked for. */
async function startTls(host?: string): Promise<number> {
  const home = tls.createServer({ ...ownCertificate(), ALPNProtocols: ['http/1.1'] }, (socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      const { servername, alpnProtocol } = socket
      socket.end(
        JSON.stringify([servername, alpnProtocol, data.toString(), socket.isSessionReused()]),
      )
    })
  })
  onTestFinished(() => void home.close())
  return await listen(home, host)
}

describe('[A10] a service with TLS', () => {
  test('on this machine may have any certificate', async () => {
    const { own } = await start('--to', `https://localhost:${await startTls()}`)
    for (const isSecond of [false, true]) {
      const stream = own.openStream('http')
      stream.write('early')
      const isResumed = isSecond && !forgetsSessions
      expect(JSON.parse(await text(stream))).toEqual(['localhost', 'http/1.1', 'early', isResumed])
    }
  })

  test('elsewhere needs a valid one', async () => {
    // An address that does not look like loopback, as if it were another machine's.
    const port = await startTls('::')
    const { own, running } = await start('--to', `https://[::ffff:127.0.0.1]:${port}`)
    expect(await wordOf(own)).toBe('reset')
    await running.says(/can't be reached: its certificate is self-signed/)
  })

  test('is a reset if there is no TLS', async () => {
    const plain = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    onTestFinished(() => void plain.close())
    const { own } = await start('--to', `https://localhost:${await listen(plain)}`)
    expect(await wordOf(own)).toBe('reset')
  })
})
