import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import type { AccessPolicy } from '@astropelago/contract/islands'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { joinTestIsland, viewIsland } from '../../test/api-islands.ts'
import type { TestBrowser } from '../../test/create-test-app.ts'
import { connectAgent, type OnRequest } from '../../test/relay-agent.ts'
import { createRelayApp } from '../../test/relay-app.ts'
import { echo, openIsland, opensPage, visitorOf } from '../../test/relay-visitor.ts'

const endlessBelowRoot: OnRequest = (request, response) => {
  if (request.url === '/') echo(request, response)
  else response.writeHead(200).flushHeaders()
}

/** A relayed island, its host, an operator and a guest. */
async function setUp(access: AccessPolicy) {
  const relay = await createRelayApp({
    config: { operators: new Set(['captain']) },
    isHostTrusted: false,
  })
  const isle = await openIsland(relay, { access, isListed: false }, endlessBelowRoot)
  const [operator, guest] = [await relay.signUp('Captain'), await relay.signUp('Ada')]
  const browserOf = (user?: TestBrowser) => visitorOf(relay, isle.slug, user)
  const say = async (what: 'pause' | 'continue', payload = {}) => {
    const answer = await relay.host.inject({
      method: 'POST',
      url: `/api/islands/${isle.island.id}/${what}`,
      ...(what === 'pause' && { payload }),
    })
    expect(answer.statusCode).toBe(200)
  }
  const host = `${isle.slug}.localhost:${relay.port}`
  /** Opens an endless answer and a WebSocket, and reports when they are cut. */
  const stay = async (cookie: OutgoingHttpHeaders) => {
    const headers = { 'user-agent': 'curl/8', ...cookie }
    const endless = await relay.begin({ path: '/endless', host, headers })
    const socket = new WebSocket(`ws://127.0.0.1:${relay.port}/socket`, {
      headers: { host, ...headers },
    })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    return { ended: Promise.all([once(endless.resume(), 'error'), once(socket, 'close')]) }
  }
  return { ...relay, ...isle, operator, guest, browserOf, say, stay }
}

test('R56 S57 a pause empties an island within a second, then lets in only its host and operators', async () => {
  const { host, operator, guest, slug, clock, browserOf, say, stay } = await setUp('public')
  const [own, theirs] = [browserOf(host), browserOf(guest)]
  await own.enter()
  await theirs.enter()
  const ofHost = await stay({ cookie: own.cookie() })
  const others = [await stay({}), await stay({ cookie: theirs.cookie() })]
  await expect.poll(async () => (await viewIsland(host, slug))?.isOpen).toBe(true)
  const until = new Date(clock.now() + 3_600_000).toISOString()
  await say('pause', { text: 'A <new> disk', until })
  const startedMs = performance.now()
  await Promise.all(others.map(({ ended }) => ended))
  expect(performance.now() - startedMs).toBeLessThan(1000)

  for (const browser of [theirs, browserOf()]) {
    const { status, headers, body } = await browser.open('/')
    expect([status, headers['retry-after']]).toEqual([503, '3600'])
    for (const text of [
      ' is paused</h1>',
      'A &lt;new&gt; disk',
      `Back at <time datetime="${until}">`,
    ]) {
      expect(body).toContain(text)
    }
    // What the island stored in a browser stays for when it is back.
    expect(headers).not.toHaveProperty('clear-site-data')
  }
  const program = await browserOf().open('/', { 'user-agent': 'curl/8', accept: '*/*' })
  expect(program.body).toMatch(
    /is paused\. Its host lets nobody in for now\.\nA <new> disk\nBack at /,
  )

  expect((await own.open('/')).status).toBe(200)
  // Their link leads through signing in, which identifies them.
  for (const by of [host, operator]) {
    expect((await viewIsland(by, slug))?.address).toMatch(/\/\.astropelago\/enter$/)
    const browser = browserOf(by)
    await browser.enter()
    expect((await browser.open('/')).status).toBe(200)
  }
  expect((await viewIsland(guest, slug))?.address).toBeNull()
  expect(await Promise.race([ofHost.ended, Promise.resolve('inside')])).toBe('inside')

  // The pause ends by its time, without any other event.
  clock.move(3_600_000)
  expect((await theirs.open('/')).status).toBe(200)
  expect((await browserOf().open('/', { 'user-agent': 'curl/8' })).status).toBe(200)
})

test('R56 S54 a pause shows nothing to users who may not know of the island; a member reads it and is in again after it', async () => {
  const { guest, slug, signUp, remove, browserOf, say } = await setUpForMembers()
  const member = browserOf(guest)
  await member.enter()
  expect((await member.open('/')).status).toBe(200)
  const stranger = browserOf(await signUp())
  const without = ({ status, headers, body }: Awaited<ReturnType<typeof stranger.open>>) => ({
    status,
    body,
    to: headers.location?.replace(/state=[^&]*/, ''),
  })
  const before = without(await stranger.open('/'))
  await say('pause', { text: 'Back soon' })
  expect(without(await stranger.open('/'))).toEqual(before)
  expect((await stranger.open('/app.js', { 'user-agent': 'Mozilla/5.0' })).status).toBe(404)

  const answer = await member.open('/')
  expect([answer.status, answer.body]).toEqual([503, expect.stringContaining('Back soon')])
  expect(answer.headers).not.toHaveProperty('clear-site-data')
  const doorway = async (by: TestBrowser) =>
    (await by.inject({ url: `/api/relay/access/${slug}` })).json<{ pause: unknown }>().pause
  expect(await doorway(guest)).toEqual({ text: 'Back soon', until: null })
  await say('continue')
  expect((await member.open('/')).status).toBe(200)
  expect(await doorway(guest)).toBeNull()

  // A former member learns no more about the next pause than any stranger.
  await remove(guest.username)
  await say('pause')
  expect((await member.open('/', opensPage)).status).toBe(302)
})

/** The same with the access policy `invited` and the guest as a member. */
async function setUpForMembers() {
  const world = await setUp('members')
  const { host, guest, island } = world
  const url = `/api/islands/${island.id}`
  expect(await joinTestIsland(guest, island.id)).toBe('member')
  const payload = { access: 'invited', isListed: false }
  await host.inject({ method: 'POST', url: `${url}/publish`, payload })
  const remove = (username: string) =>
    host.inject({ method: 'DELETE', url: `${url}/members/${username}` })
  return { ...world, remove }
}

test('an agent stays connected through a pause, and its host still sees the relay’s state', async () => {
  const { host, island, token, url, agent, say } = await setUp('public')
  await say('pause')
  const state = async () =>
    (await host.inject({ url: `/api/islands/${island.id}/relay` })).json<object>()
  expect(await state()).toMatchObject({ condition: { state: 'carried' } })
  expect(agent.wire.destroyed).toBe(false)
  await expect.poll(() => connectAgent(url, token, { onRequest: echo })).toBeDefined()
})
