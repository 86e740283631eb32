import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { createTestApp, shareTestApp, type TestApp } from '../../test/create-test-app.ts'
import { readEvents } from './testing/test-reader.ts'

const upgradeHeaders = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
}

const publicUrl = 'https://sky.localhost'
const options = { config: { publicUrl } }

/** The server on a real socket: the feed never ends, so it can't be injected. */
async function setUp(made = shareTestApp(options)) {
  const testApp = await made
  const { app } = testApp
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(app.listeningOrigin).port)

  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false })
    onTestFinished(() => void sent.destroy())
    // A shutdown of the server is no failure here.
    sent.on('error', () => sent.destroy())
    sent.end()
    const answer = await Promise.race([once(sent, 'response'), once(sent, 'upgrade')])
    const [response]: IncomingMessage[] = answer
    if (response === undefined) throw new Error('There was no answer')
    return { response, close: () => void response.socket.destroy(), ...reading(response) }
  }
  const openSocket = async (path: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
    onTestFinished(() => socket.close())
    const messages: string[] = []
    const closed = new Promise<CloseEvent>((done) => {
      socket.addEventListener('close', done)
    })
    const arrived = new EventTarget()
    socket.addEventListener('message', ({ data }) => {
      messages.push(String(data))
      arrived.dispatchEvent(new Event('message'))
    })
    const count = async (wanted: number) => {
      while (messages.length < wanted) await once(arrived, 'message')
      return messages.map((text): unknown => JSON.parse(text))
    }
    await once(socket, 'open')
    return { socket, closed, count }
  }
  return { ...testApp, port, get, openSocket }
}

function reading(response: IncomingMessage) {
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const read = async (wanted: number) => {
    while (readEvents(text).length < wanted) await once(response, 'data')
    return readEvents(text)
  }
  const rest = async () => {
    if (!response.readableEnded) await once(response, 'end')
    return text
  }
  return { read, rest }
}

/** The sequence that the list has now. Within a second, the server would answer with the previous list. */
async function sequenceOf({ inject, clock }: Pick<TestApp, 'inject' | 'clock'>) {
  clock.move(1000)
  const { headers } = await inject({ url: '/api/devices' })
  return String(headers['etag']).slice(1, -1)
}

test('[P7] the stream has a message for a new device, a flip, a change and a deletion', async () => {
  const feedApp = await setUp(createTestApp(options))
  const owner = await feedApp.signUp()
  const { read } = await feedApp.get(`/api/devices/stream?since=${await sequenceOf(feedApp)}`)
  const { id } = await registerTestDevice(owner)
  await read(1)
  const { token } = await createTestToken(owner, id)
  await sendHeartbeat(feedApp, token)
  await read(2)
  const url = `/api/devices/${id}`
  await owner.inject({ method: 'PATCH', url, payload: { label: 'Roof' } })
  await read(3)
  await owner.inject({ method: 'DELETE', url })
  const received = await read(4)
  const epoch = received[0]?.sequence?.slice(0, -2)
  const payload = { id, label: 'Pi', lat: 1.5, lon: -2.5, link: null }
  expect(received.map(({ message }) => message)).toEqual([
    { type: 'device', payload: { ...payload, status: 'unknown' }, sequence: `${epoch}-1` },
    { type: 'device', payload: { ...payload, status: 'online' }, sequence: `${epoch}-2` },
    {
      type: 'device',
      payload: { ...payload, label: 'Roof', status: 'online' },
      sequence: `${epoch}-3`,
    },
    { type: 'device-removed', payload: { id }, sequence: `${epoch}-4` },
  ])
})

test('[P7] without a sequence the first message is the list; private devices appear in neither', async () => {
  const feedApp = await setUp(createTestApp(options))
  const owner = await feedApp.signUp()
  const { id } = await registerTestDevice(owner)
  const { id: privateId } = await registerTestDevice(owner, { visibility: 'private' })
  const { token } = await createTestToken(owner, privateId)
  const stream = await feedApp.get('/api/devices/stream')
  const socket = await feedApp.openSocket('/api/devices/live')
  const [list] = await stream.read(1)
  expect(list?.message).toMatchObject([{ id }])
  expect(list?.sequence).toBe(await sequenceOf(feedApp))
  expect(await socket.count(1)).toMatchObject([[{ id }]])
  await sendHeartbeat(feedApp, token)
  await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Roof' } })
  const [, next] = await stream.read(2)
  expect(next?.message).toMatchObject({ type: 'device', payload: { id, label: 'Roof' } })
  expect((await socket.count(2))[1]).toEqual(next?.message)
})

test('[P8] a place made coarser is sent as such, and the exact one never again', async () => {
  const feedApp = await setUp()
  const owner = await feedApp.signUp()
  const exact = { lat: 52.5212, lon: 13.4264 }
  const before = await sequenceOf(feedApp)
  const stream = await feedApp.get(`/api/devices/stream?since=${before}`)
  const socket = await feedApp.openSocket(`/api/devices/live?since=${before}`)
  const { id } = await registerTestDevice(owner, exact)
  const url = `/api/devices/${id}`
  const [first] = await stream.read(1)
  expect(first?.message).toMatchObject({ payload: { id, ...exact } })
  await owner.inject({ method: 'PATCH', url, payload: { precision: 'km10' } })
  const [, told] = await stream.read(2)
  expect(told?.message).toMatchObject({ payload: { id, lat: 52.55, lon: 13.49 } })
  expect((await socket.count(2))[1]).toEqual(told?.message)

  const late = await feedApp.get(`/api/devices/stream?since=${before}`)
  const received = await late.read(1)
  expect(received.map(({ message }) => message)).toEqual([told?.message])
})

test('[P7] Last-Event-ID counts before since, as browsers keep the address when they reconnect', async () => {
  const feedApp = await setUp(createTestApp(options))
  const owner = await feedApp.signUp()
  await registerTestDevice(owner)
  const { read, close } = await feedApp.get('/api/devices/stream')
  const [list] = await read(1)
  await registerTestDevice(owner, { label: 'Second' })
  const [, second] = await read(2)
  close()
  await registerTestDevice(owner, { label: 'Third' })
  const again = await feedApp.get(`/api/devices/stream?since=${list?.sequence}`, {
    'last-event-id': second?.sequence ?? '',
  })
  const received = await again.read(1)
  expect(received.map(({ message }) => message)).toMatchObject([{ payload: { label: 'Third' } }])
})

test('[P7] an unknown sequence gets reload, and the connection ends', async () => {
  const { get, openSocket } = await setUp()
  const { rest } = await get('/api/devices/stream?since=other-1')
  expect(await rest()).toBe('retry: 3000\n\ndata: {"type":"reload"}\n\n')
  const { count, closed } = await openSocket('/api/devices/live?since=other-1')
  expect(await count(1)).toEqual([{ type: 'reload' }])
  expect(await closed).toMatchObject({ code: 1000, reason: 'reload' })
})

test('S26 S30 the stream has the headers of every answer, and no cache or proxy holds it up', async () => {
  const { get, inject } = await setUp()
  const { response, read } = await get('/api/devices/stream')
  await read(1)
  const { headers } = await inject({ url: '/api/openapi.json' })
  for (const [name, value] of Object.entries(headers)) {
    if (/^(content-(type|length)|date|connection|keep-alive|cache-control)$/.test(name)) continue
    expect([name, response.headers[name]]).toEqual([name, value])
  }
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'transfer-encoding': 'chunked',
  })
  expect(response.headers['content-encoding']).toBeUndefined()
})

test('a proxy that speaks HTTP/1.0 gets the stream without chunks', async () => {
  const { port, signUp, clock } = await setUp()
  await registerTestDevice(await signUp())
  clock.move(1000)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('GET /api/devices/stream HTTP/1.0\r\n\r\n')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  while (!text.endsWith(']\n\n')) await once(socket, 'data')
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  expect(body).toMatch(/^retry: 3000\n\nid: \S+\ndata: \[\{.*\}\]\n\n$/)
})

test('HEAD of the stream does not stay connected', async () => {
  const { inject } = await setUp()
  expect((await inject({ method: 'HEAD', url: '/api/devices/stream' })).statusCode).toBe(404)
})

describe('S18 an upgrade', () => {
  test.each([
    ['https://sky.localhost', 101],
    [undefined, 101],
    ['https://other.example', 403],
    ['https://sky.localhost.other.example', 403],
    ['http://sky.localhost', 403],
    ['null', 403],
  ])('from %s gets %i', async (origin, status) => {
    const { get } = await setUp()
    const headers = { ...upgradeHeaders, ...(origin !== undefined && { origin }) }
    const { response } = await get('/api/devices/live', headers)
    expect(response.statusCode).toBe(status)
  })

  test('of any other path opens no WebSocket', async () => {
    const { get } = await setUp()
    expect((await get('/api/nothing', upgradeHeaders)).response.statusCode).toBe(404)
  })
})

test('S31 a client that sends to the feed is cut off', async () => {
  const { openSocket } = await setUp()
  const [talking, shouting] = [
    await openSocket('/api/devices/live'),
    await openSocket('/api/devices/live'),
  ]
  talking.socket.send('hello')
  expect(await talking.closed).toMatchObject({ code: 1008 })
  shouting.socket.send('x'.repeat(126))
  expect((await shouting.closed).code).not.toBe(1000)
})

describe('S33 connections of one address', () => {
  test('are 20 at most, streams and WebSockets together, and count until they end', async () => {
    const { get } = await setUp(createTestApp({ config: { publicUrl, limitExempt: [] } }))
    const open = (i: number) =>
      i % 2 === 0 ? get('/api/devices/stream') : get('/api/devices/live', upgradeHeaders)
    const connections = await Promise.all(Array.from({ length: 20 }, (_, i) => open(i)))
    expect(new Set(connections.map(({ response }) => response.statusCode))).toEqual(
      new Set([200, 101]),
    )
    for (const refused of [await open(0), await open(1)]) {
      expect(refused.response.statusCode).toBe(429)
      expect(Number(refused.response.headers['retry-after'])).toBeGreaterThan(0)
    }
    for (const { close } of connections.slice(0, 2)) close()
    // The server receives the close a moment later.
    let statuses: (number | undefined)[] = []
    while (!statuses.includes(200)) statuses = [(await open(0)).response.statusCode]
    while (!statuses.includes(101)) statuses = [(await open(1)).response.statusCode]
  })

  test('are not limited for LIMIT_EXEMPT', async () => {
    const { get } = await setUp(createTestApp({ config: { limitExempt: ['127.0.0.1'] } }))
    for (let i = 0; i < 25; i += 1) {
      expect((await get('/api/devices/stream')).response.statusCode).toBe(200)
    }
  })

  test('do not count when they are told to reload or the handshake fails', async () => {
    const { get } = await setUp(createTestApp({ config: { publicUrl, limitExempt: [] } }))
    for (let i = 0; i < 25; i += 1) {
      const { rest } = await get('/api/devices/stream?since=unknown')
      await rest()
      const broken = { ...upgradeHeaders, 'sec-websocket-key': 'short' }
      expect((await get('/api/devices/live', broken)).response.statusCode).toBe(400)
    }
    expect((await get('/api/devices/stream')).response.statusCode).toBe(200)
  })
})

test('S45 a shutdown ends streams and WebSockets with a reason', async () => {
  const { app, get, openSocket } = await setUp(createTestApp(options))
  const stream = await get('/api/devices/stream')
  await stream.read(1)
  const { closed } = await openSocket('/api/devices/live')
  const startMs = performance.now()
  await Promise.all([app.close(), stream.rest()])
  expect(await closed).toMatchObject({ code: 1001, reason: 'shutdown' })
  expect(performance.now() - startMs).toBeLessThan(5000)
})
