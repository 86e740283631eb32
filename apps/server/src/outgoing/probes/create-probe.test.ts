import { createServer, type Socket } from 'node:net'
import * as contract from '@astropelago/contract/checks'
import dns2 from 'dns2'
import * as v from 'valibot'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { inTime } from '../../test/in-time.ts'
import { freePort, listen } from '../../test/listen.ts'
import type { ProbedTarget } from '../../features/checks/probe.ts'
import { expiredCertificate, testCertificate, testKey } from '../testing/certificates.ts'
import { startReceiver } from '../testing/receiver.ts'
import { insideReason } from '../judge-addresses.ts'
import { createProbe } from './create-probe.ts'
import { pageMaxBytes } from './probe-http.ts'

const nowMs = Date.parse('2030-01-31T12:00:00Z')
const base = { clock: () => nowMs, ownHosts: ['sky.example'], allowsPrivate: false }
/** As for a home network: receivers of tests are on this machine. */
const home = { ...base, allowsPrivate: true }
const never = new AbortController().signal
const { Packet } = dns2

function target(given: v.InferInput<typeof contract.CheckTarget>): ProbedTarget {
  const parsed = v.parse(contract.CheckTarget, given)
  if (parsed.kind === 'push') throw new Error('Nobody looks at a push check.')
  return parsed
}

async function look(
  given: v.InferInput<typeof contract.CheckTarget>,
  options: Partial<Parameters<typeof createProbe>[0]> = {},
) {
  return await createProbe({ ...home, ...options }).probe(target(given), never)
}

const up = { isUp: true, tookMs: expect.any(Number) }
const down = (note: string | RegExp) => ({
  isUp: false,
  note: note instanceof RegExp ? expect.stringMatching(note) : note,
})

describe('[C1] a page', () => {
  test.each([
    ['200-299', 204, true],
    ['200-299', 300, false],
    ['200-299', 500, false],
    ['200, 401-403', 403, true],
    ['200,404', 404, true],
    ['404', 200, false],
  ])('with statuses %s and the answer %i is up: %s', async (statuses, status, isUp) => {
    const { url, calls } = await startReceiver({
      answer: (_, response) => response.writeHead(status).end(),
    })
    const result = await look({ kind: 'http', url: `${url}/a?b=c`, statuses })
    expect(result).toMatchObject(isUp ? up : down(`It answers with status ${status}.`))
    expect(calls).toMatchObject([{ method: 'GET', path: '/a?b=c' }])
    expect(calls[0]?.headers).toEqual({
      host: new URL(url).host,
      'user-agent': 'Astropelago',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
    })
  })

  test('needs its text, also where two parts of it meet', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => {
        response.write('all sys')
        setTimeout(() => response.end('tems gö!'), 20)
      },
    })
    expect(await look({ kind: 'http', url, text: 'systems gö' })).toMatchObject(up)
    const missing = await look({ kind: 'http', url, text: 'no systems' })
    expect(missing).toMatchObject(down('The text is not in its answer.'))
  })

  test('S53 is read up to 256 kB', async () => {
    let sent = 0
    const { url, connections } = await startReceiver({
      answer: (_, response) => {
        const write = () => {
          sent += 64
          response.write(Buffer.alloc(64 * 1024, '.'), (error) => {
            if (!error && !response.destroyed) write()
          })
        }
        write()
      },
    })
    const result = await look({ kind: 'http', url, text: 'the end' })
    expect(result).toMatchObject(down('The text is not in the first 256 kB of its answer.'))
    await vi.waitFor(async () => expect(await connections()).toBe(0), inTime)
    expect(sent * 1024).toBeLessThan(64 * pageMaxBytes)
  })

  test('S53 has nothing past 256 kB', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => response.end(`${'.'.repeat(pageMaxBytes - 2)}end`),
    })
    expect(await look({ kind: 'http', url, text: 'en' })).toMatchObject(up)
    expect(await look({ kind: 'http', url, text: 'end' })).toMatchObject(down(/first 256 kB/))
  })

  test('that ends in the middle is down', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half')
        setTimeout(() => response.destroy(), 20)
      },
    })
    expect(await look({ kind: 'http', url, text: 'whole' })).toMatchObject(
      down('It ended the connection in the middle of its answer.'),
    )
  })

  test('S53 with headers without end is down', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
    })
    const result = await look({ kind: 'http', url })
    expect(result).toMatchObject(down('The headers of its answer are too long.'))
  })

  test.each([
    ['never answers', () => undefined],
    [
      'drips its headers',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
        const timer = setInterval(() => socket.write('.'), 20)
        socket.on('close', () => clearInterval(timer))
      },
    ],
    [
      'drips its body',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const timer = setInterval(() => socket.write('.'), 20)
        socket.on('close', () => clearInterval(timer))
      },
    ],
  ])('S53 that %s is given up in time', async (_, talk) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      talk(socket)
    })
    onTestFinished(() => void server.close())
    const url = await listen(server)
    const begunMs = performance.now()
    const result = await look({ kind: 'http', url, text: 'whole', timeoutS: 1 })
    expect(result).toEqual({ isUp: false, tookMs: null, note: 'It did not answer within 1 s.' })
    expect(performance.now() - begunMs).toBeLessThan(5000)
    const count = () =>
      new Promise<number>((done) => {
        server.getConnections((__, connections) => done(connections))
      })
    await vi.waitFor(async () => expect(await count()).toBe(0), inTime)
  })

  test.each([
    ['nobody listens', async () => `http://127.0.0.1:${await freePort()}/`, /refused/],
    ['no name is known', async () => 'http://nowhere.example/', /No server has this name/],
    [
      'it speaks no TLS',
      async () => (await startReceiver()).url.replace('http:', 'https:'),
      /is it http/,
    ],
  ])('where %s is down with the reason', async (_, url, note) => {
    const result = await look(
      { kind: 'http', url: await url() },
      { resolve: () => Promise.resolve([]) },
    )
    expect(result).toMatchObject(down(note))
  })

  test('is given up when the server stops', async () => {
    const { url } = await startReceiver({ answer: () => undefined })
    const stop = new AbortController()
    const looking = createProbe(home).probe(target({ kind: 'http', url }), stop.signal)
    stop.abort()
    expect(await looking).toMatchObject(down('This server is stopping.'))
    const later = await createProbe(home).probe(target({ kind: 'http', url }), stop.signal)
    expect(later).toMatchObject(down('This server is stopping.'))
  })
})

/** Redirects so many times from /0. */
const chain = (count: number) =>
  startReceiver({
    answer: ({ url = '' }, response) => {
      const number = Number(url.slice(1))
      if (number < count) response.writeHead(302, { location: `/${number + 1}` })
      response.end('arrived')
    },
  })

describe('[C1] a redirect', () => {
  test('is followed up to five times', async () => {
    const { url, calls } = await chain(5)
    expect(await look({ kind: 'http', url: `${url}/0`, text: 'arrived' })).toMatchObject(up)
    expect(calls).toHaveLength(6)
    const longer = await chain(6)
    expect(await look({ kind: 'http', url: `${longer.url}/0` })).toMatchObject(
      down('It redirects more than 5 times.'),
    )
    expect(longer.calls).toHaveLength(6)
  })

  test('in a circle ends', async () => {
    const { url, calls } = await startReceiver({
      answer: (_, response) => response.writeHead(301, { location: '/' }).end(),
    })
    expect(await look({ kind: 'http', url })).toMatchObject(down(/more than 5 times/))
    expect(calls).toHaveLength(6)
  })

  test('is not followed if the check does not want it, or asks for its status', async () => {
    const { url, calls } = await chain(5)
    const result = await look({ kind: 'http', url: `${url}/0`, followsRedirects: false })
    expect(result).toMatchObject(down('It answers with status 302.'))
    expect(await look({ kind: 'http', url: `${url}/0`, statuses: '302' })).toMatchObject(up)
    expect(calls).toHaveLength(2)
  })

  test.each([
    ['an address', 'http://10.0.0.1/'],
    ['an address of a cloud', 'http://169.254.169.254/latest'],
    ['an address in disguise', 'http://167772161/'],
    ['a name', 'http://inside.example/'],
    ['this server', 'https://sky.example/'],
    ['an address with a password', 'http://user:secret@10.0.0.1/'],
  ])('S53 S71 to %s inside is refused', async (_, location) => {
    const { url, calls } = await startReceiver({
      answer: (__, response) => response.writeHead(302, { location }).end(),
    })
    const result = await look(
      { kind: 'http', url: `http://outside.example:${new URL(url).port}/` },
      {
        allowsPrivate: false,
        resolve: async (name) => [name === 'outside.example' ? '127.0.0.1' : '10.0.0.1'],
        // The first address is on this machine, which only this test allows.
        mayReach: (address) => address === '127.0.0.1',
      },
    )
    expect(result).toMatchObject(down(/inside a network/))
    expect(calls).toHaveLength(1)
  })

  test('S53 to another port is judged like the first one', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:25/' }).end(),
    })
    expect(await look({ kind: 'http', url })).toMatchObject(down(/Nothing is sent to this port/))
  })

  test.each(['ftp://files.example/', 'file:///etc/passwd', 'javascript:alert(1)'])(
    'S53 to %s is down',
    async (location) => {
      const { url } = await startReceiver({
        answer: (_, response) => response.writeHead(302, { location }).end(),
      })
      expect(await look({ kind: 'http', url })).toMatchObject(down(/no web page/))
    },
  )

  test('S53 sends neither a password nor cookies on', async () => {
    const { url, calls } = await startReceiver({
      answer: (request, response) => {
        const { port } = new URL(url)
        if (request.url === '/') {
          response.writeHead(302, {
            location: `http://user:secret@127.0.0.1:${port}/next`,
            'set-cookie': 'a=b',
          })
        }
        response.end()
      },
    })
    expect(await look({ kind: 'http', url })).toMatchObject(up)
    expect(calls[1]?.headers).not.toHaveProperty('authorization')
    expect(calls[1]?.headers).not.toHaveProperty('cookie')
  })
})

describe('[C1] a port', () => {
  test('is up if it can be connected to', async () => {
    const { url, connections } = await startReceiver()
    const port = Number(new URL(url).port)
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST.', 'nas.example']) {
      const found = await look(
        { kind: 'tcp', host, port },
        { resolve: () => Promise.resolve(['127.0.0.1']) },
      )
      expect(found).toMatchObject(up)
    }
    await vi.waitFor(async () => expect(await connections()).toBe(0), inTime)
    const refused = await look({ kind: 'tcp', host: '127.0.0.1', port: await freePort() })
    expect(refused).toMatchObject(down(/refused/))
  })

  test('S53 that never resolves is given up in time', async () => {
    const result = await look(
      { kind: 'tcp', host: 'slow.example', port: 80, timeoutS: 1 },
      { resolve: () => new Promise(() => undefined) },
    )
    expect(result).toMatchObject(down(/did not answer within 1 s|does not answer/))
  })

  test('S53 S71 25 is never dialled, whatever is allowed', async () => {
    for (const kind of ['tcp', 'certificate'] as const) {
      const mail = { kind, host: '127.0.0.1', port: 25 }
      expect(await look(mail)).toMatchObject(down(/^Port 25/))
    }
  })

  test.each(['10.0.0.1', '[::1]', '::1', 'localhost', 'sky.example', 'harbour.sky.example.'])(
    'S53 S71 inside is refused: %s',
    async (host) => {
      const resolve = vi.fn<(name: string) => Promise<string[]>>(async () => ['127.0.0.1'])
      for (const kind of ['tcp', 'certificate'] as const) {
        const result = await look({ kind, host, port: 443 }, { allowsPrivate: false, resolve })
        expect(result).toMatchObject(down(/inside a network/))
      }
      expect(resolve).not.toHaveBeenCalled()
    },
  )

  test('S53 S71 is refused if its name resolves to an address inside', async () => {
    const result = await look(
      { kind: 'tcp', host: 'evil.example', port: 443 },
      { allowsPrivate: false, resolve: async () => ['93.184.215.14', '10.0.0.1'] },
    )
    expect(result).toMatchObject(down(/inside a network/))
  })
})

const startTls = async (cert: string) => {
  const { url } = await startReceiver({ tls: { key: testKey, cert } })
  return { kind: 'certificate' as const, host: 'receiver.example', port: +new URL(url).port }
}

describe('[C1] a certificate', () => {
  const local = { resolve: () => Promise.resolve(['127.0.0.1']) }

  test('is up while it is valid for long enough', async () => {
    const given = await startTls(testCertificate)
    const endMs = Date.parse('2126-01-01T00:00:00Z')
    const at = (daysBefore: number) => ({
      ...local,
      ca: testCertificate,
      clock: () => endMs - daysBefore * 86_400_000,
    })
    expect(await look({ ...given, days: 14 }, at(15))).toMatchObject(up)
    expect(await look({ ...given, days: 14 }, at(13.5))).toMatchObject(
      down('Its certificate is valid for only 13 more days.'),
    )
    expect(await look({ ...given, days: 14 }, at(1))).toMatchObject(down(/only 1 more day\./))
  })

  test.each([
    ['it signed itself', testCertificate, undefined, 'receiver.example', /signed .* itself/],
    ['it is for another name', testCertificate, testCertificate, 'other.example', /another name/],
    ['it is over', expiredCertificate, expiredCertificate, 'receiver.example', /has expired/],
  ])('is down if %s', async (_, cert, ca, host, note) => {
    const given = await startTls(cert)
    const trusted = ca === undefined ? local : { ...local, ca }
    expect(await look({ ...given, host }, trusted)).toMatchObject(down(note))
  })

  test('S53 that never comes is given up in time', async () => {
    const server = createServer()
    onTestFinished(() => void server.close())
    const port = Number(new URL(await listen(server)).port)
    const result = await look({ kind: 'certificate', host: '127.0.0.1', port, timeoutS: 1 })
    expect(result).toMatchObject(down(/did not answer within 1 s/))
  })
})

describe('[C1] a DNS record', () => {
  const { A, AAAA, CNAME, MX, NS, TXT } = Packet.TYPE
  const records: readonly (readonly [type: number, name: string, data: object])[] = [
    [A, 'a.example', { address: '192.0.2.1' }],
    [A, 'a.example', { address: '192.0.2.2' }],
    [AAAA, 'a.example', { address: '2001:db8::1' }],
    [CNAME, 'alias.example', { domain: 'a.example' }],
    [MX, 'a.example', { priority: 10, exchange: 'Mail.example' }],
    [NS, 'a.example', { ns: 'ns1.example' }],
    [TXT, 'a.example', { data: 'Proof=1' }],
    [A, 'split.example', { address: '10.0.0.7' }],
    [A, 'split.example', { address: '9.9.9.9' }],
    [A, 'inside.example', { address: '192.168.1.7' }],
    [AAAA, 'inside.example', { address: 'fd00::7' }],
    [MX, 'inside.example', { priority: 10, exchange: 'mail.corp' }],
    [CNAME, 'to-inside.example', { domain: 'nas.lan' }],
    [A, 'nas.lan', { address: '9.9.9.9' }],
    [NS, '168.192.in-addr.arpa', { ns: 'ns1.example' }],
  ]

  async function openServer() {
    const server = dns2.createUDPServer((request, send) => {
      const response = Packet.createResponseFromRequest(request)
      const { name = '', type } = request.questions[0] ?? {}
      if (name === 'silent.example') return
      const known = records.filter(([, one]) => one === name)
      if (known.length === 0) response.header.rcode = Packet.RCODE.NXDOMAIN
      for (const [kind, , data] of known.filter(([one]) => one === type)) {
        const record = new Packet.Resource(name, kind, Packet.CLASS.IN, 1)
        response.answers.push(Object.assign(record, data))
      }
      void send(response)
    })
    await server.listen(0, '127.0.0.1')
    onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
    return { dnsServers: [`127.0.0.1:${server.address().port}`] }
  }

  test.each([
    ['A', 'a.example', null, true],
    ['A', 'A.Example.', '192.0.2.2', true],
    ['A', 'a.example', '192.0.2.3', false],
    ['AAAA', 'a.example', '2001:DB8:0:0::1', true],
    ['AAAA', 'a.example', '2001:db8::2', false],
    ['CNAME', 'alias.example', 'A.example.', true],
    ['MX', 'a.example', '10  mail.example', true],
    ['MX', 'a.example', '20 mail.example', false],
    ['NS', 'a.example', 'ns1.example', true],
    ['TXT', 'a.example', 'Proof=1', true],
    ['TXT', 'a.example', 'proof=1', false],
  ] as const)('%s of %s with the value %s is up: %s', async (record, host, value, isUp) => {
    const options = await openServer()
    const result = await look({ kind: 'dns', host, record, value }, options)
    const note = `None of its ${record} records has the expected value.`
    expect(result).toMatchObject(isUp ? up : down(note))
  })

  test.each([
    ['A', 'split.example', '9.9.9.9', up],
    ['A', 'split.example', '10.0.0.7', down('None of its A records has the expected value.')],
    ['A', 'inside.example', '192.168.1.7', down('It has no A record.')],
    ['A', 'inside.example', null, down('It has no A record.')],
    ['AAAA', 'inside.example', 'fd00::7', down('It has no AAAA record.')],
    ['MX', 'inside.example', '10 mail.corp', down('It has no MX record.')],
    ['CNAME', 'to-inside.example', 'nas.lan', down('It has no CNAME record.')],
    ['A', 'nas.lan', '9.9.9.9', down(insideReason)],
    ['A', 'NAS.LAN.', null, down(insideReason)],
    ['NS', '168.192.in-addr.arpa', 'ns1.example', down(insideReason)],
  ] as const)('S71 %s of %s says nothing about the inside', async (record, host, value, result) => {
    const options = { ...base, ...(await openServer()) }
    expect(await look({ kind: 'dns', host, record, value }, options)).toMatchObject(result)
  })

  test('that does not exist is down', async () => {
    const options = await openServer()
    const none = await look({ kind: 'dns', host: 'alias.example', record: 'TXT' }, options)
    expect(none).toMatchObject(down('It has no TXT record.'))
    const nobody = await look({ kind: 'dns', host: 'nobody.example' }, options)
    expect(nobody).toMatchObject(down('No server has this name.'))
  })

  test('that nobody answers for is given up in time', async () => {
    const options = await openServer()
    const result = await look({ kind: 'dns', host: 'silent.example', timeoutS: 1 }, options)
    expect(result).toMatchObject(down(/did not answer within 1 s|does not answer/))
  })
})

test('S53 S71 what is written down as inside is refused at once', () => {
  const { isRefusedTarget } = createProbe(base)
  const refused: readonly v.InferInput<typeof contract.CheckTarget>[] = [
    { kind: 'http', url: 'http://192.168.1.1/' },
    { kind: 'http', url: 'http://localhost/' },
    { kind: 'http', url: 'https://sky.example/' },
    { kind: 'http', url: 'http://example.org:25/' },
    { kind: 'tcp', host: '127.0.0.1', port: 22 },
    { kind: 'tcp', host: 'example.org', port: 25 },
    { kind: 'certificate', host: '[fd00::1]' },
    ...['nas', 'nas.local.', 'db.INTERNAL', 'a.lan', 'x.home.arpa', '1.168.192.in-addr.arpa'].map(
      (host) => ({ kind: 'dns', host }) as const,
    ),
  ]
  for (const given of refused)
    expect([given, isRefusedTarget(v.parse(contract.CheckTarget, given))]).toEqual([given, true])
  const allowed: readonly v.InferInput<typeof contract.CheckTarget>[] = [
    { kind: 'http', url: 'https://example.org/' },
    { kind: 'tcp', host: 'example.org', port: 22 },
    { kind: 'certificate', host: '9.9.9.9' },
    { kind: 'dns', host: 'sky.example' },
    { kind: 'push' },
  ]
  for (const given of allowed) {
    expect([given, isRefusedTarget(v.parse(contract.CheckTarget, given))]).toEqual([given, false])
  }
})
