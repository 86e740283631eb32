import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listen, portOf } from '../test/listen.ts'
import { watchConnections } from './connections.ts'

/** More than the system takes off a server's hands. */
const answer = Buffer.alloc(32 * 1024 * 1024)
const times = { checkMs: 20, stuckChecks: 15 }
const stuckMs = times.checkMs * times.stuckChecks

async function setUp(maxConnections = Infinity, stuckChecks = times.stuckChecks) {
  const server = createServer((_request, response) => response.end(answer))
  watchConnections(server, { maxConnections: () => maxConnections }, undefined, {
    ...times,
    stuckChecks,
  })
  await listen(server)
  const port = portOf(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const count = () =>
    new Promise<number>((done, fail) => {
      server.getConnections((error, number) => (error === null ? done(number) : fail(error)))
    })
  return { open, count }
}

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('S48 a connection whose peer reads nothing is ended', async () => {
  const { open, count } = await setUp()
  const socket = await open()
  socket.pause()
  socket.write(request)
  await wait(stuckMs / 2)
  expect(await count()).toBe(1)
  await expect.poll(count, { timeout: 10_000 }).toBe(0)
})

test('S48 a slow reader gets the whole answer', async () => {
  const { open } = await setUp()
  const socket = await open()
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 1)
  })
  socket.write(request)
  await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(answer.length)
})

test('S48 past the bytes that may wait for an address, connections are ended', async () => {
  const { open, count } = await setUp(10, Infinity)
  for (let opened = 0; opened < 3; opened += 1) {
    const socket = await open()
    socket.pause()
    socket.write(request)
  }
  // Two such answers and their headers are more than may wait.
  await expect.poll(count, { timeout: 10_000 }).toBe(1)
  await wait(times.checkMs * 5)
  expect(await count()).toBe(1)
})

test('an idle connection stays', async () => {
  const { open, count } = await setUp()
  await open()
  await wait(stuckMs * 2)
  expect(await count()).toBe(1)
})

test('S48 an address has a limit of connections, and one that ends makes room', async () => {
  const { open, count } = await setUp(2)
  const [first] = [await open(), await open()]
  const third = await open()
  await once(third, 'close')
  expect(await count()).toBe(2)
  first.destroy()
  await expect.poll(count, { timeout: 10_000 }).toBe(1)
  await open()
  await wait(times.checkMs)
  expect(await count()).toBe(2)
})
