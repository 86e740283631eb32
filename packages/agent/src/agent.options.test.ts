import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from './testing/listen.ts'
import { RelayPeer } from './testing/relay-peer.ts'
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
  for (const option of ['--to', '--folder', '--list', '--tcp', '--token-file', '--check']) {
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
  [['--server', 'http://localhost', '--to', '8080'], '--to is an address such as'],
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
  [['--serve', 'http://localhost'], "Unknown option '--serve'"],
])('%j ends the agent for good with a message', async (args, text) => {
  const agent = await runAgent(args)
  onTestFinished(() => agent.stop())
  expect(await agent.exited).toBe(2)
  expect(agent.lines()[0]).toContain(text)
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

/** A server that reports this hash for its agent, and no service. */
async function startServer(
  sha256: string,
  connect = { code: 'upgrade_required', error: 'Upgrade.' },
) {
  const server = http.createServer((request, response) => {
    if (request.url === '/api/relay/agent') {
      response.end(JSON.stringify({ version, sha256 }))
    } else if (request.url === '/api/relay/connect') {
      const isKnown = request.headers.authorization === 'Bearer apd_test-token'
      response.setHeader('Astropelago-Island', 'bar, tavern')
      response.writeHead(isKnown ? 426 : 401).end(JSON.stringify(connect))
    } else {
      response.writeHead(404).end()
    }
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  return `http://localhost:${port}`
}

test('a Node that is too old says so', () => {
  const source = readFileSync(agentFile, 'utf8')
  expect(source).not.toMatch(/\?\.\D|\?\?|(?:\|\||&&)=/)
})

describe('--check', () => {
  const ownHash = createHash('sha256').update(readFileSync(agentFile)).digest('hex')

  test('reports success and what it would carry, connects nothing and exits with 0', async () => {
    const url = await startServer(ownHash)
    const tokenFile = await tokenFileOf()
    const tcp = url.replace('http://', '')
    const carried = ['--to', url, '--host-header', 'app.local', '--tcp', tcp]
    const checked = await runAgent(['--server', url, ...carried, '--check'], { tokenFile })
    onTestFinished(() => checked.stop())
    expect(await checked.exited).toBe(0)
    expect(checked.lines()).toEqual([
      `works: the token in ${tokenFile}`,
      `works: the server ${url}`,
      'works: connecting with this token, for the visitors of bar, tavern',
      `works: the service ${url}, as app.local, which answers 404`,
      `works: TCP at ${tcp}`,
    ])
  })

  test('reports failures and another version, and exits with 1', async () => {
    const url = await startServer('another', { code: 'token_scope', error: 'Not for hosting.' })
    const tokenFile = await tokenFileOf()
    const folder = join(dirname(tokenFile), 'none')
    const checked = await runAgent(
      ['--server', url, '--folder', folder, '--list', '--tcp', '127.0.0.1:1', '--check'],
      { tokenFile },
    )
    onTestFinished(() => checked.stop())
    expect(await checked.exited).toBe(1)
    expect(checked.lines()).toEqual([
      `works: the token in ${tokenFile}`,
      `works: the server ${url}`,
      'FAILS: connecting with this token, for the visitors of bar, tavern: Not for hosting.',
      `the server has another version of this agent: ${url}/agent.mjs`,
      expect.stringMatching(
        /^FAILS: the folder .*, with lists of its files: it is not there \(ENOENT\)$/,
      ),
      'FAILS: TCP at 127.0.0.1:1: nothing listens there (ECONNREFUSED)',
    ])
  })
})
