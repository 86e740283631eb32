/** Runs deploy/Caddyfile in Debian's Caddy before two servers on one PostgreSQL, and one of them dies. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { tokenHeartbeat } from '@astropelago/contract/devices'
import { liveFeed, streamFeed } from '@astropelago/contract/feed'
import { feedsPerAddress } from '@astropelago/contract/limits'
import { sendHeartbeatOverHttp, signInOverHttp } from '../apps/server/src/test/http-client.ts'
import { launchServer } from '../apps/server/src/test/launch-server.ts'
import { freePort } from '../apps/server/src/test/listen.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { makeFolder, startThrowaway } from './throwaway-process.ts'

/** Of the live feed: far less than a proxy that buffers would hold it back. */
const feedLimitMs = 2000
/** Of 60 a minute each of two servers gives its half. */
const badTokens = 150
/** More than a server takes to hear of a reader who left. */
const leaveMs = 1000
const patienceMs = 20_000
const lookMs = 10

const ends: (() => Promise<unknown>)[] = []
try {
  const postgres = await startDebianPostgres()
  ends.unshift(postgres.stop)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const servers = await Promise.all([
    startServer(postgres.url, url),
    startServer(postgres.url, url),
  ])
  const folder = makeFolder(undefined)
  const caddy = await startThrowaway({
    program: 'caddy',
    args: ['run', '--adapter', 'caddyfile', '--config', resolve('deploy/Caddyfile')],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      SITE_ADDRESS: url,
      SERVERS: servers.map((server) => new URL(server.url).host).join(' '),
    },
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  ends.unshift(caddy.stop)
  await waitUntil(async () => (await fetch(`${url}/readyz`)).ok, 'both servers are found ready')
  await checkFeeds(url)
  await checkLeaving(url)
  await checkAddresses(url)
  await checkDeath(url, servers)
} finally {
  for (const end of ends) await end()
}

type Server = Awaited<ReturnType<typeof launchServer>>

async function startServer(databaseUrl: string, publicUrl: string): Promise<Server> {
  const server = await launchServer({
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      PUBLIC_URL: publicUrl,
      DATABASE_URL: databaseUrl,
      TRUST_PROXY: '127.0.0.1',
    },
  })
  ends.unshift(async () => {
    server.kill('SIGKILL')
    await server.exited
  })
  return server
}

/** @returns the token of a public device of a new user */
async function makeDevice(url: string, username: string): Promise<string> {
  const user = await signInOverHttp(url, username)
  return await user.createToken(await user.registerDevice())
}

/** A feed goes through at once, on every way, whichever server took the heartbeat. */
async function checkFeeds(url: string): Promise<void> {
  const token = await makeDevice(url, 'feeds')
  const feeds = await Promise.all([openEvents(url), openEvents(url), openSocket(url)])
  const before = feeds.map((feed) => feed.count())
  assert.equal(await sendHeartbeatOverHttp(url, token), 204)
  const startMs = performance.now()
  for (const [index, feed] of feeds.entries()) {
    await waitUntil(async () => feed.count() > (before[index] ?? 0), 'a feed tells of a heartbeat')
  }
  const tookMs = performance.now() - startMs
  assert.ok(tookMs < feedLimitMs, `the feeds took ${tookMs} ms`)
  for (const feed of feeds) feed.close()
  console.log(
    `  feeds by events and by WebSocket told of a heartbeat within ${Math.ceil(tookMs)} ms`,
  )
}

/** A server hears at once of readers who leave: else their slots would be taken. */
async function checkLeaving(url: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const feeds = await Promise.all(Array.from({ length: feedsPerAddress }, () => openEvents(url)))
    for (const feed of feeds) feed.close()
    await wait(leaveMs)
  }
  console.log(`  readers who leave give their slots back`)
}

/** Limits see the visitor's address, and not what the visitor claims. */
async function checkAddresses(url: string): Promise<void> {
  const statuses = new Set<number>()
  for (let index = 0; index < badTokens; index += 1) {
    statuses.add(await sendBadToken(url, '127.0.0.1', `10.0.${index}.1`))
  }
  assert.deepEqual([...statuses], [401, 429], 'a visitor got around a limit')
  assert.equal(
    await sendBadToken(url, '127.0.0.2', '127.0.0.1'),
    401,
    'another visitor was limited',
  )
  console.log('  limits see the address of each visitor, whatever X-Forwarded-For claims')
}

async function sendBadToken(url: string, from: string, claimed: string): Promise<number> {
  const call = request(new URL(tokenHeartbeat.path, url), {
    method: 'POST',
    localAddress: from,
    headers: { authorization: `Bearer ${'0'.repeat(43)}`, 'x-forwarded-for': claimed },
  })
  call.end()
  const [answer]: IncomingMessage[] = await once(call, 'response')
  answer?.resume()
  return answer?.statusCode ?? 0
}

/** What can be asked twice goes to the server that is left, also while the other one dies. */
async function checkDeath(url: string, [first, second]: readonly Server[]): Promise<void> {
  assert.ok(first !== undefined && second !== undefined)
  const token = await makeDevice(url, 'death')
  const feeds = await Promise.all([openEvents(url), openEvents(url)])
  const failures: string[] = []
  let calls = 0
  const over = new AbortController()
  const drive = async (name: string, call: () => Promise<number>) => {
    while (!over.signal.aborted) {
      const status = await call()
      calls += 1
      if (status >= 300) failures.push(`${name}: ${status}`)
    }
  }
  const read = async () => (await fetch(`${url}/api/devices`)).status
  const beat = () => sendHeartbeatOverHttp(url, token)
  const driving = [
    drive('list', read),
    drive('list', read),
    drive('heartbeat', beat),
    drive('heartbeat', beat),
  ]
  const seen = async (count: number) => {
    const from = calls
    await waitUntil(async () => calls >= from + count, 'calls are answered')
  }
  await seen(40)
  first.kill('SIGKILL')
  await first.exited
  await seen(100)
  over.abort()
  await Promise.all(driving)
  assert.deepEqual(failures, [])
  assert.equal(feeds.filter((feed) => feed.isOpen()).length, 1, 'feeds were not spread')
  console.log(`  ${calls} calls were answered while a server was killed`)

  for (const feed of feeds) feed.close()
  second.kill('SIGKILL')
  await second.exited
  const answer = await fetch(`${url}/api/devices`)
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'])
  console.log('  without a server the answer is 503 with Retry-After')
}

interface OpenFeed {
  /** Messages so far. */
  readonly count: () => number
  readonly isOpen: () => boolean
  readonly close: () => void
}

/** Resolves when the feed's first message is there. */
async function openEvents(url: string): Promise<OpenFeed> {
  const leaving = new AbortController()
  const answer = await fetch(`${url}${streamFeed.path}`, { signal: leaving.signal })
  assert.equal(answer.status, 200)
  let messages = 0
  let isOpen = true
  const readAll = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      messages += decoder.decode(chunk).split('data:').length - 1
    }
  }
  void readAll()
    // A feed that is cut is what a test is about.
    .catch(() => undefined)
    .finally(() => {
      isOpen = false
    })
  await waitUntil(async () => messages > 0, 'a feed begins')
  return { count: () => messages, isOpen: () => isOpen, close: () => leaving.abort() }
}

async function openSocket(url: string): Promise<OpenFeed> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${liveFeed.path}`)
  let messages = 0
  socket.addEventListener('message', () => (messages += 1))
  await waitUntil(async () => messages > 0, 'a WebSocket begins')
  return {
    count: () => messages,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.close(),
  }
}

async function waitUntil(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const untilMs = performance.now() + patienceMs
  while (!(await isSo())) {
    assert.ok(performance.now() < untilMs, `not within ${patienceMs} ms: ${what}`)
    await wait(lookMs)
  }
}
