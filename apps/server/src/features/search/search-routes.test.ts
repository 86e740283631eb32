import { searchesPer10s } from '@astropelago/contract/limits'
import { search, searchLength } from '@astropelago/contract/search'
import type { NewIsland } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'

const ask = (by: Pick<TestBrowser, 'inject'>, q: string) =>
  by.inject({ url: `/api/search?${new URLSearchParams({ q }).toString()}` })

const makeIsland = async (by: TestBrowser, details: Partial<NewIsland> & { name: string }) => {
  const slug = details.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const payload = { kind: 'social', slug, address: 'https://a.example/', ...details }
  const response = await by.inject({ method: 'POST', url: '/api/islands', payload })
  expect(response.statusCode).toBe(201)
  const { id }: { id: string } = response.json()
  return {
    id,
    slug,
    publish: async (access: string, isListed: boolean) => {
      const url = `/api/islands/${id}/publish`
      const published = await by.inject({
        method: 'POST',
        url,
        payload: { access, isListed, slug },
      })
      expect(published.statusCode).toBe(200)
    },
  }
}

const found = async (by: Pick<TestBrowser, 'inject'>, q: string) => {
  const response = await ask(by, q)
  expect(response.statusCode).toBe(200)
  return v.parse(search.answers[200], response.json())
}

async function setUp() {
  const testApp = await createTestApp()
  const [ada, bob] = [await testApp.signUp(), await testApp.signUp()]
  return { ...testApp, ada, bob }
}

test('another user finds islands, satellites and the routes between islands', async () => {
  const { ada, bob } = await setUp()
  const { id } = await registerTestDevice(ada, { label: 'Harbor light' })
  const harbor = await makeIsland(ada, { name: 'Harbor bar', tagline: 'By the sea' })
  const lab = await makeIsland(ada, { name: 'Lab nine' })
  await harbor.publish('public', true)
  await lab.publish('invited', true)
  const url = `/api/islands/${harbor.id}`
  const changed = await ada.inject({ method: 'PATCH', url, payload: { neighbours: [lab.slug] } })
  expect(changed.statusCode).toBe(200)

  const route = {
    from: { slug: 'harbor-bar', name: 'Harbor bar' },
    to: { slug: 'lab-nine', name: 'Lab nine' },
  }
  expect(await found(bob, 'harbor')).toEqual({
    islands: [
      {
        id: harbor.id,
        slug: 'harbor-bar',
        name: 'Harbor bar',
        kind: 'social',
        picture: expect.any(Number),
        tagline: 'By the sea',
        access: 'public',
        host: ada.username,
        isOpen: true,
        isWatched: false,
        since: null,
        pause: null,
        deviceId: null,
        publishedAt: expect.any(String),
      },
    ],
    satellites: [{ id, label: 'Harbor light', status: 'unknown' }],
    neighbourIslands: [],
    neighbourSatellites: [],
    routes: [route],
  })
  // A route is found by either of its ends.
  expect(await found(bob, 'nine')).toMatchObject({ satellites: [], routes: [route] })
  expect(await found(bob, 'sea')).toMatchObject({ islands: [{ slug: 'harbor-bar' }] })
})

test('what a user may not see affects neither results, nor their number or order', async () => {
  const { ada, bob } = await setUp()
  await registerTestDevice(ada, { label: 'Grotto pi', visibility: 'private' })
  await makeIsland(ada, { name: 'Grotto draft' })
  const unlisted = await makeIsland(ada, { name: 'Grotto bar' })
  await unlisted.publish('public', false)
  const members = await makeIsland(ada, { name: 'Grotto club' })
  await members.publish('members', false)
  const nothing = await ask(bob, 'nothing of that name')
  expect((await ask(bob, 'grotto')).body).toBe(nothing.body)
  // Their owner finds all of them.
  const { islands, satellites } = await found(ada, 'grotto')
  expect(islands.map(({ name }) => name)).toEqual(['Grotto bar', 'Grotto club', 'Grotto draft'])
  expect(satellites).toMatchObject([{ label: 'Grotto pi' }])

  await makeIsland(bob, { name: 'Grotto zoo' }).then(({ publish }) => publish('public', true))
  expect((await found(bob, 'grotto')).islands.map(({ name }) => name)).toEqual(['Grotto zoo'])
})

test('a visitor finds what everybody may see', async () => {
  const { ada, inject } = await setUp()
  await registerTestDevice(ada, { label: 'Cavern pi', visibility: 'private' })
  const { id } = await registerTestDevice(ada, { label: 'Cavern light' })
  const bar = await makeIsland(ada, { name: 'Cavern bar' })
  const club = await makeIsland(ada, { name: 'Cavern club' })
  await bar.publish('public', true)
  await club.publish('members', false)
  const payload = { neighbours: [club.slug] }
  await ada.inject({ method: 'PATCH', url: `/api/islands/${bar.id}`, payload })
  expect(await found({ inject }, 'cavern')).toMatchObject({
    islands: [{ name: 'Cavern bar' }],
    satellites: [{ id, label: 'Cavern light' }],
    routes: [],
  })
})

test('among equal names open islands come first, and a paused one says so', async () => {
  const { ada, bob } = await setUp()
  const [first] = [
    await makeIsland(ada, { name: 'Cove a' }),
    await makeIsland(ada, { name: 'Cove b' }),
    await makeIsland(ada, { name: 'Cove c', address: null }),
  ]
  await first.publish('public', true)
  const names = async () => (await found(ada, 'cove')).islands.map(({ name }) => name)
  expect(await names()).toEqual(['Cove a', 'Cove b', 'Cove c'])
  const url = `/api/islands/${first.id}/pause`
  await ada.inject({ method: 'POST', url, payload: { text: 'Low tide' } })
  expect(await names()).toEqual(['Cove b', 'Cove a', 'Cove c'])
  expect(await found(bob, 'cove')).toMatchObject({
    islands: [{ name: 'Cove a', isOpen: false, pause: { text: 'Low tide', until: null } }],
  })
})

test('among equal names online devices come first, eight at most', async () => {
  const { ada, bob } = await setUp()
  const devices = []
  for (let at = 10; at < 30; at += 1) {
    devices.push(await registerTestDevice(ada, { label: `Node ${at}` }))
  }
  const { token } = await createTestToken(ada, devices[15]?.id ?? '')
  await sendHeartbeat(ada, token)
  const { satellites } = await found(bob, 'node')
  expect(satellites).toHaveLength(searchLength)
  expect(satellites.slice(0, 3)).toMatchObject([
    { label: 'Node 25', status: 'online' },
    { label: 'Node 10', status: 'unknown' },
    { label: 'Node 11', status: 'unknown' },
  ])
  // An exact match comes before one that is online.
  await registerTestDevice(ada, { label: 'Node' })
  expect((await found(bob, 'node')).satellites.slice(0, 2)).toMatchObject([
    { label: 'Node' },
    { label: 'Node 25' },
  ])
})

test('a user has 20 searches in 10 seconds, from any address', async () => {
  const { ada, bob } = await setUp()
  for (let at = 0; at < searchesPer10s; at += 1) {
    expect((await ask(ada, `node ${at}`)).statusCode).toBe(200)
  }
  const refused = await ask(ada, 'node')
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'rate_limited' })
  const waitS = Number(refused.headers['retry-after'])
  expect(waitS).toBeGreaterThan(0)
  expect(waitS).toBeLessThanOrEqual(10)
  expect((await ask(bob, 'node')).statusCode).toBe(200)
})

test('visitors share as many by address, unless the address is exempt', async () => {
  const { inject } = await setUp()
  const askFrom = async (remoteAddress: string) =>
    (await inject({ url: '/api/search?q=node', remoteAddress })).statusCode
  for (let at = 0; at < searchesPer10s; at += 1) expect(await askFrom('203.0.113.7')).toBe(200)
  expect(await askFrom('203.0.113.7')).toBe(429)
  expect(await askFrom('203.0.113.8')).toBe(200)
  // This address is in LIMIT_EXEMPT.
  for (let at = 0; at <= searchesPer10s; at += 1) expect(await askFrom('127.0.0.1')).toBe(200)
})

test('searches are counted by outcome', async () => {
  const metricsToken = 'scr4pe-me'
  const { signUp, inject } = await createTestApp({ config: { metricsToken } })
  const ada = await signUp('Ada')
  await registerTestDevice(ada, { label: 'Node' })
  await found(ada, 'node')
  for (let at = 1; at < searchesPer10s + 2; at += 1) await ask(ada, 'nowhere')
  const headers = { authorization: `Bearer ${metricsToken}` }
  const { body } = await inject({ url: '/metrics', headers })
  const counted = [...body.matchAll(/^astropelago_searches_total\{outcome="(.+)"\} (\d+)$/gm)]
  expect(Object.fromEntries(counted.map(([, outcome, count]) => [outcome, Number(count)]))).toEqual(
    {
      found: 1,
      nothing: searchesPer10s - 1,
      rate_limited: 2,
      unavailable: 0,
    },
  )
})

test('more than 100 characters are refused, and an empty search finds nothing', async () => {
  const { ada } = await setUp()
  expect((await ask(ada, 'x'.repeat(101))).statusCode).toBe(400)
  const nothing = {
    islands: [],
    satellites: [],
    neighbourIslands: [],
    neighbourSatellites: [],
    routes: [],
  }
  expect(await found(ada, '')).toEqual(nothing)
  expect(await found(ada, 'x'.repeat(100))).toEqual(nothing)
  expect(await found(ada, 'x '.repeat(50))).toEqual(nothing)
})
