import { createServer as createTcpServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort, listen } from '../test/listen.ts'
import { badPorts } from './bad-ports.ts'
import { answerMaxBytes, callsAtOnce, createOutgoing } from './outgoing.ts'
import { expiredCertificate, testCertificate, testKey } from './testing/certificates.ts'
import { startReceiver } from './testing/receiver.ts'
import { inTime } from '../test/in-time.ts'

const nowMs = Date.parse('2030-01-31T12:00:00Z')
const base = { clock: () => nowMs, ownHosts: ['sky.example'], allowsPrivate: false }
/** As for a home network: receivers of tests are on this machine. */
const home = { ...base, allowsPrivate: true }
const post = (url: string) => ({ method: 'POST' as const, url, headers: {}, body: 'hello' })

describe('an address that a user enters', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['short', '127.1'],
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['hex', '0x7f000001'],
    ['hex in parts', '0x7f.0.0.0x1'],
    ['full width', '１２７.0.0.1'],
    ['encoded', '%31%32%37.0.0.1'],
    ['with a dot at its end', '127.0.0.1.'],
    ['zero', '0.0.0.0'],
    ['a home', '192.168.1.1'],
    ['the data of a cloud', '169.254.169.254'],
    ['IPv6 loopback', '[::1]'],
    ['mapped', '[::ffff:127.0.0.1]'],
    ['mapped in hex', '[::ffff:7f00:1]'],
    ['ULA', '[fd00::1]'],
    ['a link', '[fe80::1]'],
    ['NAT64', '[64:ff9b::7f00:1]'],
    ['NAT64 to a home', '[64:ff9b::192.168.1.1]'],
    ['NAT64 of one’s own', '[64:ff9b:1::808:808]'],
    ['6to4', '[2002:7f00:1::]'],
    ['multicast', '[ff02::1]'],
    ['localhost', 'localhost'],
    ['below localhost', 'a.LOCALHOST.'],
    ['this server', 'sky.example'],
    ['this server in other letters', 'SKY.example.'],
    ['an island of this server', 'harbour.sky.example'],
  ])('S53 is refused if it is inside the network, %s: %s', async (_, host) => {
    const { url, calls } = await startReceiver()
    const resolve = vi.fn<(name: string) => Promise<string[]>>(async () => ['127.0.0.1'])
    const outgoing = createOutgoing({ ...base, resolve })
    const { port } = new URL(url)
    expect(outgoing.isRefused(`http://${host}:${port}/`)).toBe(true)
    const outcome = await outgoing.call(post(`http://${host}:${port}/`))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'refused' })
    expect([calls, resolve.mock.calls]).toEqual([[], []])
  })

  test.each([
    ['one address inside', ['127.0.0.1']],
    ['one of several inside', ['93.184.215.14', '10.0.0.1']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['loopback by NAT64', ['64:ff9b::7f00:1']],
    ['what is no address', ['localhost']],
  ])('S53 is refused if its name resolves to %s', async (_, addresses) => {
    const { url, calls } = await startReceiver()
    const outgoing = createOutgoing({ ...base, resolve: async () => addresses })
    const named = post(`http://evil.example:${new URL(url).port}/`)
    expect(await outgoing.call(named)).toMatchObject({ kind: 'failed', reason: 'refused' })
    expect(calls).toEqual([])
  })

  test('S53 is dialled at the IP address that was checked, whatever its name resolves to later', async () => {
    const { url, calls } = await startReceiver()
    const meanings = ['127.0.0.1', '127.0.0.2']
    const outgoing = createOutgoing({
      ...base,
      resolve: async () => meanings.splice(0, 1),
      mayReach: (address) => address === '127.0.0.1',
    })
    const named = post(`http://rebinding.example:${new URL(url).port}/`)
    expect(await outgoing.call(named)).toMatchObject({ kind: 'answered', status: 200 })
    expect(calls).toHaveLength(1)
    expect(await outgoing.call(named)).toMatchObject({ kind: 'failed', reason: 'refused' })
    expect(calls).toHaveLength(1)
  })

  test('S53 of this machine is refused, global or not', async () => {
    const outgoing = createOutgoing({
      ...base,
      ownAddresses: () => ['9.9.9.9', '2a00:0:0::9', 'fe80::1'],
    })
    for (const own of ['9.9.9.9', '[64:ff9b::9.9.9.9]', '[2a00::9]']) {
      expect(outgoing.isRefused(`https://${own}/`)).toBe(true)
    }
    for (const other of ['9.9.9.10', '[64:ff9b::9.9.9.10]', '[2a00::10]']) {
      expect(outgoing.isRefused(`https://${other}/`)).toBe(false)
    }
  })

  test.each([25, 6667, 22])('S53 is refused at port %s, which is not for HTTP', async (port) => {
    const outgoing = createOutgoing(home)
    expect(await outgoing.call(post(`http://127.0.0.1:${port}/`))).toMatchObject({
      reason: 'refused',
    })
    expect(badPorts.has(443) || badPorts.has(80) || badPorts.has(8080)).toBe(false)
  })

  test('may be inside the network if the operator allows it', async () => {
    const { url, calls } = await startReceiver()
    const { port } = new URL(url)
    const outgoing = createOutgoing(home)
    for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
      expect(outgoing.isRefused(`http://${host}:${port}/`)).toBe(false)
      expect(await outgoing.call(post(`http://${host}:${port}/a?b=c`))).toEqual({
        kind: 'answered',
        status: 200,
        text: 'ok',
        retryAfterMs: undefined,
      })
    }
    expect(calls[0]).toMatchObject({ method: 'POST', path: '/a?b=c' })
    expect(calls[0]?.body.toString()).toBe('hello')
  })
})

describe('what a receiver does', () => {
  test('S53 a redirect is not followed', async () => {
    const inside = await startReceiver()
    const { url } = await startReceiver({
      answer: (_, response) => response.writeHead(307, { location: inside.url }).end(),
    })
    expect(await createOutgoing(home).call(post(url))).toMatchObject({ status: 307 })
    expect(inside.calls).toEqual([])
  })

  const timeouts = { connectMs: 150, callMs: 300 }

  test('S53 the call is given up in time if it never answers', async () => {
    const { url, connections } = await startReceiver({ answer: () => undefined })
    const outcome = await createOutgoing({ ...home, timeouts }).call(post(url))
    expect(outcome).toEqual({
      kind: 'failed',
      reason: 'unanswered',
      note: 'It took too long to answer.',
    })
    await vi.waitFor(async () => expect(await connections()).toBe(0), inTime)
  })

  test.each([
    ['stops in the middle of its answer', 60_000],
    ['sends its answer for ever', 50],
  ])('S53 the part of its answer that arrived in time counts if it %s', async (_, everyMs) => {
    const { url, connections } = await startReceiver({
      answer: (__, response) => {
        response.writeHead(202).write('.')
        const timer = setInterval(() => response.write('.'), everyMs)
        onTestFinished(() => clearInterval(timer))
      },
    })
    expect(await createOutgoing({ ...home, timeouts }).call(post(url))).toEqual({
      kind: 'answered',
      status: 202,
      text: expect.stringMatching(/^\.+$/),
      retryAfterMs: undefined,
    })
    await vi.waitFor(async () => expect(await connections()).toBe(0), inTime)
  })

  test('S53 the call is given up sooner if its name or TLS takes too long', async () => {
    const server = createTcpServer()
    onTestFinished(() => void server.close())
    const silent = await listen(server)
    const outgoing = createOutgoing({ ...home, timeouts: { connectMs: 150, callMs: 60_000 } })
    expect(await outgoing.call(post(silent.replace('http:', 'https:')))).toMatchObject({
      note: 'It can’t be reached: nothing answered in time.',
    })
    const nameless = createOutgoing({
      ...home,
      timeouts: { connectMs: 150, callMs: 60_000 },
      resolve: () => new Promise(() => undefined),
    })
    expect(await nameless.call(post('http://slow.example/'))).toMatchObject({
      note: 'The name server of this name does not answer.',
    })
  })

  test('S53 the call reads a few kB of 10 MB and closes the connection', async () => {
    let sent = 0
    const { url, connections } = await startReceiver({
      answer: (_, response) => {
        const chunk = Buffer.alloc(64 * 1024, 'x')
        const write = () => {
          sent += 1
          response.write(chunk, (error) => {
            if (sent === 160) response.end()
            else if (!error && !response.destroyed) write()
          })
        }
        write()
      },
    })
    const outcome = await createOutgoing(home).call(post(url))
    expect(outcome).toMatchObject({ status: 200, text: 'x'.repeat(answerMaxBytes) })
    await vi.waitFor(async () => expect(await connections()).toBe(0), inTime)
    expect(sent).toBeLessThan(160)
  })

  test('S53 headers without end are an error', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
    })
    expect(await createOutgoing(home).call(post(url))).toMatchObject({
      note: 'The headers of its answer are too long.',
    })
  })

  test('its Retry-After is respected', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => response.writeHead(429, { 'retry-after': '17' }).end('slow down'),
    })
    expect(await createOutgoing(home).call(post(url))).toEqual({
      kind: 'answered',
      status: 429,
      text: 'slow down',
      retryAfterMs: 17_000,
    })
  })

  test('a broken answer counts with the part that arrived', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => {
        response.writeHead(500, { 'content-length': '100' }).write('half')
        setTimeout(() => response.destroy(), 20)
      },
    })
    expect(await createOutgoing(home).call(post(url))).toMatchObject({ status: 500, text: 'half' })
  })

  test.each([
    ['nobody listens', async () => `http://127.0.0.1:${await freePort()}/`, /refused/],
    ['no name is known', async () => 'http://nowhere.example/', /No server has this name/],
    ['it hangs up', async () => rawServer(''), /ended the connection/],
    ['it speaks something else', async () => rawServer('220 mail.example ESMTP\r\n'), /not HTTP/],
    [
      'it speaks no TLS',
      async () => (await startReceiver()).url.replace('http:', 'https:'),
      /is it http/,
    ],
  ])('if %s, the user reads so', async (_, address, note) => {
    const outcome = await createOutgoing({ ...home, resolve: async () => [] }).call(
      post(await address()),
    )
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'unanswered' })
    expect(outcome.kind === 'failed' && outcome.note).toMatch(note)
  })

  test.each([
    ['it signed itself', testCertificate, undefined, 'receiver.example', /signed .* itself/],
    ['it is for another name', testCertificate, testCertificate, 'other.example', /another name/],
    ['it is over', expiredCertificate, expiredCertificate, 'receiver.example', /has expired/],
  ])('S53 its certificate is refused if %s', async (_, cert, ca, name, note) => {
    const { url, calls } = await startReceiver({ tls: { key: testKey, cert } })
    const outgoing = createOutgoing({
      ...home,
      resolve: async () => ['127.0.0.1'],
      ...(ca !== undefined && { ca }),
    })
    const outcome = await outgoing.call(post(url.replace('127.0.0.1', name)))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'unanswered' })
    expect(outcome.kind === 'failed' && outcome.note).toMatch(note)
    expect(calls).toEqual([])
  })

  test('its valid certificate is accepted', async () => {
    const { url } = await startReceiver({ tls: { key: testKey, cert: testCertificate } })
    const outgoing = createOutgoing({
      ...home,
      resolve: async () => ['127.0.0.1'],
      ca: testCertificate,
    })
    const outcome = await outgoing.call(post(url.replace('127.0.0.1', 'receiver.example')))
    expect(outcome).toMatchObject({ status: 200 })
  })

  test('a call that can’t be sent has an outcome too', async () => {
    const { url } = await startReceiver()
    const call = { ...post(url), headers: { 'x-odd': 'a\r\nb: c' } }
    expect(await createOutgoing(home).call(call)).toMatchObject({ kind: 'failed' })
  })

  test('CH5 S53 S52 a limited number of calls run at once', async () => {
    const { url } = await startReceiver({ answer: () => undefined })
    const outgoing = createOutgoing({ ...home, timeouts: { connectMs: 5000, callMs: 1000 } })
    const outcomes = await Promise.all(
      Array.from({ length: callsAtOnce + 3 }, async () => outgoing.call(post(url))),
    )
    const busy = outcomes.filter(
      (outcome) => outcome.kind === 'failed' && outcome.reason === 'busy',
    )
    expect(busy).toHaveLength(3)
  })
})

describe('an answer that is opened', () => {
  const timeouts = { connectMs: 150, callMs: 300 }
  const openOf = (url: string, signal = new AbortController().signal) =>
    createOutgoing({ ...home, timeouts }).open({ url, signal, headers: { 'x-asked': 'yes' } })

  test('comes as a stream for as long as its reader wants, and ends by its signal', async () => {
    const { url, calls, connections } = await startReceiver({
      answer: (_, response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('.'), 50)
        onTestFinished(() => clearInterval(timer))
      },
    })
    const stop = new AbortController()
    const opened = await openOf(url, stop.signal)
    if (opened.kind === 'failed') throw new Error(opened.note)
    expect(opened.status).toBe(200)
    let read = ''
    const reading = (async () => {
      for await (const part of opened.answer) {
        read += String(part)
        if (read.length >= 8) stop.abort()
      }
    })()
    await expect(reading).rejects.toThrow('aborted')
    expect(read.length).toBeGreaterThanOrEqual(8)
    expect(calls[0]).toMatchObject({ method: 'GET', headers: { 'x-asked': 'yes' } })
    await vi.waitFor(async () => expect(await connections()).toBe(0), inTime)
  })

  test('S53 is judged by the same rules, follows no redirect, and has to begin in time', async () => {
    const inside = await startReceiver()
    const refused = createOutgoing(base)
    const signal = new AbortController().signal
    expect(await refused.open({ url: inside.url, signal })).toMatchObject({ reason: 'refused' })
    expect(await refused.read({ url: inside.url, maxBytes: 10 })).toMatchObject({
      reason: 'refused',
    })
    const { url } = await startReceiver({
      answer: (_, response) => response.writeHead(307, { location: inside.url }).end(),
    })
    expect(await openOf(url)).toMatchObject({ status: 307 })
    expect(inside.calls).toEqual([])
    const silent = await startReceiver({ answer: () => undefined })
    expect(await openOf(silent.url)).toMatchObject({ note: 'It took too long to answer.' })
    await vi.waitFor(async () => expect(await silent.connections()).toBe(0), inTime)
  })

  test('is read whole, or not at all if it is longer, slower or broken', async () => {
    const receiver = await startReceiver()
    const read = () =>
      createOutgoing({ ...home, timeouts }).read({ url: receiver.url, maxBytes: 100 })
    expect(await read()).toEqual({ kind: 'read', status: 200, text: 'ok' })
    receiver.answerWith((_, response) => response.end('x'.repeat(101)))
    expect(await read()).toMatchObject({ kind: 'failed', note: expect.stringMatching(/too long/) })
    receiver.answerWith((_, response) => void response.writeHead(200).write('half'))
    expect(await read()).toMatchObject({ kind: 'failed', note: expect.stringMatching(/broke off/) })
    await vi.waitFor(async () => expect(await receiver.connections()).toBe(0), inTime)
  })
})

/** Sends one thing to each client, and hangs up. */
async function rawServer(text: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(text))
  })
  onTestFinished(() => void server.close())
  return listen(server)
}
