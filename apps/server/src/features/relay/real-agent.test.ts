import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { listen } from '../../test/listen.ts'
import { noise } from '../../test/relay-agent.ts'
import { createRelayApp } from '../../test/relay-app.ts'

const agentFile = fileURLToPath(
  new URL('../../../../../packages/agent/src/agent.mjs', import.meta.url),
)

function throwawayFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The server with an island, and real agents as processes. */
async function setUp() {
  const relay = await createRelayApp()
  const tokenFile = join(throwawayFolder(), 'token')
  writeFileSync(tokenFile, relay.token, { mode: 0o600 })

  const runAgent = (...options: string[]) => {
    const server = ['--server', relay.url, '--token-file', tokenFile]
    const child = spawn(process.execPath, [agentFile, ...server, ...options])
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines: string[] = []
    const output = createInterface(child.stdout)
    // Without the timestamps.
    output.on('line', (line) => lines.push(line.replace(/^\S+Z /, '')))
    const said = async (line: string) => {
      while (!lines.includes(line)) await once(output, 'line')
    }
    return { lines, exited: once(child, 'close'), said }
  }
  /** The server may notice the agent a moment later. */
  const isOpen = async () => (await relay.visit()).status === 200
  return { ...relay, runAgent, isOpen }
}

/** Serves a page, and echoes what is posted or sent by WebSocket. */
async function startService(name = 'home') {
  const service = createServer((request, response) => {
    if (request.method === 'POST') request.pipe(response)
    else response.setHeader('x-host', request.headers.host ?? '').end(name)
  })
  new WebSocketServer({ server: service }).on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  )
  const url = await listen(service)
  onTestFinished(() => {
    service.closeAllConnections()
    service.close()
  })
  return url
}

test('the agent carries pages, uploads and WebSockets between a visitor and a service', async () => {
  const { runAgent, visit, isOpen, slug, hostName, port } = await setUp()
  const agent = runAgent('--to', await startService())
  await agent.said(`connected as ${slug}`)
  await expect.poll(isOpen).toBe(true)
  const page = await visit()
  expect([page.status, page.body, page.headers['x-host']]).toEqual([200, 'home', hostName])
  const body = noise(3_000_000).toString('base64')
  expect((await visit({ method: 'POST', body })).body === body).toBe(true)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: hostName } })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const message = noise(1_000_000)
  socket.send(message)
  const [echo]: Buffer[] = await once(socket, 'message')
  expect(echo?.equals(message)).toBe(true)
})

test('the agent carries a folder, and ranges of its files', async () => {
  const { runAgent, visit, isOpen, slug } = await setUp()
  const folder = throwawayFolder()
  writeFileSync(join(folder, 'index.html'), '<h1>Home</h1>')
  const agent = runAgent('--folder', folder)
  await agent.said(`connected as ${slug}`)
  await expect.poll(isOpen).toBe(true)
  const page = await visit()
  expect([page.status, page.body]).toEqual([200, '<h1>Home</h1>'])
  const part = await visit({ path: '/index.html', headers: { range: 'bytes=4-7' } })
  expect([part.status, part.body]).toEqual([206, 'Home'])
  expect((await visit({ path: '/none' })).status).toBe(404)
})

test('R49 two agents with one id end up side by side: the older one takes a new id', async () => {
  const { runAgent, visit, slug } = await setUp()
  const first = runAgent('--to', await startService('first'))
  await first.said(`connected as ${slug}`)
  const second = runAgent('--to', await startService('second'))
  await first.said('another agent runs with this token file: both go on')
  const answers = new Set<string>()
  await expect
    .poll(async () => {
      answers.add((await visit()).body)
      return answers.has('first') && answers.has('second')
    })
    .toBe(true)
  const dials = [first, second].map(
    ({ lines }) => lines.filter((line) => line.startsWith('connecting')).length,
  )
  expect(dials).toEqual([2, 1])
})

test('R49 an agent whose token is revoked exits and says why', async () => {
  const { runAgent, host, tokenId, slug } = await setUp()
  const agent = runAgent('--to', await startService())
  await agent.said(`connected as ${slug}`)
  await host.inject({ method: 'DELETE', url: `/api/devices/tokens/${tokenId}` })
  expect(await agent.exited).toEqual([2, null])
  expect(agent.lines.at(-1)).toBe('refused: This device token is missing, wrong or revoked.')
})
