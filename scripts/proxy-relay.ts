/**
 * Checks of what a reverse proxy must preserve for the relay: the real agent carries an island through it.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { signInOverHttp, type HttpClient } from '../apps/server/src/test/http-client.ts'
import { listen } from '../apps/server/src/test/listen.ts'
import { askEcho, echoWebSockets } from '../apps/server/src/test/web-socket-echo.ts'
import { waitUntil } from './proxy-checks.ts'
import { makeIsland } from './relay/make-island.ts'

const agentFile = resolve(import.meta.dirname, '../packages/agent/src/agent.mjs')
/** More than the site accepts as a body, and more than proxies buffer in memory. */
const largeBytes = 24 * 1024 * 1024
const messageBytes = 1024 * 1024

interface RelayedOptions {
  /** The site's https origin at the proxy. */
  readonly url: string
  readonly relayDomain: string
  /** The authority that signed the proxy's certificate, in PEM. */
  readonly authority: { readonly file: string; readonly pem: string }
  /** The server's data folder. */
  readonly dataDir: string
  readonly folder: string
}

export interface RelayedIsland {
  readonly host: HttpClient
  readonly id: string
  readonly slug: string
  /** Sends a visitor's request. The caller reads the answer. */
  readonly visit: (visit?: Grant) => Promise<IncomingMessage>
  readonly stop: () => Promise<void>
}

interface Grant {
  readonly path?: string
  readonly method?: string
  readonly slug?: string
  readonly headers?: OutgoingHttpHeaders
  /** The body, or a function that sends it. */
  readonly body?: Buffer | ((send: (chunk: Buffer, isLast: boolean) => void) => Promise<void>)
}

/** Makes a public island, starts its service and its agent, and waits until visitors reach it. */
export async function startRelayedIsland(options: RelayedOptions): Promise<RelayedIsland> {
  const { url, relayDomain, authority, dataDir, folder } = options
  const { port } = new URL(url)
  const host = await signInOverHttp(url, 'harbor')
  const service = await startService()
  const { slug, id, token } = await makeIsland(host, 'harbor-lab')
  const tokenFile = join(folder, 'relay-token')
  writeFileSync(tokenFile, token, { mode: 0o600 })
  await trust(dataDir, 'harbor')
  const agent = spawn(
    process.execPath,
    [agentFile, '--server', url, '--to', service.url, '--token-file', tokenFile],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: authority.file }, stdio: 'pipe' },
  )
  let log = ''
  for (const output of [agent.stdout, agent.stderr]) {
    output.on('data', (chunk: Buffer) => (log += chunk.toString()))
  }
  const ended = once(agent, 'close')
  const visit = ({ path = '/', method = 'GET', body, slug: other = slug, headers }: Grant = {}) =>
    new Promise<IncomingMessage>((answered, failed) => {
      const name = `${other}.${relayDomain}`
      const call = request({
        host: '127.0.0.1',
        port,
        path,
        method,
        servername: name,
        ca: authority.pem,
        agent: false,
        headers: { host: `${name}:${port}`, ...headers },
      })
      call.on('response', answered).on('error', failed)
      if (typeof body === 'function') {
        body((chunk, isLast) => (isLast ? call.end(chunk) : call.write(chunk))).catch(failed)
      } else call.end(body)
    })
  const stop = async () => {
    agent.kill('SIGTERM')
    await ended
    await service.stop()
  }
  try {
    await waitUntil(async () => {
      assert.equal(agent.exitCode, null, log)
      const answer = await visit().catch(() => undefined)
      answer?.resume()
      return answer?.statusCode === 200
    }, 'the island is there')
  } catch (error) {
    await stop()
    throw new Error(`The agent said: ${log}`, { cause: error })
  }
  await checkIsland(visit, service, { slug, port, relayDomain, ca: authority.pem })
  return { host, id, slug, visit, stop }
}

/** Trusts the user as an operator would, so that visitors are let in without a question first. */
async function trust(dataDir: string, username: string): Promise<void> {
  const admin = spawn(
    process.execPath,
    [resolve(import.meta.dirname, '../apps/server/src/admin.ts'), 'hosts', 'trust', username],
    {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const [code] = await once(admin, 'close')
  assert.equal(code, 0)
}

interface Service {
  readonly url: string
  readonly large: Buffer
  /** How many bytes of the current upload have arrived. */
  readonly uploaded: () => number
  readonly stop: () => Promise<void>
}

/** A service at home: a page, a large file, uploads, events and WebSockets. */
async function startService(): Promise<Service> {
  const large = randomBytes(largeBytes)
  let uploaded = 0
  const server = createServer((asked, answer) => {
    answer.on('error', () => undefined)
    if (asked.url === '/large') {
      answer.end(large)
    } else if (asked.url === '/events') {
      answer.writeHead(200, { 'content-type': 'text/plain' }).write('begun')
    } else if (asked.url === '/accel') {
      answer.writeHead(200, { 'x-accel-redirect': '/large', 'x-accel-buffering': 'yes' })
      answer.end('my own words')
    } else if (asked.url === '/upload') {
      uploaded = 0
      const hash = createHash('sha256')
      asked.on('data', (chunk: Buffer) => {
        uploaded += chunk.length
        hash.update(chunk)
      })
      asked.on('end', () => answer.end(hash.digest('hex')))
    } else answer.end(`A page for ${asked.headers.host}`)
  })
  const endSockets = echoWebSockets(server, 2 * messageBytes)
  const url = await listen(server)
  return {
    url,
    large,
    uploaded: () => uploaded,
    stop: async () => {
      server.closeAllConnections()
      endSockets()
      await new Promise((done) => server.close(done))
    },
  }
}

interface IslandAddress {
  readonly slug: string
  readonly port: string
  readonly relayDomain: string
  readonly ca: string
}

async function checkIsland(
  visit: RelayedIsland['visit'],
  { large, uploaded }: Service,
  { slug, port, relayDomain, ca }: IslandAddress,
): Promise<void> {
  const name = `${slug}.${relayDomain}`
  const page = (await buffer(await visit())).toString()
  assert.match(page, new RegExp(`^A page for ${name}`))
  assert.ok((await buffer(await visit({ path: '/large' }))).equals(large), 'a download has changed')

  const events = await visit({ path: '/events' })
  const [first]: Buffer[] = await once(events, 'data')
  assert.equal(first?.toString(), 'begun', 'a stream waits in the proxy')
  events.destroy()

  // The first half of an upload reaches the service before the second half is sent.
  const half = largeBytes / 2
  const answer = await visit({
    path: '/upload',
    method: 'POST',
    body: async (send) => {
      send(large.subarray(0, half), false)
      await waitUntil(async () => uploaded() === half, 'half an upload is there')
      send(large.subarray(half), true)
    },
  })
  const sum = createHash('sha256')
  await pipeline([large], sum)
  assert.equal((await buffer(answer)).toString(), sum.digest('hex'), 'an upload has changed')

  assert.equal((await buffer(await visit({ path: '/accel' }))).toString(), 'my own words')

  // Another island can leave cookies of this size in a browser.
  const headers = { accept: 'text/html', cookie: `a=${'x'.repeat(4000)}; `.repeat(100) }
  const oversized = await visit({ path: '/deep/page', headers })
  assert.equal(oversized.statusCode, 431)
  assert.match((await buffer(oversized)).toString(), /Try again/, 'no page mends cookies')

  const message = large.subarray(0, messageBytes)
  const { echoed, code } = await askEcho({ port, name, ca, message, closeCode: 4001 })
  assert.ok(echoed !== undefined && message.equals(echoed), 'a message has changed')
  assert.equal(code, 4001)
  console.log('  an island at home: page, 24 MiB down and up, events, WebSocket')
}

/** The question that the proxy itself asks the server is not answered through the proxy. */
export async function checkNobodyAsks(url: string, domain: string): Promise<void> {
  const answer = await fetch(`${url}/relay/tls-allowed?domain=${domain}`)
  assert.equal(answer.status, 404)
}
