import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  isPublicAddress,
  Lender,
  mayReach,
  mayUsePort,
  Networks,
  ownNetworks,
  ping,
  pingPort,
  probe,
  readAssignment,
} from './agent.mjs'
import { types } from './testing/frames.ts'
import { listen } from './testing/listen.ts'
import { ownCertificate } from './testing/own-certificate.ts'
import { RelayPeer, type PeerOptions } from './testing/relay-peer.ts'
import { runAgent } from './testing/run-agent.ts'

const nonce = 'a-nonce-of-a-look'

function payloadOf(target: object, more: object = {}): Buffer {
  const about = { nonce, timeoutMs: 5000, ownAddresses: [], ports: [], isOwn: false }
  return Buffer.from(JSON.stringify({ ...about, ...more, target }))
}

function assignmentOf(target: object, more?: object) {
  const assignment = readAssignment(payloadOf(target, more))
  if (assignment === undefined) throw new Error('not an assignment')
  return assignment
}

const lanOf = (address: string, prefix: number, ports: readonly number[]) => ({
  networks: new Networks([[address, prefix]]),
  ports,
})

describe('[L3] only public addresses', () => {
  test.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true))
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    // CGNAT
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    // Mapped and compatible forms
    '::ffff:1.1.1.1',
    '::ffff:127.0.0.1',
    '::1.1.1.1',
    // NAT64, also by a prefix of the network's own
    '64:ff9b::1.1.1.1',
    '64:ff9b::192.168.1.1',
    '64:ff9b:1::1.1.1.1',
    // Teredo, 6to4
    '2001:0:4136:e378::1',
    '2002:c0a8:0101::1',
    '2001:db8::1',
    '3fff::1',
    'localhost',
    '',
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('[L4] never what is its own', () => {
  const zero = '0'.repeat(32)
  const machine = {
    interfaces: [
      { address: '127.0.0.1', cidr: '127.0.0.1/8' },
      // Its /48 holds the mapped forms of all IPv4 addresses.
      { address: '::1', cidr: '::1/128' },
      { address: '45.10.20.30', cidr: '45.10.20.30/27' },
      { address: '2a01:4f8:aa:bb::5', cidr: '2a01:4f8:aa:bb::5/64' },
      { address: 'fe80::1', cidr: 'fe80::1/64' },
    ],
    // Default by 45.10.20.1, the network 45.10.20.0/27, and 46.4.0.0/16 by 47.0.0.9.
    route: `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
eth0\t00000000\t01140A2D\t0003\t0\t0\t0\t00000000\t0\t0\t0
eth0\t00140A2D\t00000000\t0001\t0\t0\t0\tE0FFFFFF\t0\t0\t0
tun0\t0000042E\t0900002F\t0003\t0\t0\t0\t0000FFFF\t0\t0\t0
tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0
`,
    route6: [
      [`${'2a00'.padEnd(30, '0')}aa`, '80', zero],
      ['26001000'.padEnd(32, '0'), '20', zero],
      [zero, '00', `${'2405'.padEnd(31, '0')}1`],
    ]
      .map(([to, prefix, gateway]) => `${to} ${prefix} ${zero} 00 ${gateway} 00000400 1 0 3 eth0\n`)
      .join(''),
    seen: ['80.1.2.3', '2a02:8000:1:2::3'],
  }
  const own = ownNetworks(machine)
  const assignment = assignmentOf({ kind: 'http', url: 'http://example.org' })
  const reaches = (address: string) => mayReach(address, assignment, [], own)

  test.each([
    ['its address', '45.10.20.30'],
    ['the network of an interface', '45.10.20.7'],
    ['its gateway', '45.10.20.1'],
    ['a network that it has a route to', '46.4.200.1'],
    ['the gateway of that', '47.0.0.9'],
    ['its IPv6 address', '2a01:4f8:aa:bb::5'],
    ['the /48 of its IPv6 address', '2a01:4f8:aa:ffff::1'],
    ['an IPv6 route', '2600:1000:ffff::1'],
    ['an IPv6 host route', '2a00::aa'],
    ['its IPv6 gateway', '2405::1'],
    ['its address as the server sees it', '80.1.2.3'],
    ['the /48 of its IPv6 address as the server sees it', '2a02:8000:1:ffff::1'],
  ])('%s', (_, address) => {
    expect(isPublicAddress(address)).toBe(true)
    expect(reaches(address)).toBe(false)
  })

  test.each(['45.10.20.33', '46.5.0.1', '80.1.2.4', '2a01:4f8:ab::1', '2405::2', '2a02:8000:2::1'])(
    'but %s, which is beside them',
    (address) => expect(reaches(address)).toBe(true),
  )
})

const mayUse = (port: number, ports: readonly number[] = [], isOwn = false) =>
  mayUsePort(assignmentOf({ kind: 'tcp', host: 'example.org', port }, { ports, isOwn }), [])

test('[L5] ports 80 and 443, another one that the proof names, and never 25', () => {
  expect([80, 443, 22, 8443, 25].map((port) => mayUse(port))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect([
    mayUse(8443, [8443]),
    mayUse(8444, [8443]),
    mayUse(25, [25]),
    mayUse(22, [], true),
  ]).toEqual([true, false, false, false])
})

test('[L6] the owner’s checks reach what --check-lan names, with its ports, and nobody else’s do', () => {
  const lan = [lanOf('192.168.1.0', 24, [80, 8123]), lanOf('fd00::', 64, [443])]
  const may = (address: string, port: number, isOwn: boolean) => {
    const assignment = assignmentOf({ kind: 'tcp', host: address, port }, { isOwn })
    return (
      mayUsePort(assignment, lan) &&
      mayReach(
        address,
        assignment,
        lan,
        ownNetworks({ interfaces: [], route: '', route6: '', seen: [] }),
      )
    )
  }
  expect(may('192.168.1.7', 8123, true)).toBe(true)
  expect(may('fd00::7', 443, true)).toBe(true)
  expect(may('192.168.1.7', 8123, false)).toBe(false)
  expect(may('192.168.1.7', 80, false)).toBe(false)
  expect(may('192.168.1.7', 443, true)).toBe(false)
  expect(may('192.168.2.7', 80, true)).toBe(false)
  expect(may('127.0.0.1', 80, true)).toBe(false)
  expect(may('1.1.1.1', 8123, true)).toBe(false)
  expect(may('1.1.1.1', 443, true)).toBe(true)
})

test('[L6] ping needs a range that names it, whatever the server says', async () => {
  const lender = new Lender({ perHour: 10, lan: [lanOf('127.0.0.0', 8, [pingPort])] })
  const pingOf = (host: string, more: object) =>
    lender.take(payloadOf({ kind: 'ping', host }, { ports: [pingPort, 80], ...more }))
  expect(await pingOf('127.0.0.1', { isOwn: false })).toMatchObject({ why: 'port' })
  expect(await pingOf('1.1.1.1', { isOwn: true })).toMatchObject({ why: 'address' })
  expect(await pingOf('-f', { isOwn: true })).toMatchObject({ outcome: 'down' })
  const none = new Lender({ perHour: 10, lan: [lanOf('127.0.0.0', 8, [80])] })
  const own = payloadOf({ kind: 'ping', host: '127.0.0.1' }, { isOwn: true })
  expect(await none.take(own)).toMatchObject({ outcome: 'refused', why: 'port' })
})

test.skipIf(process.platform === 'win32')(
  '[L6] ping is the system’s program, with an address alone',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'astropelago-ping-'))
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    })
    const asked = join(folder, 'asked')
    const answer = async (script: string, address = '127.0.0.1', timeoutMs = 2000) => {
      const program = `#!/bin/sh\nprintf '%s ' "$@" >'${asked}'\n${script}\n`
      writeFileSync(join(folder, 'ping'), program, { mode: 0o755 })
      return await ping(address, timeoutMs)
    }
    const silent = process.platform === 'linux' ? 1 : 2
    expect(await answer('exit 0')).toMatchObject({ outcome: 'up', why: '' })
    expect(readFileSync(asked, 'utf8')).toMatch(/^-n -c 1 -W \d+ 127\.0\.0\.1 $/)
    expect(await answer(`exit ${silent}`)).toMatchObject({ outcome: 'down', why: 'ETIMEDOUT' })
    expect(await answer('exec sleep 5', '::1', 200)).toMatchObject({ outcome: 'down' })
    expect(await answer('exit 64')).toMatchObject({ outcome: 'refused', why: 'ping' })
    rmSync(asked)
    expect(await answer('exit 0', '127.0.0.1; id')).toMatchObject({ outcome: 'refused' })
    expect(existsSync(asked)).toBe(false)
  },
)

test('[L7] what --check-lan names counts for no limit', async () => {
  const server = net.createServer()
  const port = await listen(server)
  onTestFinished(() => void server.close())
  const lender = new Lender({ perHour: 1, lan: [lanOf('127.0.0.0', 8, [port])] })
  const target = { kind: 'tcp', host: '127.0.0.1', port }
  for (let looks = 0; looks < 3; looks += 1) {
    const look = await lender.take(payloadOf(target, { isOwn: true }))
    expect(look).toMatchObject({ outcome: 'up' })
  }
  const other = { kind: 'tcp', host: '10.0.0.1', port }
  expect(await lender.take(payloadOf(other, { isOwn: true }))).toMatchObject({ why: 'address' })
})

test('[L7] an hour’s looks, and 60 of them at one address', () => {
  let nowMs = 0
  const lender = new Lender({ perHour: 70, lan: [] }, () => nowMs)
  const count = (place: string, looks: number) =>
    Array.from({ length: looks }, () => lender.counts(place)).filter(Boolean).length
  expect(count('a 443', 100)).toBe(60)
  expect(count('b 443', 100)).toBe(10)
  nowMs = 3_599_999
  expect(count('c 443', 1)).toBe(0)
  nowMs = 3_600_000
  expect(count('a 443', 100)).toBe(60)
})

describe('[L2] an assignment', () => {
  test.each([
    ['no JSON', 'x'],
    ['no target', JSON.stringify({ nonce })],
    ['a nonce that is none', payloadOf({ kind: 'tcp', host: 'a.b', port: 80 }, { nonce: 'a b' })],
    ['another kind', payloadOf({ kind: 'mail', host: 'a.b' })],
    ['no port', payloadOf({ kind: 'tcp', host: 'a.b', port: 0 })],
    ['another protocol', payloadOf({ kind: 'http', url: 'file:///etc/passwd' })],
  ])('with %s is ignored', async (_, payload) => {
    expect(await new Lender({ perHour: 1, lan: [] }).take(Buffer.from(payload))).toBeUndefined()
  })

  test.each([
    ['an address inside', { kind: 'http', url: 'http://192.168.1.1/' }, 'address'],
    ['another form of one', { kind: 'http', url: 'http://0x7f.1/' }, 'address'],
    ['an address of its own', { kind: 'tcp', host: '203.1.1.9', port: 443 }, 'address'],
    ['a name inside', { kind: 'http', url: 'http://printer.local/' }, 'name'],
    ['localhost', { kind: 'http', url: 'http://localhost/' }, 'name'],
    ['another port', { kind: 'tcp', host: '1.1.1.1', port: 22 }, 'port'],
    ['mail', { kind: 'http', url: 'http://1.1.1.1:25/' }, 'port'],
  ])('that names %s is refused before anything is dialled', async (_, target, why) => {
    const lender = new Lender({ perHour: 10, lan: [] })
    const payload = payloadOf(target, { ownAddresses: ['203.1.1.9'] })
    expect(await lender.take(payload)).toEqual({ nonce, outcome: 'refused', tookMs: null, why })
  })
})

const serve = async (onRequest: http.RequestListener) => {
  const server = http.createServer(onRequest)
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return port
}
const look = (target: object, timeoutMs = 2000) =>
  probe(assignmentOf(target).target, ['127.0.0.1'], timeoutMs)

describe('[L8] how it looks', () => {
  test('by GET without a body, cookies or anything of the user’s, at the judged address', async () => {
    const seen: http.IncomingMessage[] = []
    const port = await serve((request, response) => {
      seen.push(request)
      response.setHeader('set-cookie', 'a=b').end('well')
    })
    const url = `http://name.invalid:${port}/path?query#fragment`
    const outcome = await look({ kind: 'http', url: url.replace('name', 'user:secret@name') })
    expect(outcome).toMatchObject({ outcome: 'up', why: '' })
    expect([seen[0]?.method, seen[0]?.url]).toEqual(['GET', '/path?query'])
    expect(seen[0]?.headers).toEqual({
      host: `name.invalid:${port}`,
      connection: 'close',
      'user-agent': 'Astropelago',
      accept: '*/*',
      'accept-encoding': 'identity',
    })
  })

  test('it follows no redirect, which is an answer if the check would follow it', async () => {
    const paths: (string | undefined)[] = []
    const port = await serve((request, response) => {
      paths.push(request.url)
      response.writeHead(302, { location: '/inside' }).end()
    })
    const target = { kind: 'http', url: `http://a.invalid:${port}/` }
    expect(await look({ ...target, followsRedirects: true })).toMatchObject({ outcome: 'up' })
    expect(await look(target)).toMatchObject({ outcome: 'down', why: 'status 302' })
    expect(paths).toEqual(['/', '/'])
  })

  test('statuses and a text in the first 256 kB', async () => {
    const before = 256 * 1024
    const port = await serve((request, response) => {
      response.statusCode = request.url === '/teapot' ? 418 : 200
      response.write('x'.repeat(request.url === '/late' ? before : 1000))
      response.end('all is well')
    })
    const url = (path: string) => `http://a.invalid:${port}${path}`
    const text = 'is well'
    const kind = 'http'
    expect(await look({ kind, url: url('/'), text })).toMatchObject({ outcome: 'up' })
    expect(await look({ kind, url: url('/'), text: 'is bad' })).toMatchObject({ why: 'text' })
    expect(await look({ kind, url: url('/late'), text })).toMatchObject({ why: 'text' })
    expect(await look({ kind, url: url('/teapot') })).toMatchObject({ why: 'status 418' })
    const statuses = '200-299,418'
    expect(await look({ kind, url: url('/teapot'), statuses })).toMatchObject({ outcome: 'up' })
  })

  test('it ends in time, and says why nothing answered', async () => {
    const port = await serve(() => undefined)
    const silent = { kind: 'http', url: `http://a.invalid:${port}/` }
    expect(await look(silent, 50)).toMatchObject({ outcome: 'down', why: 'ETIMEDOUT' })
    const server = net.createServer()
    const free = await listen(server)
    expect(await look({ kind: 'tcp', host: 'a.invalid', port: free })).toMatchObject({
      outcome: 'up',
    })
    server.close()
    await once(server, 'close')
    expect(await look({ kind: 'tcp', host: 'a.invalid', port: free })).toMatchObject({
      why: 'ECONNREFUSED',
    })
  })

  test('a certificate that nobody trusts is down', async () => {
    const { key, cert } = ownCertificate()
    const peer = await RelayPeer.start({ tls: { key, cert } })
    onTestFinished(() => peer.close())
    const target = { kind: 'certificate', host: 'a.invalid', port: peer.port, days: 1 }
    expect(await look(target)).toMatchObject({ outcome: 'down' })
  })
})

const lend = async (options: PeerOptions, ...args: string[]) => {
  const peer = await RelayPeer.start(options)
  onTestFinished(() => peer.close())
  const agent = await runAgent(['--server', peer.url, '--lend', ...args])
  onTestFinished(() => agent.stop())
  return { peer, agent }
}

describe('[L1] lending is a connection of its own', () => {
  test('it carries nothing, and says how many looks an hour', async () => {
    const { peer, agent } = await lend({ lends: true }, '--lend-per-hour', '30')
    await agent.says(/connected to look at addresses for others/)
    const [dial] = peer.dials
    expect(dial?.headers['astropelago-agent-lends']).toBe('30')
    expect(dial?.headers['astropelago-island']).toBeUndefined()
    const session = await peer.connected()
    session.write(types.assignment, 0, payloadOf({ kind: 'tcp', host: '127.0.0.1', port: 443 }))
    const { payload } = await session.next(({ type }) => type === types.result)
    expect(JSON.parse(payload.toString())).toEqual({
      nonce,
      outcome: 'refused',
      tookMs: null,
      why: 'address',
    })
    expect(peer.dials).toHaveLength(1)
  })

  test('beside one for visitors, which takes no assignments', async () => {
    const { peer, agent } = await lend({ lends: true }, '--to', '8080', '--island', 'bar')
    await agent.says(/connected/)
    await agent.says(/connected/)
    const carrying = peer.dials.findIndex(({ headers }) => 'astropelago-island' in headers)
    expect(peer.dials[carrying]?.headers['astropelago-agent-lends']).toBeUndefined()
    const session = peer.sessions[carrying]
    session?.write(types.assignment, 0, payloadOf({ kind: 'tcp', host: '127.0.0.1', port: 443 }))
    await agent.says(/the server broke the protocol: an assignment/)
  })

  test('an older server, which would take it for one that carries islands, loses it', async () => {
    const { peer, agent } = await lend({})
    await agent.says(/not connected: this server asks nobody to look at addresses/)
    await (
      await peer.connected()
    ).closed
    expect(await agent.says(/trying again/)).toMatch(/in 3600/)
  })
})
