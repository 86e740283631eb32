import { listIslands, listSignals, getIslandChart } from '@astropelago/contract/island-directory'
import { listJoinedIslands, type IslandCard, type OwnIsland } from '@astropelago/contract/islands'
import { search } from '@astropelago/contract/search'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../../test/api-devices.ts'
import { joinTestIsland, publishTestIsland, sendTestSignal } from '../../../test/api-islands.ts'
import { createTestApp, type TestApp, type TestBrowser } from '../../../test/create-test-app.ts'
import { createOperatorApp, shareOperatorApp } from '../../../test/operator-app.ts'

const listed = { access: 'public', isListed: true } as const

async function directory({ inject }: Pick<TestApp, 'inject'>, query = '') {
  const response = await inject({ url: `/api/islands?${query}` })
  if (response.statusCode !== 200) throw new Error(response.body)
  return v.parse(listIslands.answers[200], response.json())
}

async function slugsIn(app: Pick<TestApp, 'inject'>, query = ''): Promise<string[]> {
  return (await directory(app, query)).islands.map(({ slug }) => slug)
}

async function carried({ inject }: Pick<TestApp, 'inject'>): Promise<IslandCard[]> {
  return (await inject({ url: '/api/islands/carried' })).json<IslandCard[]>()
}

async function change({ inject }: TestBrowser, { id }: Pick<OwnIsland, 'id'>, payload: object) {
  const response = await inject({ method: 'PATCH', url: `/api/islands/${id}`, payload })
  if (response.statusCode !== 200) throw new Error(response.body)
}

async function publish({ inject }: TestBrowser, { id }: Pick<OwnIsland, 'id'>, payload: object) {
  const response = await inject({ method: 'POST', url: `/api/islands/${id}/publish`, payload })
  if (response.statusCode !== 200) throw new Error(response.body)
}

async function setUp(open: () => ReturnType<typeof shareOperatorApp> = shareOperatorApp) {
  const app = await open()
  const host = await app.signUp()
  const others = new Set(await slugsIn(app))
  /** Without the islands that were there before. */
  const slugs = async (query?: string) =>
    (await slugsIn(app, query)).filter((slug) => !others.has(slug))
  return { ...app, host, slugs }
}

test('the directory has all listed islands and no others', async () => {
  const { host, slugs } = await setUp()
  const island = await publishTestIsland(host, listed)
  await publishTestIsland(host, { access: 'public', isListed: false })
  await publishTestIsland(host, { access: 'invited', isListed: false })
  expect(await slugs()).toEqual([island.slug])
  await publish(host, island, { access: 'members', isListed: false })
  expect(await slugs()).toEqual([])
  await publish(host, island, { access: 'invited', isListed: true })
  expect(await slugs()).toEqual([island.slug])
  await host.inject({
    method: 'POST',
    url: `/api/islands/${island.id}/close`,
    payload: { slug: island.slug },
  })
  expect(await slugs()).toEqual([])
})

test('it can be filtered by kind, access policy and state, and sorted by state or age', async () => {
  const { host, slugs, clock } = await setUp()
  const make = async (details: object, to: Parameters<typeof publishTestIsland>[1] = listed) => {
    clock.move(1000)
    return (await publishTestIsland(host, to, { ...details })).slug
  }
  const open = await make({ kind: 'social' })
  const lab = await make({ kind: 'lab' }, { access: 'invited', isListed: true })
  const closed = await make({ kind: 'media', address: null })
  expect(await slugs('sort=newest')).toEqual([closed, lab, open])
  expect(await slugs()).toEqual([lab, open, closed])
  expect(await slugs('state=open')).toEqual([lab, open])
  expect(await slugs('access=public')).toEqual([open, closed])
  expect(await slugs('kind=media')).toEqual([closed])
  expect(await slugs('kind=media&state=open')).toEqual([])
})

test('an island is found by its current slug if it is listed', async () => {
  const { host, slugs } = await setUp()
  const island = await publishTestIsland(host, listed)
  const hidden = await publishTestIsland(host, { access: 'public', isListed: false })
  const at = (slug: string, more = '') => slugs(`slug=${slug}${more}`)
  expect(await at(island.slug)).toEqual([island.slug])
  expect(await at(island.slug, `&kind=${island.kind}&access=public`)).toEqual([island.slug])
  expect(await at(island.slug, `&kind=${island.kind === 'lab' ? 'media' : 'lab'}`)).toEqual([])
  expect(await at(hidden.slug)).toEqual([])
  expect(await at('nowhere-at-all')).toEqual([])
  await host.inject({
    method: 'POST',
    url: `/api/islands/${island.id}/slug`,
    payload: { slug: 'quay-of-all' },
  })
  expect(await at('quay-of-all')).toEqual(['quay-of-all'])
  expect(await at(island.slug)).toEqual([])
  await publish(host, island, { access: 'invited', isListed: false })
  expect(await at('quay-of-all')).toEqual([])
})

test('pages follow one another, with the total', async () => {
  const app = await createTestApp({})
  const before = (await directory(app)).total
  const hosts = [await app.signUp(), await app.signUp()]
  for (let i = 0; i < 26; i += 1) {
    const address = i % 2 === 0 ? null : 'https://bar.example/'
    const host = hosts[i % 2]
    if (host !== undefined) await publishTestIsland(host, listed, { address })
  }
  for (const sort of ['open', 'newest']) {
    const first = await directory(app, `sort=${sort}`)
    expect(first.total).toBe(before + 26)
    expect(first.islands).toHaveLength(24)
    const second = await directory(app, `sort=${sort}&after=${first.next}`)
    const ids = [...first.islands, ...second.islands].map(({ id }) => id)
    expect(new Set(ids).size).toBe(before + 26)
    expect(second.next).toBe(null)
  }
  expect((await app.inject({ url: '/api/islands?after=nonsense' })).statusCode).toBe(400)
})

test('an island opens and closes with its carrier, and is at its location if that is public', async () => {
  const { host, clock, inject, app } = await setUp(createOperatorApp)
  const device = await registerTestDevice(host, { visibility: 'public' })
  const { token } = await createTestToken(host, device.id)
  const { slug, id } = await publishTestIsland(host, listed, { carrier: device.id })
  const card = async () => (await carried({ inject })).find((one) => one.slug === slug)
  expect(await card()).toMatchObject({ id, isOpen: false, isWatched: true, since: null })

  await sendHeartbeat({ inject }, token)
  clock.move(1000)
  const since = new Date(clock.now() - 1000).toISOString()
  expect(await card()).toMatchObject({ isOpen: true, since, deviceId: device.id })
  expect(await slugsIn({ inject }, 'state=open')).toContain(slug)

  const url = `/api/devices/${device.id}`
  await host.inject({ method: 'PATCH', url, payload: { visibility: 'private' } })
  expect(await card()).toBeUndefined()
  const [listedCard] = (await directory({ inject }, 'sort=newest')).islands
  expect(listedCard).toMatchObject({ slug, isOpen: true, isWatched: true, deviceId: null })

  // Without its device, nothing watches it.
  await host.inject({ method: 'DELETE', url })
  const [unwatched] = (await directory({ inject }, 'sort=newest')).islands
  expect(unwatched).toMatchObject({ slug, isOpen: true, isWatched: false, since: null })
  await app.close()
})

test('HS5 [HI4] no card says since when an island is open if others could not see it then', async () => {
  const { host, signUp, clock, inject } = await setUp()
  const device = await registerTestDevice(host, { visibility: 'public' })
  // No other island of this server has anything of this time.
  clock.move(1000)
  await sendHeartbeat({ inject }, (await createTestToken(host, device.id)).token)
  const since = new Date(clock.now()).toISOString()
  clock.move(60_000)
  const island = await publishTestIsland(
    host,
    { access: 'members', isListed: false },
    { name: 'Quay', carrier: device.id },
  )
  const member = await signUp()
  await joinTestIsland(member, island.id)
  const cards = async (browser: Pick<TestApp, 'inject'>, ...urls: readonly string[]) => {
    const bodies = await Promise.all(urls.map(async (url) => (await browser.inject({ url })).body))
    for (const body of bodies) expect(body).toContain(island.id)
    return bodies.map((body) => body.includes(since))
  }
  const joined = listJoinedIslands.path
  expect(await cards(member, joined, `/api/islands/by-slug/${island.slug}`)).toEqual([false, false])
  await publish(host, island, listed)
  await sendTestSignal(host, island.id)
  const [own] = (await host.inject({ url: '/api/me/islands' })).json<OwnIsland[]>()
  expect(own).toMatchObject({ isOpen: true, since })
  const page = `/api/islands/by-slug/${own?.slug}`
  const found = `${search.path}?q=quay`
  expect(await cards(host, page)).toEqual([true])
  expect(await cards(member, page, joined, found)).toEqual([false, false, false])
  const lists = ['/api/islands', '/api/islands/carried', listSignals.path]
  expect(await cards({ inject }, page, ...lists)).toEqual([false, false, false, false])
})

test('the carried islands are not sent again to a client that has them until something changes', async () => {
  const { host, clock, inject } = await setUp()
  const device = await registerTestDevice(host)
  const island = await publishTestIsland(host, listed, { carrier: device.id })
  clock.move(1000)
  const { headers } = await inject({ url: '/api/islands/carried' })
  const ask = () =>
    inject({
      url: '/api/islands/carried',
      headers: { 'if-none-match': String(headers['etag']) },
    })
  expect((await ask()).statusCode).toBe(304)
  await change(host, island, { tagline: 'Another one' })
  expect((await ask()).statusCode).toBe(200)
})

test('an island that is no longer listed leaves the carried ones with the next request', async () => {
  const { host, clock, inject } = await setUp()
  const device = await registerTestDevice(host, { visibility: 'public' })
  const island = await publishTestIsland(host, listed, { carrier: device.id })
  const isCarried = async () => (await carried({ inject })).some(({ id }) => id === island.id)
  clock.move(1000)
  expect(await isCarried()).toBe(true)
  await publish(host, island, { ...listed, isListed: false })
  expect(await isCarried()).toBe(false)
})

test('a card has its host’s name, and others see no islands of a disabled host', async () => {
  const app = await setUp()
  const { host, operator } = app
  const { slug } = await publishTestIsland(host, listed)
  const card = async () => (await directory(app)).islands.find((one) => one.slug === slug)
  expect(await card()).toMatchObject({ host: host.username })
  await host.inject({ method: 'PATCH', url: '/api/me', payload: { name: 'Nova' } })
  expect(await card()).toMatchObject({ host: 'Nova' })
  const url = `/api/operator/users/${host.username}`
  expect((await operator.inject({ method: 'POST', url: `${url}/disable` })).statusCode).toBe(200)
  expect(await card()).toBeUndefined()
  await operator.inject({ method: 'POST', url: `${url}/enable` })
  expect(await card()).toMatchObject({ host: 'Nova' })
  await operator.inject({ method: 'DELETE', url })
  expect(await card()).toBeUndefined()
})

test('the chart has only routes between listed islands, and islands with the most routes first', async () => {
  const { host, inject, clock } = await setUp()
  const [a, b] = [await publishTestIsland(host, listed), await publishTestIsland(host, listed)]
  const secret = await publishTestIsland(host, { access: 'public', isListed: false })
  await change(host, a, { neighbours: [b.slug, secret.slug] })
  const chart = async () => {
    // The choice is renewed after at most a second.
    clock.move(1000)
    const { json } = await inject({ url: '/api/islands/chart' })
    return v.parse(getIslandChart.answers[200], json())
  }
  const first = await chart()
  const slugs = first.islands.map(({ slug }) => slug)
  expect(new Set(slugs.slice(0, 2))).toEqual(new Set([a.slug, b.slug]))
  expect(slugs).not.toContain(secret.slug)
  expect(first.routes).toEqual([[slugs.indexOf(a.slug), slugs.indexOf(b.slug)]])
  await publish(host, b, { access: 'members', isListed: false })
  expect((await chart()).routes).toEqual([])
})
