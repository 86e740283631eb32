import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { sessionIdleDays } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { expect, onTestFinished, test } from 'vitest'
import type { LightMyRequestResponse } from 'fastify'
import { joinTestIsland } from '../../../test/api-islands.ts'
import { operatorOf, operatorOptions } from '../../../test/operator-app.ts'
import { createRelayApp, shareRelayApp } from '../../../test/relay-app.ts'
import { echo, openIsland, opensPage, visitorOf } from '../../../test/relay-visitor.ts'
import { testPassword } from '../../../test/factories.ts'
import type { OnRequest } from '../../../test/relay-agent.ts'

const Headers = v.record(v.string(), v.string())
const script = {
  'user-agent': 'Mozilla/5.0',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
  accept: '*/*',
}
/** Safari 16.3, which sends no `Sec-Fetch-Site`. */
const olderBrowser = {
  'user-agent':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.3 Safari/605.1.15',
  accept: '*/*',
}

/** An island for signed-in users, and the browser of one of them. */
async function setUp(
  onRequest: OnRequest = echo,
  access: 'members' | 'public' = 'members',
  opening = shareRelayApp(operatorOptions),
) {
  const relay = await opening
  const isle = await openIsland(relay, { access, isListed: access === 'public' }, onRequest)
  const ada = await relay.signUp()
  const browser = visitorOf(relay, isle.slug, ada)
  /** The headers that the service gets with a request of this browser. */
  const received = async (path = '/', headers = {}) => {
    const { status, body } = await browser.open(path, { ...opensPage, ...headers })
    expect([status, body]).toEqual([200, expect.any(String)])
    return v.parse(Headers, JSON.parse(body))
  }
  const publish = (changes: object) =>
    relay.host.inject({
      method: 'POST',
      url: `/api/islands/${isle.island.id}/publish`,
      payload: { access: 'members', isListed: false, ...changes },
    })
  const hide = async () =>
    (await operatorOf(relay)).inject({
      method: 'POST',
      url: `/api/operator/hidden/island/${isle.island.id}`,
      payload: { reason: 'spam' },
    })
  return { ...relay, ...isle, relay, ada, browser, received, publish, hide }
}

/** The same on a server of its own. */
const setUpAlone = (onRequest?: OnRequest) =>
  setUp(onRequest, 'members', createRelayApp(operatorOptions))

type World = Awaited<ReturnType<typeof setUp>>

/** Opens an endless answer and a WebSocket. `ended` resolves when both are cut. */
async function stay({ begin, slug, port }: World, headers: OutgoingHttpHeaders) {
  const host = `${slug}.localhost:${port}`
  const endless = await begin({ path: '/endless', host, headers })
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { host, ...v.parse(Headers, headers) },
  })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const closed = once(socket, 'close')
  const cut = once(endless.resume(), 'error').then(String)
  return { ended: Promise.all([cut, closed]) }
}

/** Lets a visitor in, takes the access away, and reports what is left of it. */
async function endGrant(world: World, end: () => Promise<LightMyRequestResponse>) {
  const { browser, clock } = world
  await browser.enter()
  const { ended } = await stay(world, { ...script, cookie: browser.cookie() })
  const { statusCode } = await end()
  const endedMs = performance.now()
  const [cut] = await ended
  const tookMs = performance.now() - endedMs
  clock.move(901)
  const statuses = [(await browser.open('/', script)).status, (await browser.open('/')).status]
  return { tookMs, isDone: statusCode < 300, cut, statuses }
}

const nothing = { isDone: true, cut: expect.stringContaining('aborted'), statuses: [404, 302] }

const endless: OnRequest = (_request, response) => response.writeHead(200).flushHeaders()

const endlessBelowRoot: OnRequest = (request, response) => {
  if (request.url === '/') echo(request, response)
  else endless(request, response)
}

test('R20 a visitor with the right is led to the site, back, and in to the page they wanted', async () => {
  const { browser, received, slug, port } = await setUp()
  const sent = await browser.open('/deep/page?q=a%20b')
  expect([sent.status, sent.headers['referrer-policy']]).toEqual([302, 'no-referrer'])
  const site = new URL(sent.headers.location ?? '')
  expect(site.origin + site.pathname).toBe(`http://localhost:3000/islands/${slug}/enter`)
  expect(site.searchParams.get('to')).toBe('/deep/page?q=a%20b')
  // The site gets only a hash of the cookie, from which the cookie can't be derived.
  const state = site.searchParams.get('state') ?? ''
  expect(browser.cookie()).not.toContain(state)

  const { ticket } = (await browser.askTicket(state)).json<{ ticket: string }>()
  const back = await browser.bring(ticket, '/deep/page?q=a%20b')
  expect([back.status, back.headers.location, back.headers['referrer-policy']]).toEqual([
    302,
    `http://${slug}.localhost:${port}/deep/page?q=a%20b`,
    'no-referrer',
  ])
  expect(back.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^astropelago_visit=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ])
  expect((await received('/deep/page?q=a%20b'))['url']).toBe('/deep/page?q=a%20b')
  // The page's own requests carry the same cookie.
  expect((await browser.open('/app.js', script)).status).toBe(200)
})

test('S56 R20 R21 a ticket works once, for a minute, on its island, in its browser', async () => {
  const { relay, browser, ada, clock } = await setUp()
  const ticketOf = async (visitor = browser) => {
    const { state } = await visitor.beginAt()
    return (await visitor.askTicket(state, false, ada)).json<{ ticket: string }>().ticket
  }
  const other = await openIsland(relay, { access: 'members' })
  const elsewhere = visitorOf(relay, other.slug, ada)
  await elsewhere.beginAt()
  const stranger = visitorOf(relay, relay.slug)
  const anotherBrowser = visitorOf(relay, browser.slug, ada)
  await anotherBrowser.beginAt()

  const ticket = await ticketOf()
  for (const wrong of [anotherBrowser, elsewhere, stranger]) {
    expect((await wrong.bring(ticket)).status).toBe(403)
    expect([...wrong.jar.keys()]).not.toContain('astropelago_visit')
  }
  clock.move(59_999)
  expect((await browser.bring(ticket)).status).toBe(302)
  browser.jar.delete('astropelago_visit')
  expect((await browser.bring(ticket)).status).toBe(403)

  const late = await ticketOf()
  clock.move(60_000)
  const refused = await browser.bring(late)
  expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined])
  expect(refused.body).toContain('This link no longer works')
  // The page links to the service, and its own URL contains the ticket.
  expect(refused.headers['referrer-policy']).toBe('no-referrer')
})

test('R20 each of several pages that a browser opens at once comes in', async () => {
  const { browser } = await setUp()
  const states = [(await browser.beginAt('/a')).state, (await browser.beginAt('/b')).state]
  const tickets = []
  for (const state of states) {
    tickets.push((await browser.askTicket(state)).json<{ ticket: string }>().ticket)
  }
  for (const ticket of tickets) expect((await browser.bring(ticket, '/a')).status).toBe(302)
  // A used ticket does no harm if the browser is already let in.
  expect((await browser.bring(tickets[0] ?? '', '/a')).status).toBe(302)
})

test('R20 a grant is for its island only, even if its cookie is sent elsewhere', async () => {
  const { relay, browser } = await setUp()
  await browser.enter()
  const invited = await openIsland(relay, { access: 'invited' })
  const there = visitorOf(relay, invited.slug)
  there.jar.set('astropelago_visit', browser.jar.get('astropelago_visit') ?? '')
  expect((await there.open('/', script)).status).toBe(404)
  expect((await there.open('/')).status).toBe(302)
})

test('R21 no ticket and none of our cookies reach the service, whatever is requested at the relay’s paths', async () => {
  const asked: string[] = []
  const { browser } = await setUp((request, response) => {
    asked.push(JSON.stringify([request.url, request.headers]))
    echo(request, response)
  })
  await browser.enter()
  browser.jar.set('theme', 'dark')
  for (const [path, method] of [
    ['/.astropelago/enter?ticket=secret', 'POST'],
    ['/.astropelago/enter?ticket=secret', 'HEAD'],
    ['/.astropelago/else', 'GET'],
  ] as const) {
    expect((await browser.open(path, opensPage, method)).status).toBe(404)
  }
  expect((await browser.open('/page')).status).toBe(200)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('"cookie":"theme=dark"')
  expect(asked[0]).not.toMatch(/astropelago_|secret/)
})

test('R21 what is stored lets nobody in, and the log never contains it', async () => {
  const { browser, storage, logged } = await setUpAlone()
  const { state } = await browser.beginAt()
  const { ticket } = (await browser.askTicket(state)).json<{ ticket: string }>()
  const [stored] = await storage.db.selectFrom('relay_tickets').selectAll().execute()
  await browser.bring(ticket)
  const [visit] = await storage.db.selectFrom('relay_grants').selectAll().execute()
  const hashes = [stored?.ticket_hash, visit?.grant_hash].map((hash) => Buffer.from(hash ?? []))
  for (const secret of [ticket, browser.jar.get('astropelago_visit') ?? 'none']) {
    for (const hash of hashes) {
      expect(hash.length).toBe(32)
      expect(hash.equals(Buffer.from(secret, 'base64url'))).toBe(false)
    }
    expect(logged()).not.toContain(secret)
  }
})

test.each<[string, (world: World) => Promise<LightMyRequestResponse>, begin?: typeof setUpAlone]>([
  ['its session', ({ ada }) => ada.inject({ url: '/api/auth/logout' })],
  ['its island’s open access', ({ publish }) => publish({ access: 'invited' })],
  ['its island, which an operator hides,', ({ hide }) => hide()],
  [
    'its place among the guests',
    ({ host, island, ada }) =>
      host.inject({ method: 'POST', url: `/api/islands/${island.id}/blocks/${ada.username}` }),
  ],
  [
    'its session by time',
    async ({ ada, clock }) => {
      clock.move(sessionIdleDays * 86_400_000)
      return await ada.inject({ url: '/healthz' })
    },
    setUpAlone,
  ],
  [
    'its account',
    ({ ada }) =>
      ada.inject({ method: 'POST', url: '/api/me/delete', payload: { password: testPassword } }),
  ],
])(
  'R22 S57 a grant that loses %s ends within a second, with everything in progress',
  async (_, end, begin = setUp) => {
    const world = await begin(endlessBelowRoot)
    const { tookMs, ...left } = await endGrant(world, () => end(world))
    expect(tookMs).toBeLessThan(1000)
    expect(left).toEqual(nothing)
  },
)

test('R22 S57 a removed member is out within a second, with everything in progress', async () => {
  const world = await setUp(endlessBelowRoot)
  const { ada, host, island, publish } = world
  expect(await joinTestIsland(ada, island.id)).toBe('member')
  await publish({ access: 'invited' })
  const { tookMs, ...left } = await endGrant(world, () =>
    host.inject({ method: 'DELETE', url: `/api/islands/${island.id}/members/${ada.username}` }),
  )
  expect(tookMs).toBeLessThan(1000)
  expect(left).toEqual(nothing)
})

test('R22 S57 an island that an operator hides is empty within a second, signed-out visitors included', async () => {
  const world = await setUp(endlessBelowRoot, 'public')
  const { ended } = await stay(world, script)
  expect((await world.hide()).statusCode).toBe(204)
  const hiddenMs = performance.now()
  expect((await ended)[0]).toContain('aborted')
  expect(performance.now() - hiddenMs).toBeLessThan(1000)
})

test('R22 S57 transfers of a grant that another server ended are cut by the next check', async () => {
  const { browser, begin, slug, port, storage } = await setUpAlone(endless)
  await browser.enter()
  const headers = { ...script, cookie: browser.cookie() }
  const answer = await begin({ host: `${slug}.localhost:${port}`, headers })
  await storage.db.deleteFrom('sessions').execute()
  await expect(text(answer)).rejects.toThrow('aborted')
})

test('R22 a page’s many requests are let in from the cache, for less than a second', async () => {
  const { browser, storage, clock } = await setUp()
  await browser.enter()
  await browser.open('/')
  await storage.db.deleteFrom('relay_grants').execute()
  for (let at = 0; at < 20; at += 1) {
    expect((await browser.open(`/${at}.png`, script)).status).toBe(200)
  }
  clock.move(901)
  expect((await browser.open('/late.png', script)).status).toBe(404)
})

test('R23 S56 an island learns who its visitor is only after a yes, and another island learns another id', async () => {
  const { relay, browser, received, ada, slug } = await setUp()
  await ada.inject({ method: 'PATCH', url: '/api/me', payload: { name: 'Ada ☄️ Núñez' } })
  const doorway = async () =>
    (await ada.inject({ url: `/api/relay/access/${slug}` })).json<Record<string, unknown>>()
  expect(await doorway()).toMatchObject({ tellsName: null, yourName: 'Ada ☄️ Núñez' })
  await browser.enter(false)
  expect(await received()).not.toHaveProperty('astropelago-user')
  expect(await doorway()).toMatchObject({ tellsName: false })

  await browser.enter(true)
  const first = await received()
  expect(decodeURIComponent(first['astropelago-name'] ?? '')).toBe('Ada ☄️ Núñez')
  expect(first['astropelago-user']).toMatch(/^[\da-f-]{36}$/)
  const again = visitorOf(relay, slug, ada)
  await again.enter(true)
  expect(JSON.parse((await again.open('/')).body)).toMatchObject({
    'astropelago-user': first['astropelago-user'],
  })
  const other = await openIsland(relay, { access: 'members' })
  const there = visitorOf(relay, other.slug, ada)
  await there.enter(true)
  const { 'astropelago-user': otherId } = v.parse(Headers, JSON.parse((await there.open('/')).body))
  expect(otherId).toMatch(/^[\da-f-]{36}$/)
  expect(otherId).not.toBe(first['astropelago-user'])

  await ada.inject({ method: 'DELETE', url: `/api/relay/access/${slug}/answer` })
  const after = await received()
  expect(JSON.stringify(after)).not.toMatch(/astropelago-(?:user|name)/)
  expect(await doorway()).toMatchObject({ tellsName: null })
})

test('R23 S56 a claim to be somebody else is dropped, in any spelling', async () => {
  const { browser, received, ada } = await setUp()
  const forged = {
    'Astropelago-User': 'operator',
    astropelago_user: 'operator',
    'ASTROPELAGO-NAME': 'operator',
    'Astropelago.Name': 'operator',
    connection: 'astropelago-user, astropelago-name',
  }
  await browser.enter(false)
  expect(JSON.stringify(await received('/', forged))).not.toContain('operator')
  await browser.enter(true)
  const headers = await received('/', forged)
  expect(JSON.stringify(headers)).not.toContain('operator')
  expect(headers['astropelago-name']).toBe(ada.username)
})

test('R23 at a public island visitors may say who they are, but need not', async () => {
  const { browser, received, ada } = await setUp(echo, 'public')
  expect(await received()).not.toHaveProperty('astropelago-name')
  await browser.open('/.astropelago/enter?to=/table')
  const begun = await browser.open('/.astropelago/enter?to=/table')
  const site = new URL(begun.headers.location ?? '')
  expect([site.pathname.endsWith('/enter'), site.searchParams.get('to')]).toEqual([true, '/table'])
  const { ticket } = (await browser.askTicket(site.searchParams.get('state') ?? '', true)).json<{
    ticket: string
  }>()
  await browser.bring(ticket)
  expect((await received())['astropelago-name']).toBe(ada.username)
})

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/.astropelago/enter?ticket=x',
  '/..//evil.example',
  '/a\r\nSet-Cookie: a=b',
  'x'.repeat(3000),
])('R24 S28 the entry flow never leads to %j', async (to) => {
  const { browser, slug, port } = await setUp()
  const { state } = await browser.beginAt()
  const { ticket } = (await browser.askTicket(state)).json<{ ticket: string }>()
  const { status, headers } = await browser.bring(ticket, to)
  expect(status).toBe(302)
  const led = new URL(headers.location ?? '')
  expect(led.origin).toBe(`http://${slug}.localhost:${port}`)
  expect(headers.location).not.toMatch(/[\r\n\\]|\.astropelago/)
  expect(JSON.stringify(headers['set-cookie'])).not.toContain('a=b')
})

test('R25 a link with another user’s ticket makes nobody that user', async () => {
  const { relay, browser, slug } = await setUp()
  const mallory = visitorOf(relay, slug, await relay.signUp())
  const { state } = await mallory.beginAt()
  const { ticket } = (await mallory.askTicket(state, true)).json<{ ticket: string }>()
  // Ada's browser has a state of its own or none.
  expect((await visitorOf(relay, slug).bring(ticket)).status).toBe(403)
  await browser.enter(true)
  const before = browser.jar.get('astropelago_visit')
  await browser.bring(ticket)
  expect(browser.jar.get('astropelago_visit')).toBe(before)
})

test('R25 only the site’s own page can make a ticket', async () => {
  const { browser, ada, slug } = await setUp()
  const { state } = await browser.beginAt()
  const ask = (
    headers: Record<string, string>,
    payload: object | string = { state, tellsName: true },
  ) => ada.inject({ method: 'POST', url: `/api/relay/access/${slug}/tickets`, headers, payload })
  expect((await ask({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  expect((await ask({ 'sec-fetch-site': 'same-site' })).statusCode).toBe(403)
  expect((await ask({ origin: `http://${slug}.localhost:3000` })).statusCode).toBe(403)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await ask(form, `state=${state}&tellsName=true`)).statusCode).toBe(415)
  expect((await ask({}, { state: 'short', tellsName: true })).statusCode).toBe(400)
  expect((await ask({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(201)
})

test('R26 a visitor of an untrusted host’s island first reads whose machine it is', async () => {
  const relay = await shareRelayApp(operatorOptions, { isHostTrusted: false })
  const isle = await openIsland(relay, { access: 'public' })
  const ask = async () => (await visitorOf(relay, isle.slug).open('/')).status
  await expect.poll(ask).toBe(403)
  const browser = visitorOf(relay, isle.slug)
  const first = await browser.open('/a?b=<c>')
  expect(first.status).toBe(403)
  expect(first.body).toContain(relay.host.username)
  expect(first.headers['content-security-policy']).toMatch(
    /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
  )
  expect(first.headers['x-frame-options']).toBe('DENY')
  const goOn = /action="([^"]+)"/.exec(first.body)?.[1] ?? ''
  expect((await browser.open('/app.js', script)).status).toBe(403)
  expect((await browser.open('/', { ...opensPage, 'sec-fetch-dest': 'iframe' })).status).toBe(403)

  const press = (headers: OutgoingHttpHeaders, method = 'POST') =>
    browser.open(goOn, headers, method)
  // Another page can't send the form, in whatever way.
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'http://other.localhost' },
    {},
  ]) {
    expect((await press({ ...headers })).status).toBe(403)
  }
  expect((await press({ 'sec-fetch-site': 'same-origin' }, 'GET')).status).toBe(404)
  expect(browser.jar.size).toBe(0)
  const pressed = await press({ 'sec-fetch-site': 'same-origin' })
  expect([pressed.status, new URL(pressed.headers.location ?? '').pathname]).toEqual([303, '/a'])
  expect(pressed.headers['set-cookie']?.[0]).toMatch(
    /Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax/,
  )
  expect((await browser.open('/a')).status).toBe(200)
  expect((await browser.open('/app.js', script)).status).toBe(200)
})

test('R26 the page that says whose machine it is links to the island’s rules, if it has any', async () => {
  const relay = await shareRelayApp(operatorOptions, { isHostTrusted: false })
  const { slug, island } = await openIsland(relay, { access: 'public' })
  const read = async () => (await visitorOf(relay, slug).open('/')).body
  await expect.poll(read).toContain('is on somebody’s own device')
  expect(await read()).not.toContain('#rules')
  await relay.host.inject({
    method: 'PATCH',
    url: `/api/islands/${island.id}`,
    payload: { rules: 'Be kind.' },
  })
  expect(await read()).toContain(`<a href="http://localhost:3000/islands/${slug}#rules">`)
})

test('R26 visitors of a closed island are not asked whether they want to go in', async () => {
  const relay = await shareRelayApp(operatorOptions, { isHostTrusted: false })
  const open = async () => await visitorOf(relay, relay.slug).open('/')
  await expect.poll(async () => (await open()).status).toBe(503)
  expect((await open()).body).toContain('Harbor Bar is closed')
})

test('R26 programs enter a public island without a question, as do visitors who answered at the site', async () => {
  const relay = await shareRelayApp(operatorOptions, { isHostTrusted: false })
  const isle = await openIsland(relay, { access: 'public' })
  const host = `${isle.slug}.localhost:${relay.port}`
  for (const headers of [
    {},
    { 'user-agent': 'curl/8.14.1', accept: '*/*' },
    { accept: 'text/html' },
  ]) {
    expect((await relay.visit({ host, headers })).status).toBe(200)
  }
  for (const headers of [
    { 'user-agent': 'Mozilla/5.0', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const socket = new WebSocket(`ws://127.0.0.1:${relay.port}/`, { headers: { host, ...headers } })
    const refusal = await new Promise<IncomingMessage>((resolve) =>
      socket.once('unexpected-response', (_, answer) => resolve(answer)),
    )
    expect(refusal.statusCode).toBe(403)
  }
  const ada = visitorOf(relay, isle.slug, await relay.signUp())
  const begun = await ada.open('/.astropelago/enter')
  const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? ''
  const { ticket } = (await ada.askTicket(state)).json<{ ticket: string }>()
  await ada.bring(ticket)
  expect((await ada.open('/')).status).toBe(200)
})

test('R27 a refusal clears what a browser stored if it was let in before', async () => {
  const { browser, publish, relay, slug } = await setUp()
  await browser.enter()
  await publish({ access: 'invited' })
  for (const headers of [script, opensPage]) {
    const refused = await browser.open('/', headers)
    expect(refused.headers['clear-site-data']).toBe('"cache", "storage"')
  }
  // Another site's page can't cause that, because its requests carry no cookie.
  const without = await visitorOf(relay, slug).open('/', script)
  expect([without.status, without.headers['clear-site-data']]).toEqual([404, undefined])
})

/** Sends many unknown visit cookies, each once. Returns the last answer. */
async function floodWithUnknownCookies(
  { visit, port }: Pick<World, 'visit' | 'port'>,
  slug: string,
) {
  const host = `${slug}.localhost:${port}`
  const show = async (at: number) => {
    const cookie = `astropelago_visit=${String(at).padStart(43, 'x')}`
    return await visit({ host, path: '/', headers: { ...script, cookie } })
  }
  for (let at = 0; at < 300; at += 1) await show(at)
  return await show(300)
}

test('R53 S62 beyond the limit of unknown cookies members stay in, and no browser is cleared', async () => {
  const world = await setUpAlone()
  const { browser, relay, ada, slug, clock } = world
  await browser.enter()
  expect((await browser.open('/', script)).status).toBe(200)
  const seen = visitorOf(relay, slug, ada)
  await seen.enter()

  const over = await floodWithUnknownCookies(world, slug)
  expect([over.status, over.headers['clear-site-data']]).toEqual([429, undefined])
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  clock.move(901)
  expect((await browser.open('/', script)).status).toBe(200)
  // Its ticket was redeemed before the flood, and its cookie not looked up since.
  expect((await seen.open('/', script)).status).toBe(200)
  const late = visitorOf(relay, slug, ada)
  await late.enter()
  expect((await late.open('/', script)).status).toBe(200)
  // A page request is not sent to the site either, which would send it back here again and again.
  late.jar.set('astropelago_visit', 'y'.repeat(43))
  expect((await late.open('/')).status).toBe(429)
})

test('R27 S62 an ended grant is refused beyond the limit too, and its browser cleared', async () => {
  const world = await setUpAlone()
  const { browser, ada, slug, clock } = world
  await browser.enter()
  expect((await browser.open('/', script)).status).toBe(200)
  await floodWithUnknownCookies(world, slug)
  await ada.inject({ url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } })
  clock.move(901)
  const { status, headers } = await browser.open('/', script)
  expect([status, headers['clear-site-data']]).toEqual([404, '"cache", "storage"'])
})

test('R53 S62 a tab that keeps sending an invalid cookie counts once', async () => {
  const { browser, relay, slug } = await setUpAlone()
  browser.jar.set('astropelago_visit', 'x'.repeat(43))
  for (let at = 0; at < 310; at += 1) await browser.open('/', script)
  const other = visitorOf(relay, slug)
  other.jar.set('astropelago_visit', 'y'.repeat(43))
  expect((await other.open('/', script)).status).toBe(404)
})

/** A browser that was let in by name, and how requests are answered that pages make it send. */
async function setUpAsks() {
  const { browser, slug, port, received } = await setUp()
  await browser.enter(true)
  const own = `http://${slug}.localhost:${port}`
  const sibling = `http://evil.localhost:${port}`
  const asks = async (headers: OutgoingHttpHeaders, method = 'GET') => {
    const { status, headers: answered } = await browser.open('/app.js', headers, method)
    return [status, answered['clear-site-data']]
  }
  return { browser, slug, port, received, own, sibling, asks }
}

test('R51 a page of another island can use a browser’s grant only to open a page', async () => {
  const { browser, slug, port, received, own, sibling, asks } = await setUpAsks()
  for (const headers of [
    { 'sec-fetch-site': 'same-site', origin: sibling },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ]) {
    expect(await asks({ ...script, ...headers })).toEqual([404, undefined])
    expect(await asks({ ...script, ...headers }, 'POST')).toEqual([404, undefined])
  }
  const webSocket = (origin: string) =>
    new WebSocket(`ws://127.0.0.1:${port}/`, {
      headers: { host: `${slug}.localhost:${port}`, cookie: browser.cookie(), origin },
    })
  const [, refusal] = v.parse(
    v.tuple([v.any(), v.object({ statusCode: v.number() })]),
    await once(webSocket(sibling), 'unexpected-response'),
  )
  expect(refusal.statusCode).toBe(404)

  for (const origin of [own, 'null']) {
    expect(await asks({ ...script, origin }, 'POST')).toEqual([200, undefined])
  }
  expect(await received('/', { 'sec-fetch-site': 'same-site' })).toHaveProperty('astropelago-user')
})

test('R51 without Sec-Fetch-Site, Origin or Referer proves that a request comes from the island', async () => {
  const { own, sibling, asks } = await setUpAsks()
  const page = { ...olderBrowser, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const headers of [
    // A script's requests, with and without a referrer.
    { ...olderBrowser, referer: `${sibling}/` },
    olderBrowser,
    { ...olderBrowser, referer: 'nonsense' },
    { ...olderBrowser, origin: sibling },
    { ...olderBrowser, origin: 'null', referer: `${own}/` },
  ]) {
    expect(await asks(headers)).toEqual([404, undefined])
    expect(await asks(headers, 'POST')).toEqual([404, undefined])
  }
  // A script that poses as a navigation, to read the answer, counts as a visitor without a cookie.
  expect(await asks({ ...page, origin: sibling })).toEqual([302, undefined])
  for (const headers of [
    { ...olderBrowser, referer: `${own}/page` },
    { ...olderBrowser, origin: own },
    { 'user-agent': 'curl/8.14.1', accept: '*/*' },
  ]) {
    expect(await asks(headers)).toEqual([200, undefined])
    expect(await asks(headers, 'POST')).toEqual([200, undefined])
  }
  // A page that is opened, also by a link on another page.
  for (const headers of [page, { ...page, referer: `${sibling}/` }]) {
    expect(await asks(headers)).toEqual([200, undefined])
  }
})

test('R51 no other page can use what a grant got, cached or requested as a page; public answers may be used', async () => {
  const { browser } = await setUp((_request, response) => {
    response.writeHead(200, { 'cross-origin-resource-policy': 'cross-origin' }).end('run()')
  }, 'public')
  const policy = async (headers: OutgoingHttpHeaders) =>
    (await browser.open('/app.js', headers)).headers['cross-origin-resource-policy']
  const asPage = { ...olderBrowser, accept: 'text/html' }
  expect(await policy(asPage)).toBe('cross-origin')
  const { searchParams } = new URL(
    (await browser.open('/.astropelago/enter')).headers.location ?? '',
  )
  const asked = await browser.askTicket(searchParams.get('state') ?? '')
  await browser.bring(asked.json<{ ticket: string }>().ticket)
  expect(await policy(asPage)).toBe('same-origin')
  expect(await policy(script)).toBe('same-origin')
  expect(await policy({ ...script, 'sec-fetch-site': 'same-site' })).toBe('cross-origin')
})

test('R29 S54 hidden, forbidden and unknown islands answer the same requests alike', async () => {
  const { relay, ada, host } = await setUp()
  const invited = await openIsland(relay, { access: 'invited' })
  const hidden = await openIsland(relay, { access: 'members' })
  await relay.storage.db
    .updateTable('islands')
    .set({ hidden_ms: 1 })
    .where('id', '=', hidden.island.id)
    .execute()
  const slugs = [invited.slug, hidden.slug, 'none-there']
  const state = 'x'.repeat(43)
  for (const [method, end, payload] of [
    ['GET', '', undefined],
    ['POST', '/tickets', { state, tellsName: true }],
    ['DELETE', '/answer', undefined],
  ] as const) {
    const answers = await Promise.all(
      slugs.map((slug) =>
        ada.inject({ method, url: `/api/relay/access/${slug}${end}`, ...(payload && { payload }) }),
      ),
    )
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(404)
  }
  // Listed, so everybody may know of it, but only for invited members.
  const listed = await openIsland(relay, { access: 'invited', isListed: true })
  const url = `/api/relay/access/${listed.slug}`
  expect((await ada.inject({ url })).json()).toMatchObject({ mayEnter: false })
  const ticket = {
    method: 'POST',
    url: `${url}/tickets`,
    payload: { state, tellsName: true },
  } as const
  expect((await ada.inject(ticket)).statusCode).toBe(404)
  await joinTestIsland(ada, listed.island.id)
  await host.inject({
    method: 'POST',
    url: `/api/islands/${listed.island.id}/requests/${ada.username}`,
    payload: { isLetIn: true },
  })
  expect((await ada.inject(ticket)).statusCode).toBe(201)
})

test('an account’s export says which islands see the user’s name', async () => {
  const { browser, ada, slug } = await setUp()
  await browser.enter(true)
  const exported = (await ada.inject({ url: '/api/me/export' })).json<{ islandVisits: unknown[] }>()
  expect(exported.islandVisits).toEqual([
    { island: { slug, name: 'Harbor Bar' }, tellsName: true, answeredAt: expect.any(String) },
  ])
})
