import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from './testing/listen.ts'
import { type PeerOptions, RelayPeer } from './testing/relay-peer.ts'
import type { PeerSession } from './testing/peer-session.ts'
import {
  agentFile,
  agentNode,
  makeTokenFile,
  runAgent,
  type RunningAgent,
} from './testing/run-agent.ts'

const run = promisify(execFile)
const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

async function tokenFileOf(mode?: number): Promise<string> {
  const file = await makeTokenFile(mode)
  onTestFinished(() => rmSync(dirname(file), { recursive: true }))
  return file
}

test('--help prints the options, --version the version', async () => {
  const help = await run(agentNode, [agentFile, '--help'])
  for (const option of [
    '--to',
    '--folder',
    '--list',
    '--tcp',
    '--token-file',
    '--lend',
    '--check',
  ]) {
    expect(help.stdout).toContain(option)
  }
  expect((await run(agentNode, [agentFile, '--version'])).stdout).toBe(`${version}\n`)
})

test.each([
  [[], '--server is missing.'],
  [['--server', 'http://localhost'], 'Say what to carry: --to, --folder or --tcp.'],
  [
    ['--server', 'http://localhost', '--to', 'http://a', '--folder', '.'],
    'Either --to or --folder',
  ],
  [['--server', 'ftp://localhost', '--to', 'http://a'], '--server is an address such as'],
  [['--server', 'localhost:3000', '--to', 'http://a'], '--server is an address such as'],
  [['--server', 'http://localhost', '--to', 'http://a/b'], '--to is an address such as'],
  [['--server', 'http://localhost', '--to', 'http://a:b@c'], '--to is an address such as'],
  [['--server', 'http://localhost', '--to', '0'], '--to is an address such as'],
  [['--server', 'http://localhost', '--to', '65536'], '--to is an address such as'],
  [['--server', '3000', '--to', '8080'], '--server is an address such as'],
  [['--server', 'http://localhost', '--tcp', '25565'], '--tcp is a host and a port'],
  [['--server', 'http://localhost', '--tcp', 'a:70000'], '--tcp is a host and a port'],
  [
    ['--server', 'http://localhost', '--tcp', 'a:1', '--island', '../x'],
    "--island is the last part of an island's",
  ],
  [
    ['--server', 'http://localhost', '--to', 'http://a', '--host-header', 'a b'],
    '--host-header is',
  ],
  [
    ['--server', 'http://localhost', '--to', '80', '--check-lan', '10.0.0.0/8:80'],
    '--lend-per-hour and --check-lan need --lend.',
  ],
  [['--server', 'http://localhost', '--lend', '--lend-per-hour', '0'], '--lend-per-hour is'],
  [
    ['--server', 'http://localhost', '--lend', '--check-lan', '10.0.0.0:80'],
    '--check-lan is a range',
  ],
  [['--server', 'http://localhost', '--lend', '--check-lan', '10.0.0.0/33:80'], '--check-lan is a'],
  [
    ['--server', 'http://localhost', '--lend', '--check-lan', 'nas/24:80'],
    '--check-lan is a range',
  ],
  [['--server', 'http://localhost', '--lend', '--check-lan', '10.0.0.0/8:0'], '--check-lan is a'],
  [['--serve', 'http://localhost'], "Unknown option '--serve'"],
])('%j ends the agent for good with a message', async (args, said) => {
  const agent = await runAgent(args)
  onTestFinished(() => agent.stop())
  expect(await agent.exited).toBe(2)
  expect(agent.lines()[0]).toContain(said)
})

async function startWith(tokenFile: string): Promise<RunningAgent> {
  const agent = await runAgent(['--server', 'http://localhost:1', '--to', 'http://localhost:1'], {
    tokenFile,
  })
  onTestFinished(() => agent.stop())
  return agent
}

describe('the token', () => {
  test.each([0o640, 0o604, 0o622, 0o610])(
    'R45 [A20] in a file of mode %o is refused with the fix',
    async (mode) => {
      const tokenFile = await tokenFileOf()
      chmodSync(tokenFile, mode)
      const agent = await startWith(tokenFile)
      expect(await agent.exited).toBe(2)
      expect(agent.lines()).toEqual([
        `Others can read the token's file. Keep it to yourself with: chmod 600 ${tokenFile}`,
      ])
    },
  )

  test('[A20] that is missing or invalid ends the agent for good', async () => {
    const tokenFile = await tokenFileOf()
    writeFileSync(tokenFile, 'two words\n')
    const wrong = await startWith(tokenFile)
    expect(await wrong.exited).toBe(2)
    expect(wrong.lines()).toEqual([`This file holds no token: ${tokenFile}`])
    const missing = await startWith(`${tokenFile}-2`)
    expect(await missing.exited).toBe(2)
    expect(missing.lines()[0]).toMatch(
      /^The token's file can't be read: .*-2: it is not there \(ENOENT\)$/,
    )
  })

  test('R45 [A20] is in no log line and no other file, and only its user can read the id', async () => {
    const peer = await RelayPeer.start()
    const tokenFile = await tokenFileOf(0o400)
    const agent = await runAgent(['--server', peer.url, '--to', 'http://localhost:1'], {
      tokenFile,
    })
    onTestFinished(async () => {
      await agent.stop()
      await peer.close()
    })
    await peer.connected()
    expect(agent.lines().join('\n')).not.toContain('apd_')
    const idFile = `${tokenFile}-agent-id`
    expect(statSync(idFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(idFile, 'utf8').trim()).toBe(peer.dials[0]?.headers['astropelago-agent'])
  })
})

test('R47 the agent needs nothing but Node', () => {
  const source = readFileSync(agentFile, 'utf8')
  const imported = [...source.matchAll(/(?:\bfrom |\bimport\(|\brequire\()'([^']+)'/g)]
  expect(imported.length).toBeGreaterThan(5)
  expect(imported.filter(([, name]) => !name?.startsWith('node:'))).toEqual([])
})

/** A server that reports this hash for its agent, and answers 404 for all else. */
async function startServer(
  sha256: string,
  options: PeerOptions = {},
  connect = { code: 'upgrade_required', error: 'Upgrade.' },
) {
  const peer = await RelayPeer.start({
    pingMs: 250,
    ...options,
    answer: (request, response) => {
      if (request.url === '/api/relay/agent') {
        response.end(JSON.stringify({ version, sha256 }))
      } else if (request.url === '/api/relay/connect') {
        const isKnown = request.headers.authorization === 'Bearer apd_test-token'
        response.setHeader('Astropelago-Island', 'bar, tavern')
        response.writeHead(isKnown ? 426 : 401).end(JSON.stringify(connect))
      } else {
        response.writeHead(404).end()
      }
    },
  })
  onTestFinished(() => peer.close())
  return peer
}

test('a Node that is too old says so', () => {
  const source = readFileSync(agentFile, 'utf8')
  expect(source).not.toMatch(/\?\.\D|\?\?|(?:\|\||&&)=/)
})

/** Its clocks run 20 times faster, so that the 20 s on a connection are one. */
async function checkOf(url: string, args: readonly string[]): Promise<readonly string[]> {
  const checked = await runAgent(['--server', url, '--check', ...args], { speed: 20 })
  onTestFinished(() => checked.stop())
  const code = await checked.exited
  const lines = checked.lines().filter((line) => !line.includes(checked.tokenFile))
  expect(code).toBe(lines.some((line) => line.startsWith('FAILS')) ? 1 : 0)
  return lines
}

describe('--check', () => {
  const ownHash = createHash('sha256').update(readFileSync(agentFile)).digest('hex')

  test('reports success and what it would carry, is no agent of an island, and exits with 0', async () => {
    const peer = await startServer(ownHash)
    const { url } = peer
    const tcp = url.replace('http://', '')
    const carried = ['--to', url, '--host-header', 'app.local', '--tcp', tcp]
    expect(await checkOf(url, carried)).toEqual([
      `works: the server ${url}`,
      'works: connecting with this token, for the visitors of bar, tavern',
      ...[5, 10, 15].map((seconds) => `the connection has been open for ${seconds} s`),
      'works: the connection that carries visitors, which stayed open for 20 s',
      `works: the service ${url}, as app.local, which answers 404`,
      `works: TCP at ${tcp}`,
    ])
    expect(peer.dials.map(({ headers }) => headers['astropelago-agent-check'])).toEqual(['1'])
  })

  test('reports failures and another version, and exits with 1', async () => {
    const refused = { code: 'token_scope', error: 'Not for hosting.' }
    const { url, dials } = await startServer('another', {}, refused)
    const args = ['--folder', '/nowhere', '--list', '--tcp', '127.0.0.1:1']
    expect(await checkOf(url, args)).toEqual([
      `works: the server ${url}`,
      'FAILS: connecting with this token, for the visitors of bar, tavern: Not for hosting.',
      `the server has another version of this agent: ${url}/agent.mjs`,
      'FAILS: the folder /nowhere, with lists of its files: it is not there (ENOENT)',
      'FAILS: TCP at 127.0.0.1:1: nothing listens there (ECONNREFUSED)',
    ])
    expect(dials.length).toBe(0)
  })

  test('names the setting of a proxy that passes only WebSockets, or nothing', async () => {
    const some = await startServer(ownHash, { webSocketsAlone: 400 })
    const [, , said, ...rest] = await checkOf(some.url, ['--tcp', '127.0.0.1:1'])
    expect(said).toMatch(
      /^a proxy .* passes only WebSockets, which works too\. In nginx, .*Upgrade/,
    )
    expect(rest).toContain(
      'works: the connection that carries visitors, which stayed open for 20 s',
    )
    const none = await startServer(ownHash, { refuse: () => ({ status: 404 }) })
    expect((await checkOf(none.url, ['--tcp', '127.0.0.1:1']))[2]).toMatch(
      /^FAILS: the connection that carries visitors: a proxy .* \(404\)\. In nginx, .*Upgrade/,
    )
  })

  test.each([
    [
      'holds small pieces back',
      (session: PeerSession) => void session.wire.pause(),
      /: Something in front of the server holds back small pieces of data\. In nginx, set proxy_buffering off/,
    ],
    [
      'ends connections early',
      (session: PeerSession) => void setTimeout(() => session.wire.destroy(), 500),
      /: The connection was lost after \d+ s: .*\. In nginx, set proxy_read_timeout/,
    ],
    [
      'falls silent',
      (session: PeerSession) => session.stopPinging(),
      /: Something in front of the server holds back small pieces of data\. In nginx, set proxy_buffering off/,
    ],
  ])('names the setting of a proxy that %s', async (_, spoil, expected) => {
    const peer = await startServer(ownHash)
    void peer.connected().then(spoil)
    const lines = await checkOf(peer.url, ['--tcp', '127.0.0.1:1'])
    expect(lines.find((line) => line.startsWith('FAILS'))).toMatch(expected)
  })
})

test('--to can be a port of this machine', async () => {
  const home = net.createServer((socket) => socket.on('error', () => undefined).end('hi'))
  const port = await listen(home)
  const peer = await RelayPeer.start()
  const agent = await runAgent(['--server', peer.url, '--to', String(port)])
  onTestFinished(async () => {
    await agent.stop()
    await peer.close()
    home.close()
  })
  const session = await peer.connected()
  expect(await text(session.openStream('http'))).toBe('hi')
  expect(peer.dials[0]?.headers['astropelago-agent-service']).toBe(`http://localhost:${port}`)
})
