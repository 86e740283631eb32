import { expect, test } from 'vitest'
import { deploy, makeHostedDraft, publishTestPages } from '../../test/api-pages.ts'
import { createRelayApp, shareRelayApp } from '../../test/relay-app.ts'
import { opensPage } from '../../test/relay-visitor.ts'

const minuteMs = 60_000

async function setUp() {
  const relay = await shareRelayApp()
  const { host, visit, port } = relay
  const island = await makeHostedDraft(host)
  const url = `/api/islands/${island.id}/pages/draft`
  const change = (text: string) =>
    host.inject({
      method: 'POST',
      url,
      payload: { changes: [{ path: 'index.html', text }] },
    })
  const ticket = async (by = host) => {
    const answer = await by.inject({ method: 'POST', url: `${url}/preview` })
    return { status: answer.statusCode, ...answer.json<{ address: string }>() }
  }
  const at = (path: string, cookie?: string, referer?: string) =>
    visit({
      path,
      host: `preview.localhost:${port}`,
      headers: {
        ...opensPage,
        ...(cookie !== undefined && { cookie }),
        ...(referer !== undefined && { referer }),
      },
    })
  /** Opens a ticket's address in a new browser. @returns the cookie that it gets */
  const open = async (address: string, referer?: string) => {
    const { pathname, search } = new URL(address)
    const answer = await at(pathname + search, undefined, referer ?? 'http://localhost:3000/')
    const [set = ''] = answer.headers['set-cookie'] ?? []
    return { ...answer, set, cookie: set.split(';', 1)[0] ?? '' }
  }
  return { ...relay, island, url, change, ticket, at, open }
}

test('S68 a ticket opens the draft once, in a frame of the site or in a tab', async () => {
  const { change, ticket, at, open } = await setUp()
  await change('<h1>Draft</h1>')
  const { address } = await ticket()
  expect(new URL(address).hostname).toBe('preview.localhost')
  const opened = await open(address)
  expect([opened.status, opened.headers.location]).toEqual([303, '/'])
  expect(opened.set).toMatch(
    /^__Host-astropelago_preview=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
  )
  expect(opened.headers['clear-site-data']).toBe('"storage"')
  const page = await at('/', opened.cookie)
  expect(page).toMatchObject({ status: 200, body: '<h1>Draft</h1>' })
  expect(page.headers['content-security-policy']).toMatch(
    /; frame-ancestors http:\/\/localhost:3000$/,
  )
  expect(page.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex',
  })
  expect(page.headers['x-frame-options']).toBeUndefined()
  expect((await open(address)).status).toBe(403)
})

test('it follows the draft as it changes, and ends when it is published or discarded', async () => {
  const { change, ticket, at, open, host, url } = await setUp()
  await change('one')
  const { cookie } = await open((await ticket()).address)
  await change('two')
  expect((await at('/', cookie)).body).toBe('two')
  await host.inject({ method: 'DELETE', url })
  expect((await at('/', cookie)).status).toBe(403)
})

test('S68 nobody sees it without a ticket, with an old one, or after the host signed out', async () => {
  const { change, ticket, at, open, clock, host, signUp } = await setUp()
  await change('secret')
  expect((await at('/')).status).toBe(403)
  expect((await at('/', '__Host-astropelago_preview='.padEnd(70, 'x'))).status).toBe(403)
  expect((await ticket(await signUp())).status).toBe(404)
  const late = await ticket()
  const { cookie } = await open((await ticket()).address)
  clock.move(minuteMs)
  expect((await open(late.address)).status).toBe(403)
  expect((await at('/', cookie)).status).toBe(200)
  await host.inject({ url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } })
  expect((await at('/', cookie)).status).toBe(403)
})

test('S9 S68 a host can lead nobody else to a draft', async () => {
  const { change, ticket, open } = await setUp()
  await change('<h1>Draft</h1>')
  const { address } = await ticket()
  for (const from of [
    '',
    'https://elsewhere.example/',
    'http://localhost:3000.example/',
    address,
  ]) {
    expect(await open(address, from)).toMatchObject({ status: 403, set: '' })
  }
  expect((await open(address)).status).toBe(303)
})

test('a network opens a bounded number of tickets', async () => {
  const { open } = await setUp()
  const address = 'http://preview.localhost/.astropelago/preview?ticket=x'
  const answers = await Promise.all(Array.from({ length: 301 }, () => open(address)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]))
})

test('no draft, no preview', async () => {
  const { ticket, island, host } = await setUp()
  expect((await ticket()).status).toBe(404)
  await deploy(host, island.id)
  expect((await ticket()).status).toBe(404)
})

test('nothing of the site or of an island is at its host', async () => {
  const { at, inject } = await setUp()
  expect((await at('/api/me')).body).not.toContain('signed_out')
  const checked = await inject({ url: '/api/me/slugs/preview' })
  expect(checked.statusCode).toBe(401)
})

test('an operator sees what waits for a review, as its visitors would; nobody else does', async () => {
  const relay = await createRelayApp({
    config: { operators: new Set(['captain']) },
    isHostTrusted: false,
  })
  const { host, visit, port, signUp } = relay
  const captain = await signUp('captain')
  const island = await publishTestPages(host, { 'index.html': 'first' }, { isListed: true })
  const phishing = '<input type=password>'
  const { id } = await deploy(host, island.id, { 'index.html': phishing })
  const ask = (by: typeof host) =>
    by.inject({ method: 'POST', url: `/api/operator/pages-reviews/${id}/preview` })
  expect((await ask(host)).statusCode).toBe(404)
  const { address } = (await ask(captain)).json<{ address: string }>()
  const at = (path: string, headers: Readonly<Record<string, string>>) =>
    visit({ path, host: `preview.localhost:${port}`, headers: { ...opensPage, ...headers } })
  const { pathname, search } = new URL(address)
  const opened = await at(pathname + search, { referer: 'http://localhost:3000/' })
  const cookie = opened.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  const page = await at('/', { cookie })
  expect(page).toMatchObject({ status: 200, body: phishing })
  expect(page.headers['content-security-policy']).toContain("img-src 'self' data: blob:;")
  const listed = await captain.inject({ url: '/api/operator/pages-reviews' })
  expect(listed.json()).toHaveLength(1)
  await relay.storage.db.updateTable('islands').set({ hidden_ms: 1 }).execute()
  const after = await captain.inject({ url: '/api/operator/pages-reviews' })
  expect(after.json()).toEqual([])
})
