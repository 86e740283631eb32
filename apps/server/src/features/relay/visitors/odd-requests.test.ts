import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createTestToken, listOwnDevices, registerTestDevice } from '../../../test/api-devices.ts'
import { connectAgent } from '../../../test/relay-agent.ts'
import { shareRelayApp } from '../../../test/relay-app.ts'

/** A request as the service got it. */
interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A service that records its requests, and visitors who send arbitrary bytes. */
async function setUp() {
  const relay = await shareRelayApp()
  const seen: Seen[] = []
  await connectAgent(relay.url, relay.token, {
    onRequest: (request, response) => {
      const { method, url, headers } = request
      let body = ''
      request
        .on('data', (chunk) => (body += String(chunk)))
        .on('end', () => {
          seen.push({ method, url, headers, body })
          response.end()
        })
    },
  })
  await expect.poll(async () => (await relay.visit()).status).toBe(200)
  seen.length = 0
  /** Everything that arrives until the server ends the connection. */
  const say = async (bytes: string) => {
    const socket = connect(relay.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(bytes.replaceAll('{island}', relay.hostName).replaceAll('\n', '\r\n'))
    return await text(socket)
  }
  return { ...relay, seen, say }
}

const statuses = (answers: string) =>
  [...answers.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

const end = 'Connection: close\n'
const body = 'POST / HTTP/1.1\nHost: {island}\n'
const chunk = '5\nhello\n0\n\n'

const refused = [
  ['both lengths', `${body}Content-Length: 3\nTransfer-Encoding: chunked\n\n${chunk}`],
  [
    'both lengths, the other way',
    `${body}Transfer-Encoding: chunked\nContent-Length: 3\n\n${chunk}`,
  ],
  ['two lengths', `${body}Content-Length: 5\nContent-Length: 6\n\nhello!`],
  ['lengths in a list', `${body}Content-Length: 5, 6\n\nhello!`],
  ['a length with a sign', `${body}Content-Length: +5\n\nhello`],
  ['a length in hexadecimal', `${body}Content-Length: 0x5\n\nhello`],
  ['a length past all numbers', `${body}Content-Length: 99999999999999999999\n\nhello`],
  ['a space before the colon', `${body}Content-Length : 5\n\nhello`],
  ['chunks that are not last', `${body}Transfer-Encoding: chunked, gzip\n\n${chunk}`],
  ['another encoding', `${body}Transfer-Encoding: gzip\n\n${chunk}`],
  ['no encoding at all', `${body}Transfer-Encoding: identity\n\n${chunk}`],
  ['chunks of an odd size', `${body}Transfer-Encoding: chunked\n\n5x\nhello\n0\n\n`],
  ['chunks of a negative size', `${body}Transfer-Encoding: chunked\n\n-5\nhello\n0\n\n`],
  ['a folded header', `${body}X-Odd: a\n  b: c\nContent-Length: 0\n\n`],
  ['a null in a header', `${body}X-Odd: a\0b\nContent-Length: 0\n\n`],
  ['a target without a slash', 'GET index.html HTTP/1.1\nHost: {island}\n\n'],
  ['a target with a space', 'GET /a b HTTP/1.1\nHost: {island}\n\n'],
  ['a target of another scheme', `GET ftp://{island}/ HTTP/1.1\nHost: {island}\n${end}\n`],
] as const

test('R10 a request that could be read as two is refused, and its service sees none of it', async () => {
  const { say, seen } = await setUp()
  const answers: unknown[] = []
  for (const [what, bytes] of refused) answers.push([what, statuses(await say(bytes))])
  expect(answers).toEqual(refused.map(([what]) => [what, [400]]))
  expect(seen.filter((one) => one.body !== '')).toEqual([])
})

test('R10 no visitor can open a tunnel', async () => {
  const { say, seen } = await setUp()
  expect(statuses(await say(`CONNECT {island} HTTP/1.1\nHost: {island}\n\n`))).not.toContain(200)
  expect(seen).toEqual([])
})

const taken = [
  ['chunks in capitals', `${body}Transfer-Encoding: Chunked\n${end}\n${chunk}`, 'hello'],
  [
    'chunks with extensions',
    `${body}Transfer-Encoding: chunked\n${end}\n5;a=b\nhello\n0\n\n`,
    'hello',
  ],
  [
    'chunks of an upload that could become a WebSocket',
    `${body}Transfer-Encoding: chunked\nUpgrade: websocket\nConnection: close, upgrade\n\n${chunk}`,
    'hello',
  ],
  ['a length', `${body}Content-Length: 5\n${end}\nhello`, 'hello'],
  ['a length of nothing', `${body}Content-Length: 0\n${end}\n`, ''],
  ['no body', `${body}${end}\n`, ''],
  ['HTTP/1.0', `POST / HTTP/1.0\nHost: {island}\nContent-Length: 5\n\nhello`, 'hello'],
] as const

test('R10 [A11] a body is framed anew, however it arrived', async () => {
  const { say, seen } = await setUp()
  for (const [what, bytes, read] of taken) {
    seen.length = 0
    expect([what, statuses(await say(bytes))]).toEqual([what, [200]])
    expect(seen.map((one) => one.body)).toEqual([read])
    const { 'transfer-encoding': encoding, 'content-length': length } = seen[0]?.headers ?? {}
    const isChunked = what.startsWith('chunks')
    expect([encoding, length]).toEqual(
      isChunked ? ['chunked', undefined] : [undefined, String(read.length)],
    )
  }
})

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  'R10 R12 no body of %s becomes a request of its own, whatever `Connection` names',
  async (method) => {
    const { say, seen } = await setUp()
    const inner = 'GET /inner HTTP/1.1\r\nHost: a\r\nAstropelago-User: operator\r\n\r\n'
    const begin = `${method} / HTTP/1.1\nHost: {island}\nConnection: close, content-length, transfer-encoding\n`
    const length = `${begin}Content-Length: ${inner.length}\n\n`
    const chunked = `${begin}Transfer-Encoding: chunked\n\n${inner.length.toString(16)}\n`
    expect(statuses(await say(`${length}${inner.replaceAll('\r', '')}`))).toEqual([200])
    expect(statuses(await say(`${chunked}${inner.replaceAll('\r', '')}\n0\n\n`))).toEqual([200])
    expect(seen.map((one) => [one.method, one.url, one.body])).toEqual([
      [method, '/', inner],
      [method, '/', inner],
    ])
  },
)

test('R10 two slashes and what looks like a host in a path stay a path', async () => {
  const { say, seen, hostName } = await setUp()
  await say(`GET //evil.example/a?http://localhost/ HTTP/1.1\nHost: {island}\n${end}\n`)
  expect(seen[0]?.url).toBe('//evil.example/a?http://localhost/')
  expect(seen[0]?.headers.host).toBe(hostName)
})

test('R11 a body that looks like a request for another host stays a body', async () => {
  const { say, seen, host, device, slug } = await setUp()
  const reporting = await registerTestDevice(host)
  const { token } = await createTestToken(host, reporting.id)
  const heartbeat = `POST /api/devices/heartbeat-token HTTP/1.1\nHost: localhost\nAuthorization: Bearer ${token}\nContent-Length: 0\n${end}\n`
  const inner = heartbeat.replaceAll('\n', '\r\n')
  const long = (to: string) =>
    `POST / HTTP/1.1\nHost: ${to}\nContent-Length: ${inner.length}\n${end}\n${heartbeat}`
  // To an island, the inner request is a body for its service. To no island, nobody reads it.
  expect(statuses(await say(long('{island}')))).toEqual([200])
  expect(seen[0]?.body).toBe(inner)
  expect(statuses(await say(long('nobody.localhost').replace(end, '')))).toEqual([404])
  const statusOf = async () =>
    (await listOwnDevices(host)).find(({ id }) => id === reporting.id)?.status
  expect(await statusOf()).toBe('unknown')
  // To the site, no island sees it.
  seen.length = 0
  const visit = `GET /inner HTTP/1.1\nHost: ${slug}.localhost\n\n`
  await say(
    `POST /api/devices/heartbeat-token HTTP/1.1\nHost: localhost\nContent-Length: ${visit.length + 3}\n${end}\n${visit}`,
  )
  expect(seen).toEqual([])
  expect(device.id).not.toBe(reporting.id)
})

test('R12 no visitor can identify themselves, however often and in whatever letters', async () => {
  const { say, seen } = await setUp()
  const forged = [
    'Astropelago-User: operator',
    'ASTROPELAGO-USER: operator',
    'Astropelago_User: operator',
    'astropelago-name: operator',
    'X-Forwarded-For: operator',
    'X-Forwarded-For: operator',
    'X_Forwarded_For: operator',
    'X-Forwarded_Proto: operator',
    'X-Forwarded-Host: operator',
    'Forwarded: for=operator',
    'X-Real-IP: operator',
    'Cookie: astropelago_session=operator',
    'Cookie: __Host-astropelago_session=operator; theme=dark',
  ]
  await say(`GET / HTTP/1.1\nHost: {island}\n${forged.join('\n')}\n${end}\n`)
  expect(JSON.stringify(seen)).not.toContain('operator')
  expect(seen[0]?.headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    cookie: 'theme=dark',
  })
  // Naming a header of the relay in `Connection` does not remove it.
  seen.length = 0
  await say(`GET / HTTP/1.1\nHost: {island}\nConnection: close, X-Forwarded-For, Host\n\n`)
  expect(seen[0]?.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1' })
})

test('R54 uploads in pieces of one byte that no service reads are cut, by what they take of memory', async () => {
  const relay = await shareRelayApp()
  await connectAgent(relay.url, relay.token, {
    onRequest: (request, response) => {
      if (request.method === 'POST') request.pause()
      else response.end()
    },
  })
  await expect.poll(async () => (await relay.visit()).status).toBe(200)
  const head = `POST / HTTP/1.1\r\nHost: ${relay.hostName}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunks = '1\r\nx\r\n'.repeat(120_000)
  const answers: string[] = []
  // One takes up to 30 MB, and a network may have 64 MB.
  for (let count = 0; count < 4; count += 1) {
    const socket = connect(relay.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => answers.push(String(bytes).split('\r\n', 1)[0] ?? ''))
    socket.write(head + chunks)
  }
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(answers.every((line) => /^HTTP\/1\.1 (?:408|504) /.test(line))).toBe(true)
  expect((await relay.visit()).status).toBe(200)
})
