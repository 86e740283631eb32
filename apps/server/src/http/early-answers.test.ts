import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../test/create-test-app.ts'
import { listen, portOf } from '../test/listen.ts'
import { EarlyAnswers, type OtherHosts, siteAlone } from './early-answers.ts'

const checkMs = 20
const requestMs = 100
const keepAliveMs = 100
const times = {
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: checkMs,
}
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A server as short of patience as a test needs. */
async function listenWith(answer: (response: ServerResponse) => void) {
  const early = new EarlyAnswers(times, ({ headers }) => headers.host === 'elsewhere')
  const server = early.serverFactory((_request, response) => answer(response))
  await listen(server)
  onTestFinished(() => void server.close())
  return portOf(server)
}

/** Returns all that it sends until it hangs up. */
async function setUp() {
  const port = await listenWith((response) => response.end('answer'))
  return async (write: (send: (text: string) => void) => void) => {
    const socket = connect(port)
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    write((text) => socket.write(text))
    // What is sent after the cut is refused: that is no error here.
    await new Promise<void>((closed) => {
      socket.on('error', () => undefined).on('close', () => closed())
    })
    return received
  }
}

const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab'

test.each([
  ['says nothing', '', /^HTTP\/1.1 408 /],
  ['never ends its headers', 'GET / HTTP/1.1\r\nHost: loc', /^HTTP\/1.1 408 /],
  ['never ends its body, after its answer', post, /^HTTP\/1.1 200 OK[^]*answer/],
])('S37 a connection that %s is cut', async (_, text, answer) => {
  const talk = await setUp()
  expect(await talk((send) => send(text))).toMatch(answer)
})

test('S37 slow requests are cut, however many there are', async () => {
  const talk = await setUp()
  const answer = await talk((send) => {
    send('GET / HTTP/1.1\r\n')
    const drops = setInterval(() => send('X-Drop: 1\r\n'), checkMs)
    onTestFinished(() => clearInterval(drops))
  })
  expect(answer).toMatch(/^HTTP\/1.1 408 /)
})

test('S37 a slow body for another host is cut, however steadily it arrives', async () => {
  const talk = await setUp()
  const answer = await talk((send) => {
    send('POST / HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 5000\r\n\r\n')
    const drops = setInterval(() => send('x'), checkMs)
    onTestFinished(() => clearInterval(drops))
  })
  expect(answer).toMatch(/^HTTP\/1.1 421 /)
})

test('R1 islands and other servers get their upgrades at any host', async () => {
  const early = new EarlyAnswers(times, () => true)
  const others: OtherHosts = {
    ...siteAlone,
    takes: () => true,
    isUpgrade: () => true,
    upgrade: (_request, socket) => void socket.end('theirs'),
  }
  early.serveHosts(others, (_request, socket) => void socket.end('the site’s'))
  const server = early.serverFactory((_request, response) => response.end('the site’s'))
  await listen(server)
  onTestFinished(() => void server.close())
  const socket = connect(portOf(server), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: elsewhere\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  expect(String(await once(socket, 'data'))).toBe('theirs')
})

test('S37 an answered connection that stays silent is cut', async () => {
  const talk = await setUp()
  expect(await talk((send) => send(request))).toMatch(/^HTTP\/1.1 200 OK[^]*answer/)
})

test.each([
  ['16 requests in one packet are all answered', 16, 16],
  ['S48 of more than 16 none is begun after the 16th, and the connection ends', 1000, 0],
])('%s', async (_, requests, answers) => {
  let begun = 0
  const { stackTraceLimit } = Error
  const port = await listenWith((response) => {
    begun += 1
    setImmediate(() => response.end('answer'))
  })
  const socket = connect(port)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.end(request.repeat(requests))
  await new Promise<void>((closed) => {
    socket.on('error', () => undefined).on('close', () => closed())
  })
  expect(begun).toBe(16)
  expect(received.split('answer')).toHaveLength(answers + 1)
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
})

test('nothing is answered early while memory may be outdated', async () => {
  const early = new EarlyAnswers(times)
  const server = early.serverFactory((_request, response) => response.end('as usual'))
  let isCurrent = true
  early.start(
    () => isCurrent,
    (_request, response) => {
      response.end('early')
      return true
    },
  )
  const url = await listen(server)
  onTestFinished(() => void server.close())
  const read = async () => (await fetch(url)).text()
  expect(await read()).toBe('early')
  isCurrent = false
  expect(await read()).toBe('as usual')
})

test('S37 the server sets these limits', async () => {
  const { app } = await createTestApp()
  await app.listen({ port: 0 })
  expect(app.server).toMatchObject({
    // Not Node's: on hosts of islands a body takes its time, on the site's own `SlowBodies` cuts it.
    requestTimeout: 0,
    headersTimeout: 30_000,
    keepAliveTimeout: 65_000,
  })
})
