import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { loungeSlug } from '@astropelago/contract/pages'
import { expect, onTestFinished, test, vi } from 'vitest'
import { signInOverHttp } from './test/http-client.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer } from './test/run-server.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const shutdownBudgetMs = 10_000

test('a server that node --watch restarts keeps its data and draws pictures', async () => {
  const { url } = await runServer({ dataDir: await makeTempDir(), isWatched: true })
  // If no picture can be drawn, the address redirects to the site's own.
  const picture = await fetch(new URL(`/islands/${loungeSlug}/picture.png`, url), {
    redirect: 'error',
  })
  expect(picture.headers.get('content-type')).toBe('image/png')
})

test('no other user of the machine can read the data folder or its files', async () => {
  const dataDir = join(await makeTempDir(), 'data')
  await runServer({ dataDir })
  const modes: Record<string, number> = {}
  for (const name of ['', ...(await readdir(dataDir))]) {
    modes[name] = (await stat(join(dataDir, name))).mode & 0o777
  }
  expect(modes).toMatchObject({ '': 0o700, 'astropelago.sqlite': 0o600 })
  expect(Object.values(modes).every((mode) => (mode & 0o077) === 0)).toBe(true)
})

test('S45 SIGTERM ends the server within 10 s despite idle connections, and accepted requests are answered', async () => {
  const dataDir = await makeTempDir()
  const server = await runServer({ dataDir })
  const client = await signInOverHttp(server.url, 'nova')
  const token = await client.createToken(await client.registerDevice())
  const idle = await open(server.url)
  idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(idle, 'data')
  await open(server.url)

  // The server has the heartbeat's head, but not its body yet.
  const busy = await open(server.url)
  busy.write(
    `POST /api/devices/heartbeat-token HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`,
  )
  const [goOn]: unknown[] = await once(busy, 'data')
  expect(String(goOn)).toMatch(/^HTTP\/1\.1 100 /)

  const stoppedMs = performance.now()
  const idleClosed = closed(idle)
  server.kill('SIGTERM')
  await idleClosed
  busy.write('{}')
  const [answer]: unknown[] = await once(busy, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 204 /)
  expect(await server.exited).toBe(0)
  expect(performance.now() - stoppedMs).toBeLessThan(shutdownBudgetMs)

  const next = await runServer({ dataDir })
  const [device] = await (await signInOverHttp(next.url, 'nova')).listOwnDevices()
  expect(device?.status).toBe('online')
})

test('S45 live feeds, read or not, receive the end and delay it by a second at most', async () => {
  const server = await runServer({ dataDir: await makeTempDir() })
  const stream = await open(server.url)
  stream.write('GET /api/devices/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const socket = await open(server.url)
  socket.write(
    'GET /api/devices/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n',
  )
  const [frames]: unknown[] = await once(socket, 'data')
  expect(String(frames)).toMatch(/^HTTP\/1\.1 101 /)
  let text = ''
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  while (!text.includes('data: []')) await once(stream, 'data')
  const stoppedMs = performance.now()
  // The WebSocket never answers the close frame, as if its network were gone.
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(performance.now() - stoppedMs).toBeLessThan(4000)
  expect(text).toMatch(/\r\n0\r\n\r\n$/)
})

test('S45 an unfinished request delays the end by 5 s at most', async () => {
  const server = await runServer({ dataDir: await makeTempDir() })
  const stalled = await open(server.url)
  stalled.write('POST /api/auth/demo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n')
  await open(server.url)
  const stoppedMs = performance.now()
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(performance.now() - stoppedMs).toBeLessThan(7000)
})

test('S20 the log of a real run holds no password, cookie or token', async () => {
  const server = await runServer({ dataDir: await makeTempDir() })
  const client = await signInOverHttp(server.url, 'nova')
  const token = await client.createToken(await client.registerDevice())
  await fetch(new URL(`/api/devices?token=${token}`, server.url))
  server.kill('SIGTERM')
  await server.exited
  expect(server.stdout()).toContain('token_created')
  expect(server.stdout()).not.toContain(token)
  expect(server.stdout()).not.toContain('correct horse battery')
  expect(server.stdout()).not.toMatch(/astropelago_session=|"cookie"|"authorization"/i)
})

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  // A server that cuts a connection may reset it. Only its being closed matters.
  socket.on('error', () => socket.destroy())
  return socket
}

function closed(socket: Socket): Promise<void> {
  return new Promise((done) => socket.once('close', () => done()))
}

test('a start on all addresses without PUBLIC_URL logs a warning', async () => {
  const server = await runServer({ dataDir: await makeTempDir(), env: { HOST: '0.0.0.0' } })
  expect(server.stdout()).toContain('PUBLIC_URL is not set')
  const named = await runServer({
    dataDir: await makeTempDir(),
    env: { HOST: '0.0.0.0', PUBLIC_URL: 'https://sky.example' },
  })
  expect(named.stdout()).not.toContain('PUBLIC_URL is not set')
})
