import { randomBytes } from 'node:crypto'
import {
  templateNames,
  type Deployment,
  type HostedPages,
  type PagesReview,
} from '@astropelago/contract/hosted-pages'
import { deploymentsPerIsland, pageBytesPerDemoUser } from '@astropelago/contract/limits'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createTestApiKey, injectByKey } from '../../test/api-keys.ts'
import {
  deploy,
  makeHostedDraft,
  publishTestPages,
  sendZip,
  zipFiles,
} from '../../test/api-pages.ts'
import { readConfig } from '../../config.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'

const index = { 'index.html': '<h1>Hello</h1>' }

async function setUp(options?: Parameters<typeof createTestApp>[0]) {
  const testApp = await createTestApp(options)
  const host = await testApp.signUp()
  const island = await makeHostedDraft(host)
  return { ...testApp, host, island, ...callsOf(host, island.id) }
}

function callsOf({ inject }: Pick<TestBrowser, 'inject'>, id: string) {
  const url = `/api/islands/${id}/pages`
  const call = async (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) =>
    await inject({ method, url: `${url}${path}`, ...(payload && { payload }) })
  return {
    url,
    call,
    read: async () => (await call('GET')).json<HostedPages>(),
    live: async () =>
      (await call('GET')).json<HostedPages>().deployments.find(({ isLive }) => isLive)?.id,
    change: (...changes: { path: string; text: string | null }[]) =>
      call('POST', '/draft', { changes }),
    textOf: async (of: string, path = 'index.html') =>
      (await call('GET', `/file?${new URLSearchParams({ of, path }).toString()}`)).json<{
        text: string
      }>(),
  }
}

describe('deployments', () => {
  test('a zip goes live at once, and says what visitors’ browsers will not load', async () => {
    const { host, island, read, live } = await setUp()
    const deployment = await deploy(host, island.id, {
      'site/index.html': '<p>\n<script src="https://cdn.example/a.js"></script>',
      'site/.env': 'SECRET',
    })
    expect(deployment).toMatchObject({
      source: 'upload',
      fileCount: 1,
      isLive: true,
      isInReview: false,
      blocked: [
        { path: 'index.html', line: 2, address: 'https://cdn.example/a.js', what: 'script' },
      ],
    })
    expect(await live()).toBe(deployment.id)
    expect(await read()).toMatchObject({
      address: `http://${island.slug}.localhost:3000/`,
      draft: null,
      limits: { bytes: 50_000_000, files: 500, fileBytes: 10_000_000 },
    })
  })

  test(`the last ${deploymentsPerIsland} stay, and each can be brought back`, async () => {
    const { host, island, call, read, live } = await setUp()
    const made: Deployment[] = []
    for (let at = 0; at <= deploymentsPerIsland; at += 1) {
      made.push(await deploy(host, island.id, { 'index.html': `${at}` }))
    }
    const { deployments } = await read()
    expect(deployments.map(({ id }) => id)).toEqual(
      made
        .slice(1)
        .map(({ id }) => id)
        .toReversed(),
    )
    const before = made[1]?.id ?? ''
    expect((await call('POST', '/live', { deployment: before })).json()).toMatchObject({
      id: before,
      isLive: true,
    })
    expect(await live()).toBe(before)
    expect((await call('POST', '/live', { deployment: made[0]?.id })).statusCode).toBe(404)
  })

  test('a refused one changes nothing', async () => {
    const { host, island, read } = await setUp()
    const { id } = await deploy(host, island.id)
    const refused = await sendZip(host, island.id, zipFiles({ '../index.html': 'x' }))
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { code: 'pages_refused', fields: { files: expect.stringContaining('../index.html') } },
    ])
    expect((await read()).deployments.map((one) => one.id)).toEqual([id])
  })

  test('S62 a third upload of one user at a time has to wait', async () => {
    const { host, island } = await setUp()
    const zip = zipFiles(index)
    const answers = await Promise.all([1, 2, 3].map(() => sendZip(host, island.id, zip)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 503])
    expect((await sendZip(host, island.id, zip)).statusCode).toBe(201)
  })

  test('an API key of the scope sends them, as curl does; no other one can', async () => {
    const { app, host, island } = await setUp()
    const zip = zipFiles(index)
    const { key } = await createTestApiKey(host, ['pages:write'])
    const byKey = { inject: injectByKey(app, key) }
    expect((await sendZip(byKey, island.id, zip)).statusCode).toBe(201)
    const other = await createTestApiKey(host, ['devices:write'])
    const byOther = { inject: injectByKey(app, other.key) }
    expect((await sendZip(byOther, island.id, zip)).statusCode).toBe(403)
  })

  test('S15 S16 another site’s page can’t send one, nor anything but a zip', async () => {
    const { host, island } = await setUp()
    const zip = zipFiles(index)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await sendZip(host, island.id, zip, foreign)).json()).toMatchObject({
      code: 'cross_site',
    })
    const plain = { 'content-type': 'text/plain' }
    expect((await sendZip(host, island.id, zip, plain)).statusCode).toBe(415)
  })

  test('a template is a deployment like any other, named after the island', async () => {
    const { call, read, textOf, island } = await setUp()
    for (const template of templateNames) {
      const answer = await call('POST', '/template', { template })
      expect([template, answer.statusCode]).toEqual([template, 201])
      const [deployment] = (await read()).deployments
      expect(deployment).toMatchObject({ source: 'template', isLive: true, blocked: [] })
      const { text } = await textOf(deployment?.id ?? '')
      expect(text).toContain(`<title>${island.name}</title>`)
    }
  })

  test('comes back as a zip', async () => {
    const { host, island, call } = await setUp()
    const large = new Uint8Array(randomBytes(600_000))
    const { id } = await deploy(host, island.id, { ...index, 'a/large.bin': large, empty: '' })
    const { rawPayload, headers } = await call('GET', `/zip?of=${id}`)
    expect(headers['content-disposition']).toBe(`attachment; filename="${island.slug}.zip"`)
    const files = unzipSync(rawPayload)
    expect(Object.keys(files).toSorted()).toEqual(['a/large.bin', 'empty', 'index.html'])
    expect(Buffer.from(files['a/large.bin'] ?? []).equals(large)).toBe(true)
  })
})

describe('limits', () => {
  const pages = { ...readConfig({}).pages, totalBytes: 8000 }

  test('S52 no more than a quarter of PAGES_TOTAL for one host, on all islands', async () => {
    const { host, island } = await setUp({ config: { pages } })
    await deploy(host, island.id, bytes(1500))
    const other = await makeHostedDraft(host)
    const refused = await sendZip(host, other.id, zipFiles(bytes(501)))
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { fields: { files: expect.stringContaining('all your islands') } },
    ])
    await deploy(host, other.id, bytes(500))
  })

  test('S52 no more than PAGES_TOTAL for all, refused before a body is read', async () => {
    const { host, island, read, signUp } = await setUp({ config: { pages } })
    await deploy(host, island.id, bytes(2000))
    for (let at = 0; at < 2; at += 1) {
      const other = await signUp()
      await deploy(other, (await makeHostedDraft(other)).id, bytes(2000))
    }
    const last = await signUp()
    const { id } = await makeHostedDraft(last)
    await deploy(last, id, bytes(1900))
    expect((await sendZip(last, id, zipFiles(bytes(101)))).statusCode).toBe(507)
    await deploy(last, id, bytes(100))
    // It is not even looked at.
    const full = await sendZip(host, island.id, Buffer.from('no zip'))
    expect([full.statusCode, full.json()]).toMatchObject([507, { code: 'pages_full' }])
    expect((await read()).deployments).toHaveLength(1)
  })

  test('PAGES=off hosts none, and says so before a body is read', async () => {
    const { host, island: made } = await setUp()
    expect(made.isHosted).toBe(true)
    const off = await createTestApp({ config: { hostsPages: false } })
    const other = await off.signUp()
    const refused = await other.inject({
      method: 'POST',
      url: '/api/islands',
      payload: { name: 'Bar', kind: 'lab', isHosted: true },
    })
    expect(refused.json()).toMatchObject({ fields: { isHosted: expect.any(String) } })
    const island = await makeHostedDraftAs(other)
    expect((await sendZip(other, island, Buffer.from('no zip'))).json()).toMatchObject({
      code: 'pages_off',
    })
    expect(host.username).not.toBe(other.username)
  })

  test('S9 a demo account makes one island that only it can open', async () => {
    const { inject } = await createTestApp()
    const answer = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
    const demo = { inject: (call: Parameters<typeof inject>[0]) => inject({ ...call, cookies }) }
    const make = (details: object) =>
      demo.inject({
        method: 'POST',
        url: '/api/islands',
        payload: { name: 'Mine', kind: 'social', ...details },
      })
    const refused = { code: 'demo_account' }
    expect((await make({ address: 'https://a.example/' })).json()).toMatchObject(refused)
    expect((await make({ isHosted: true, slug: 'famous' })).json()).toMatchObject(refused)
    const made = (await make({ isHosted: true })).json<{ id: string; slug: string }>()
    expect(made.slug).toMatch(/^demo-[a-z0-9]{6}$/)
    expect((await make({ isHosted: true })).json()).toMatchObject({ code: 'island_limit' })
    const url = `/api/islands/${made.id}`
    const post = async (path: string, payload: object) =>
      (await demo.inject({ method: 'POST', url: url + path, payload })).json<unknown>()
    expect(await post('/publish', { access: 'public', isListed: false })).toMatchObject(refused)
    expect(await post('/slug', { slug: 'famous' })).toMatchObject(refused)
    expect(await post('/invitations', { maxUses: 1, days: 1 })).toMatchObject(refused)
    const domain = { name: 'a.example', isInLogs: true }
    expect(await post('/domain', domain)).toMatchObject(refused)
    const moved = { method: 'PATCH', url, payload: { address: 'https://a.example/' } } as const
    expect((await demo.inject(moved)).json()).toMatchObject(refused)

    const { limits } = (await demo.inject({ url: `${url}/pages` })).json<HostedPages>()
    expect(limits.bytes).toBe(pageBytesPerDemoUser)
    const large = { ...index, 'large.bin': new Uint8Array(pageBytesPerDemoUser) }
    expect((await sendZip(demo, made.id, zipFiles(large))).statusCode).toBe(400)
    expect((await deploy(demo, made.id)).isLive).toBe(true)
  })
})

describe('a draft', () => {
  test('begins with what is live, and changes nothing until it is published', async () => {
    const { host, island, change, call, textOf, live, read } = await setUp()
    const first = await deploy(host, island.id, { ...index, 'old.html': 'old' })
    await change({ path: 'index.html', text: 'New' }, { path: 'old.html', text: null })
    const changed = await change({ path: 'a/b.css', text: 'p {}' })
    expect(changed.json()).toMatchObject({
      files: [
        { path: 'a/b.css', bytes: 4, isText: true },
        { path: 'index.html', bytes: 3, isText: true },
      ],
    })
    expect(await live()).toBe(first.id)
    expect([await textOf('draft'), await textOf(first.id)]).toEqual([
      { text: 'New' },
      { text: '<h1>Hello</h1>' },
    ])
    const published = await call('POST', '/draft/publish')
    expect(published.json()).toMatchObject({ deployment: { source: 'editor', isLive: true } })
    expect(await live()).not.toBe(first.id)
    expect((await read()).draft).toBeNull()
  })

  test('takes pictures by a zip, and goes when it is discarded', async () => {
    const { host, inject, island, url, change, call, read } = await setUp()
    await change({ path: 'index.html', text: '1' })
    const added = await host.inject({
      method: 'PUT',
      url: `${url}/draft`,
      headers: { 'content-type': 'application/zip' },
      payload: zipFiles({ 'photo.jpg': new Uint8Array(9) }),
    })
    expect(added.json()).toMatchObject({
      files: [{ path: 'index.html' }, { path: 'photo.jpg', bytes: 9, isText: false }],
    })
    expect((await call('GET', '/file?of=draft&path=photo.jpg')).statusCode).toBe(404)
    expect((await call('DELETE', '/draft')).statusCode).toBe(204)
    expect((await read()).draft).toBeNull()
    expect((await inject({ url: `/api/islands/${island.id}/pages` })).statusCode).toBe(401)
  })

  test('keeps every change of several that come at once', async () => {
    const { change, read } = await setUp()
    const paths = ['a', 'b', 'c', 'd'].map((name) => `${name}.html`)
    await Promise.all(paths.map((path) => change({ path, text: path })))
    expect((await read()).draft?.files.map(({ path }) => path)).toEqual(paths)
  })

  test.each([
    ['without an index.html', [{ path: 'a.html', text: 'x' }], 'index.html'],
    ['with a path out of it', [{ path: '../a.html', text: 'x' }], '../a.html'],
    [
      'whose names differ by case alone',
      [
        { path: 'a.html', text: 'x' },
        { path: 'A.html', text: 'x' },
      ],
      'A.html',
    ],
  ])('%s is refused', async (_, changes, named) => {
    const { change, call } = await setUp()
    const changed = await change(...changes)
    const answer = changed.statusCode === 200 ? await call('POST', '/draft/publish') : changed
    expect(answer.json()).toMatchObject({
      code: 'pages_refused',
      fields: { files: expect.stringContaining(named) },
    })
  })
})

describe('pages that ask for a password, or carry the installation’s name', () => {
  const phishing = { 'index.html': '<form><input name="p" type="password"></form>' }

  test('can’t be listed until an operator has looked at them', async () => {
    const { signUp } = await createTestApp({ config: { operators: new Set(['operator']) } })
    const operator = await signUp('operator')
    const host = await signUp()
    const island = await makeHostedDraft(host)
    const deployment = await deploy(host, island.id, phishing)
    expect(deployment).toMatchObject({ isLive: true, isInReview: true })
    const publish = async () =>
      await host.inject({
        method: 'POST',
        url: `/api/islands/${island.id}/publish`,
        payload: { access: 'public', isListed: true },
      })
    expect((await publish()).json()).toMatchObject({ code: 'pages_in_review' })
    const listed = await operator.inject({ url: '/api/operator/pages-reviews' })
    expect(listed.json<PagesReview[]>()).toMatchObject([
      { deployment: deployment.id, why: 'password', host: host.username, isListed: false },
    ])
    const pass = `/api/operator/pages-reviews/${deployment.id}`
    expect((await operator.inject({ method: 'POST', url: pass })).statusCode).toBe(204)
    expect((await publish()).statusCode).toBe(200)
  })

  test('go live on a listed island only once an operator has looked at them', async () => {
    const { signUp } = await createTestApp()
    const host = await signUp()
    const island = await publishTestPages(host, index, { isListed: true })
    const { live, change, call } = callsOf(host, island.id)
    const first = await live()
    expect(await deploy(host, island.id, phishing)).toMatchObject({
      isLive: false,
      isInReview: true,
    })
    await change({ path: 'index.html', text: '<title>Astropelago</title>' })
    expect((await call('POST', '/draft/publish')).json()).toMatchObject({
      deployment: { isLive: false, isInReview: true },
    })
    expect(await live()).toBe(first)
  })
})

function bytes(count: number) {
  return { 'index.html': new Uint8Array(randomBytes(count)) }
}

async function makeHostedDraftAs({ inject }: TestBrowser): Promise<string> {
  const payload = { name: 'Bar', kind: 'lab' }
  const made = await inject({ method: 'POST', url: '/api/islands', payload })
  return made.json<{ id: string }>().id
}
