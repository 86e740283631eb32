import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { deploy, publishTestPages } from '../../test/api-pages.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { opensPage, visitorOf } from '../../test/relay-visitor.ts'
import { chunkBytes } from './deployments-store.ts'

const style = 'body { color: red }\n'.repeat(100)
const photo = new Uint8Array(randomBytes(2 * chunkBytes + 5))
const film = new Uint8Array(randomBytes(9 * chunkBytes))
const site = {
  'index.html': '<h1>Home</h1>',
  'about.html': '<h1>About</h1>',
  'docs/index.html': '<h1>Docs</h1>',
  'docs/héllo wörld.html': '<h1>Grüße</h1>',
  '404.html': '<h1>Lost</h1>',
  'style.css': style,
  'photo.jpg': photo,
  'film.mp4': film,
  'empty.txt': '',
}

async function setUp(files: Parameters<typeof publishTestPages>[1] = site) {
  const relay = await shareRelayApp()
  const island = await publishTestPages(relay.host, files)
  const visitor = visitorOf(relay, island.slug)
  const open = async (path: string, headers = {}, method = 'GET') => {
    const {
      status,
      headers: got,
      body,
    } = await visitor.open(path, { ...opensPage, ...headers }, method)
    return { status, headers: got, body }
  }
  return { relay, island, visitor, open }
}

describe('hosted pages', () => {
  test.each([
    ['/', 200, 'Home', 'text/html; charset=utf-8'],
    ['/index.html?query', 200, 'Home', 'text/html; charset=utf-8'],
    ['/about', 200, 'About', 'text/html; charset=utf-8'],
    ['/about.html', 200, 'About', 'text/html; charset=utf-8'],
    ['/docs/', 200, 'Docs', 'text/html; charset=utf-8'],
    ['/docs/h%C3%A9llo%20w%C3%B6rld', 200, 'Grüße', 'text/html; charset=utf-8'],
    // The same letters, composed in another way.
    ['/docs/he%CC%81llo%20wo%CC%88rld', 200, 'Grüße', 'text/html; charset=utf-8'],
    ['/style.css', 200, 'color', 'text/css; charset=utf-8'],
    ['/empty.txt', 200, '', 'text/plain; charset=utf-8'],
    ['/nothing', 404, 'Lost', 'text/html; charset=utf-8'],
    ['/docs/nothing/', 404, 'Lost', 'text/html; charset=utf-8'],
    ['/%ff', 404, 'Lost', 'text/html; charset=utf-8'],
    ['/..%2findex.html', 404, 'Lost', 'text/html; charset=utf-8'],
    ['//index.html', 404, 'Lost', 'text/html; charset=utf-8'],
  ])('%s', async (path, status, text, type) => {
    const { open } = await setUp()
    const answer = await open(path)
    expect([answer.status, answer.headers['content-type']]).toEqual([status, type])
    expect(answer.body).toContain(text)
  })

  test('a folder leads to its address with a slash, never to another host', async () => {
    const { open } = await setUp({ ...site, 'evil.example/index.html': '' })
    const { status, headers } = await open('/docs?a=1')
    expect([status, headers.location]).toEqual([308, '/docs/?a=1'])
    expect((await open('//evil.example')).headers.location).toBeUndefined()
  })

  test('without a 404.html, what is missing gets a plain answer', async () => {
    const { open } = await setUp({ 'index.html': 'x' })
    expect(await open('/nothing')).toMatchObject({ status: 404, body: 'There is nothing here.\n' })
  })

  test('are compressed for those who accept that, each with its own ETag', async () => {
    const { open } = await setUp()
    const plain = await open('/style.css')
    const { headers, status } = await open('/style.css', { 'accept-encoding': 'br, gzip' })
    expect([status, headers['content-encoding'], headers.vary]).toEqual([
      200,
      'gzip',
      'accept-encoding',
    ])
    expect(Number(headers['content-length'])).toBeLessThan(style.length / 10)
    expect(headers.etag).not.toBe(plain.headers.etag)
    const unchanged = { 'accept-encoding': 'gzip', 'if-none-match': headers.etag }
    expect(await open('/style.css', unchanged)).toMatchObject({ status: 304, body: '' })
    expect(await open('/style.css', { 'if-none-match': headers.etag })).toMatchObject({
      status: 200,
      body: style,
    })
  })

  test('have ranges, from memory and from the database', async () => {
    const { relay, island } = await setUp()
    for (const [name, bytes] of [
      ['photo.jpg', photo],
      ['film.mp4', film],
    ] as const) {
      const fetched = async (range: string, more = {}) => {
        const answer = await fetchBytes(relay.port, island.slug, name, { range, ...more })
        return { ...answer, body: answer.body.toString('hex') }
      }
      const part = (from: number, to: number) =>
        Buffer.from(bytes.subarray(from, to + 1)).toString('hex')
      const at = chunkBytes - 3
      expect(await fetched(`bytes=${at}-${at + 9}`)).toEqual({
        status: 206,
        range: `bytes ${at}-${at + 9}/${bytes.length}`,
        body: part(at, at + 9),
      })
      expect(await fetched('bytes=-4')).toMatchObject({
        status: 206,
        body: part(bytes.length - 4, bytes.length - 1),
      })
      expect(await fetched(`bytes=${bytes.length}-`)).toMatchObject({
        status: 416,
        range: `bytes */${bytes.length}`,
      })
      // An older copy can't be continued with this one.
      expect(await fetched('bytes=0-1', { 'if-range': '"other"' })).toMatchObject({ status: 200 })
      expect((await fetchBytes(relay.port, island.slug, name)).body.equals(bytes)).toBe(true)
    }
  })

  test('answer HEAD, and nothing but reading', async () => {
    const { open } = await setUp()
    const head = await open('/style.css', { range: 'bytes=0-4' }, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body]).toEqual([
      200,
      String(style.length),
      '',
    ])
    const { status, headers } = await open('/', {}, 'POST')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('walls', () => {
  const ordinary = { isHostTrusted: false }
  const withoutCookies = { accept: 'text/html' }

  test('S68 a page loads from nowhere else, frames nothing else and is framed by nobody', async () => {
    const relay = await shareRelayApp(undefined, ordinary)
    const island = await publishTestPages(relay.host)
    const { headers } = await visitorOf(relay, island.slug).open('/', withoutCookies)
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; " +
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; " +
        "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; " +
        "form-action 'self'; base-uri 'self'; object-src 'none'; frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
    })
  })

  test('S68 pages of a host whom an operator trusts may load pictures, fonts and data by https', async () => {
    const { open } = await setUp()
    const policy = (await open('/')).headers['content-security-policy'] ?? ''
    for (const kind of ['img', 'media', 'font', 'connect', 'frame']) {
      expect(policy).toMatch(new RegExp(`${kind}-src 'self'[^;]* https:(?:;|$)`))
    }
    expect(policy).toMatch(/script-src [^;]*(?<! https:);/)
  })

  test('S68 a service worker is for pages of a trusted host, since it would outlive them', async () => {
    const relay = await shareRelayApp(undefined, ordinary)
    const files = { 'index.html': 'x', 'worker.js': '1' }
    const island = await publishTestPages(relay.host, files)
    const worker = { 'service-worker': 'script' }
    const visitor = visitorOf(relay, island.slug)
    expect((await visitor.open('/worker.js', {})).status).toBe(200)
    expect((await visitor.open('/worker.js', worker)).status).toBe(403)
    const { open } = await setUp(files)
    expect((await open('/worker.js', worker)).status).toBe(200)
  })

  test('a browser first shows who made the page, and asks before it goes on', async () => {
    const relay = await shareRelayApp(undefined, ordinary)
    const island = await publishTestPages(relay.host)
    const visitor = visitorOf(relay, island.slug)
    const first = await visitor.open('/')
    expect(first.status).toBe(403)
    expect(first.body).toContain(`${island.name} is a page that somebody made`)
    expect(first.body).toContain(relay.host.username)
    const origin = `http://${island.slug}.localhost:${relay.port}`
    const pressed = { ...opensPage, origin, 'sec-fetch-site': 'same-origin' }
    await visitor.open('/.astropelago/go-on?to=%2F', pressed, 'POST')
    expect(await visitor.open('/')).toMatchObject({ status: 200, body: '<h1>Hello</h1>' })
  })

  test('behind a door it is private, and only for those who may enter', async () => {
    const relay = await shareRelayApp()
    const island = await publishTestPages(relay.host, site, { access: 'invited' })
    const stranger = visitorOf(relay, island.slug, await relay.signUp())
    expect((await stranger.open('/')).headers.location).toContain('/enter?state=')
    const { state } = await stranger.beginAt()
    expect((await stranger.askTicket(state)).statusCode).toBe(404)
    const host = visitorOf(relay, island.slug, relay.host)
    await host.enter()
    const { status, headers } = await host.open('/')
    expect([status, headers['cache-control'], headers['x-robots-tag']]).toEqual([
      200,
      'private, no-cache',
      'noindex',
    ])
  })

  test('R18 nobody has to say whether a page learns the name', async () => {
    const relay = await shareRelayApp()
    const island = await publishTestPages(relay.host, site, { access: 'members' })
    const guest = await relay.signUp()
    const doorway = await guest.inject({ url: `/api/relay/access/${island.slug}` })
    expect(doorway.json()).toMatchObject({ mayEnter: true, isHosted: true, tellsName: null })
    const visitor = visitorOf(relay, island.slug, guest)
    const { state } = await visitor.beginAt()
    const { inject } = guest
    const url = `/api/relay/access/${island.slug}/tickets`
    const { ticket } = (await inject({ method: 'POST', url, payload: { state } })).json<{
      ticket: string
    }>()
    await visitor.bring(ticket)
    expect((await visitor.open('/')).status).toBe(200)
    const entered = await inject({ url: '/api/me/data' })
    expect(entered.body).not.toContain('islandVisits')
  })
})

describe('S57 S67 what is taken away is gone at once', () => {
  test.each([
    [
      'an island that an operator stops',
      async ({ storage }: Relay, key: number) =>
        await storage.changes.write(async (transaction, record) => {
          await transaction
            .updateTable('islands')
            .set({ relay_stopped_ms: 1, relay_stopped_reason: 'no' })
            .where('key', '=', key)
            .execute()
          record('islands', [key])
        }),
      403,
      'was taken down',
    ],
    [
      'an island that an operator hides',
      async ({ storage }: Relay, key: number) =>
        await storage.changes.write(async (transaction, record) => {
          await transaction
            .updateTable('islands')
            .set({ hidden_ms: 1, hidden_reason: 'no' })
            .where('key', '=', key)
            .execute()
          record('islands', [key])
        }),
      302,
      '',
    ],
  ])('%s', async (_, take, status, text) => {
    const { relay, island, open } = await setUp()
    expect((await open('/')).status).toBe(200)
    const { key } = await relay.storage.db
      .selectFrom('islands')
      .select('key')
      .where('id', '=', island.id)
      .executeTakeFirstOrThrow()
    await take(relay, key)
    const answer = await open('/')
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(text)
  })

  test.each([
    ['large files from the database', 'film.mp4', 1],
    ['small ones from memory', 'photo.jpg', 9],
  ])('%s that a visitor is slow to take', async (_, name, times) => {
    const large = new Uint8Array(randomBytes(9_500_000))
    const small = new Uint8Array(randomBytes(1_900_000))
    const { relay, island } = await setUp({
      'index.html': '',
      'film.mp4': large,
      'photo.jpg': small,
    })
    const socket = askFor(relay.port, island.slug, name, times)
    await once(socket, 'readable')
    const payload = { access: 'invited', isListed: false }
    const url = `/api/islands/${island.id}/publish`
    expect((await relay.host.inject({ method: 'POST', url, payload })).statusCode).toBe(200)
    const { length } = await buffer(socket)
    expect(length).toBeLessThan(9_000_000)
  })

  test('a browser’s first visit to an island without pages says so, and asks nothing', async () => {
    const relay = await shareRelayApp(undefined, { isHostTrusted: false })
    const island = await publishTestPages(relay.host)
    const url = `/api/islands/${island.id}/pages`
    await relay.host.inject({ method: 'DELETE', url })
    const { status, body } = await visitorOf(relay, island.slug).open('/')
    expect([status, body.includes('has no pages yet')]).toEqual([404, true])
  })

  test('pages that their host removes', async () => {
    const { relay, island, open } = await setUp()
    const url = `/api/islands/${island.id}/pages`
    expect((await relay.host.inject({ method: 'DELETE', url })).statusCode).toBe(204)
    const answer = await open('/')
    expect(answer.status).toBe(404)
    expect(answer.body).toContain('has no pages yet')
  })
})

test('while a relayed island is closed, visitors see its own pages, at any address', async () => {
  const relay = await shareRelayApp()
  const { island, slug } = relay
  const visitor = visitorOf(relay, slug)
  expect((await visitor.open('/deep/in/it')).body).toContain('is closed')
  await deploy(relay.host, island.id, {
    'index.html': '<h1>Back on Monday</h1>',
    'sun.svg': '<svg/>',
  })
  const page = await visitor.open('/deep/in/it')
  expect([page.status, page.body]).toEqual([503, '<h1>Back on Monday</h1>'])
  expect((await visitor.open('/sun.svg', {})).status).toBe(200)
  // A program is not told that a page is the answer.
  expect((await visitor.open('/api', { accept: '*/*' })).status).toBe(404)
  expect((await visitor.open('/', {}, 'POST')).status).toBe(503)
})

test('S64 a file that is deleted on the way ends its connection', async () => {
  const { relay, island } = await setUp()
  const { db } = relay.storage
  await db.deleteFrom('page_chunks').where('position', '=', 5).execute()
  const { length } = await buffer(askFor(relay.port, island.slug, 'film.mp4'))
  expect(length).toBeLessThan(film.length)
})

type Relay = Awaited<ReturnType<typeof shareRelayApp>>

/** The connection stays open for further requests. */
function askFor(port: number, slug: string, path: string, times = 1) {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /${path} HTTP/1.1\r\nHost: ${slug}.localhost:${port}\r\n\r\n`.repeat(times))
  return socket
}

async function fetchBytes(port: number, slug: string, path: string, headers = {}) {
  const host = `${slug}.localhost:${port}`
  return await new Promise<{ status: number; range: string | undefined; body: Buffer }>(
    (resolve, reject) => {
      const asked = { port, path: `/${path}`, agent: false, headers: { host, ...headers } }
      const sent = request({ host: '127.0.0.1', ...asked }, (answer) => {
        const { statusCode = 0, headers: got } = answer
        buffer(answer).then(
          (body) => resolve({ status: statusCode, range: got['content-range'], body }),
          reject,
        )
      })
      sent.on('error', reject).end()
    },
  )
}
