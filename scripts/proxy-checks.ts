/**
 * Checks of what a reverse proxy must preserve: live feeds, their ends, and the client's address. Each
 * throws if it fails.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { tokenHeartbeat } from '@astropelago/contract/devices'
import { liveFeed, streamFeed } from '@astropelago/contract/feed'
import { feedsPerAddress } from '@astropelago/contract/limits'
import { sendHeartbeatOverHttp, signInOverHttp } from '../apps/server/src/test/http-client.ts'

/** For the live feed. A proxy that buffers would delay it much longer. */
const feedLimitMs = 2000
/** The limit is 60 a minute, and each of two servers allows half of that. */
const badTokens = 150
/** Longer than a server takes to notice that a reader left. */
const leaveMs = 1000
const patienceMs = 20_000
const lookMs = 10

/** @returns the token of a public device of a new user */
export async function makeDevice(url: string, username: string): Promise<string> {
  const user = await signInOverHttp(url, username)
  return await user.createToken(await user.registerDevice())
}

/** Each kind of feed delivers at once, whichever server accepts the heartbeat. */
export async function checkFeeds(url: string): Promise<void> {
  const token = await makeDevice(url, 'feeds')
  const feeds = await Promise.all([openEvents(url), openEvents(url), openSocket(url)])
  const before = feeds.map((feed) => feed.count())
  assert.equal(await sendHeartbeatOverHttp(url, token), 204)
  const startMs = performance.now()
  for (const [index, feed] of feeds.entries()) {
    await waitUntil(async () => feed.count() > (before[index] ?? 0), 'a feed reports a heartbeat')
  }
  const tookMs = performance.now() - startMs
  assert.ok(tookMs < feedLimitMs, `the feeds took ${tookMs} ms`)
  for (const feed of feeds) feed.close()
  console.log(
    `  feeds by events and by WebSocket reported a heartbeat within ${Math.ceil(tookMs)} ms`,
  )
}

/** A server notices at once when readers leave. Otherwise their slots would stay taken. */
export async function checkLeaving(url: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const feeds = await Promise.all(Array.from({ length: feedsPerAddress }, () => openEvents(url)))
    for (const feed of feeds) feed.close()
    await wait(leaveMs)
  }
  console.log(`  readers who leave give their slots back`)
}

/** Rate limits see the client's real address, and ignore one that the client claims. */
export async function checkAddresses(url: string): Promise<void> {
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
  const request = url.startsWith('https:') ? requestByHttps : requestByHttp
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

interface OpenFeed {
  /** The number of messages so far. */
  readonly count: () => number
  readonly isOpen: () => boolean
  readonly close: () => void
}

/** Resolves when the feed's first message has arrived. */
export async function openEvents(url: string): Promise<OpenFeed> {
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
    // Some tests cut the feed on purpose.
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

export async function waitUntil(
  isSo: () => Promise<boolean>,
  what: string,
  limitMs = patienceMs,
): Promise<void> {
  const untilMs = performance.now() + limitMs
  while (!(await isSo())) {
    assert.ok(performance.now() < untilMs, `not within ${limitMs} ms: ${what}`)
    await wait(lookMs)
  }
}
