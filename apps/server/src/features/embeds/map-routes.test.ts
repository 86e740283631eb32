import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import {
  devicesGeoJson,
  devicesGraphJson,
  devicesMeshviewer,
  devicesNodesJson,
} from '@astropelago/contract/embeds'
import fastify from 'fastify'
import * as v from 'valibot'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServe } from '../../http/serve-route.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { createTestApp, shareTestApp } from '../../test/create-test-app.ts'
import { meshviewer } from './map-format.ts'
import { mapRoutes } from './map-routes.ts'

const options = { config: { publicUrl: 'https://islands.example' } }
/** A server of its own, for a test that needs to know all devices or moves the clock far. */
const ownApp = () => createTestApp({ ...options })

async function setUp(made = shareTestApp(options)) {
  const testApp = await made
  const owner = await testApp.signUp()
  const ask = (url: string, headers: Record<string, string> = {}) =>
    testApp.inject({ url, headers })
  const geoJson = async () =>
    v.parse(devicesGeoJson.answers[200], (await ask(devicesGeoJson.path)).json())
  const mesh = async () =>
    v.parse(devicesMeshviewer.answers[200], (await ask(devicesMeshviewer.path)).json())
  const nodes = async () =>
    v.parse(devicesNodesJson.answers[200], (await ask(devicesNodesJson.path)).json())
  const change = (id: string, payload: object) =>
    owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload })
  return { ...testApp, owner, ask, geoJson, mesh, nodes, change }
}

const refuse = () => Promise.reject(new Error('nobody signs in here'))

const iso = (ms: number) => new Date(ms).toISOString()

describe('public devices for other people’s maps', () => {
  test('as GeoJSON are all public devices at their public places', async () => {
    const { owner, geoJson } = await setUp(ownApp())
    const details = { label: 'Roof "1" <Pi>', lat: 52.51234, lon: 13.41234, precision: 'km10' }
    const { id } = await registerTestDevice(owner, { ...details, link: 'https://roof.example/' })
    await registerTestDevice(owner, { visibility: 'private' })
    expect(await geoJson()).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id,
          geometry: { type: 'Point', coordinates: [13.49, 52.55] },
          properties: {
            label: 'Roof "1" <Pi>',
            status: 'unknown',
            link: 'https://roof.example/',
            page: `https://islands.example/devices/${id}`,
          },
        },
      ],
    })
  })

  test('as nodes of meshviewer are those that have been seen', async () => {
    const testApp = await setUp(ownApp())
    const { owner, mesh, nodes, clock } = testApp
    const startMs = clock.now()
    const { id } = await registerTestDevice(owner, { label: 'Roof', lat: 1, lon: 2 })
    await registerTestDevice(owner)
    const { token } = await createTestToken(owner, id)
    clock.move(60_000)
    await sendHeartbeat(testApp, token)
    clock.move(1000)
    const nowMs = clock.now()
    const times = { firstseen: iso(startMs), lastseen: iso(nowMs) }
    expect(await mesh()).toMatchObject({
      timestamp: iso(nowMs),
      links: [],
      nodes: [
        {
          ...times,
          node_id: id,
          hostname: 'Roof',
          is_online: true,
          location: { latitude: 1, longitude: 2 },
        },
      ],
    })
    expect(await nodes()).toMatchObject({
      version: 2,
      timestamp: iso(nowMs),
      nodes: [
        {
          ...times,
          flags: { online: true, gateway: false },
          nodeinfo: {
            node_id: id,
            hostname: 'Roof',
            location: { latitude: 1, longitude: 2 },
          },
        },
      ],
    })
  })

  test('include when an offline device was last seen', () => {
    const device = {
      id: 'a',
      label: 'Roof',
      lat: 1,
      lon: 2,
      link: null,
      status: 'offline',
    } as const
    const written = meshviewer.device({ ...device, publicSinceMs: 1000, lastSeenMs: 2000 }, 3000)
    expect(written).toMatchObject({
      is_online: false,
      firstseen: iso(1000),
      lastseen: iso(2000),
    })
  })

  test('[H6] EM8 have nothing from before they were public', async () => {
    const testApp = await setUp(ownApp())
    const { owner, mesh, nodes, clock, change } = testApp
    const { id } = await registerTestDevice(owner, { visibility: 'private' })
    const { token } = await createTestToken(owner, id)
    await sendHeartbeat(testApp, token)
    clock.move(3_600_000)
    await change(id, { visibility: 'public' })
    const since = iso(clock.now())
    const times = { firstseen: since, lastseen: since }
    expect((await mesh()).nodes).toMatchObject([{ ...times, is_online: false }])
    expect((await nodes()).nodes).toMatchObject([times])
  })

  test.each([devicesGeoJson, devicesMeshviewer, devicesNodesJson])(
    'EM8 S54 S58 $path has nothing of what became private, coarser or was deleted, from the next request on',
    async ({ path }) => {
      const testApp = await setUp()
      const { owner, ask, change } = testApp
      const [one, two, three] = [
        await registerTestDevice(owner, { lat: 11.2345 }),
        await registerTestDevice(owner),
        await registerTestDevice(owner),
      ]
      for (const { id } of [one, two, three]) {
        await sendHeartbeat(testApp, (await createTestToken(owner, id)).token)
      }
      const body = async () => (await ask(path)).body
      const has = async (text: string) => (await body()).includes(text)
      expect([await has(one.id), await has(two.id), await has('11.2345')]).toEqual([
        true,
        true,
        true,
      ])
      await change(two.id, { visibility: 'private' })
      expect(await has(two.id)).toBe(false)
      await change(one.id, { precision: 'km10' })
      expect([await has('11.2345'), await has(one.id)]).toEqual([false, true])
      await owner.inject({ method: 'DELETE', url: `/api/devices/${three.id}` })
      expect(await has(three.id)).toBe(false)
      // A move within its cell is not a change.
      const { headers } = await ask(path)
      await change(one.id, { lat: 11.2346 })
      testApp.clock.move(6000)
      expect((await ask(path)).headers['etag']).toBe(headers['etag'])
    },
  )

  test.each([
    [devicesGeoJson.path, 'application/geo+json; charset=utf-8'],
    [devicesMeshviewer.path, 'application/json; charset=utf-8'],
    [devicesNodesJson.path, 'application/json; charset=utf-8'],
  ])('EM3 %s goes to any page, compressed where it may be, and once', async (path, type) => {
    const { owner, ask } = await setUp()
    await registerTestDevice(owner)
    const plain = await ask(path)
    expect(plain.headers).toMatchObject({
      'content-type': type,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const small = await ask(path, { 'accept-encoding': 'br, gzip' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(String(gunzipSync(small.rawPayload))).toBe(plain.body)
    const again = await ask(path, { 'if-none-match': `${plain.headers['etag']}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('EM3 older meshviewers find a graph without links beside nodes.json', async () => {
    const { ask } = await setUp()
    const graph = await ask(devicesGraphJson.path)
    expect(graph.json()).toEqual({
      version: 1,
      batadv: { directed: false, nodes: [], links: [], graph: null },
    })
    expect(graph.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
    })
    const etag = `${graph.headers['etag']}`
    const again = await ask(devicesGraphJson.path, { 'if-none-match': etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('are empty without devices', async () => {
    const { geoJson, mesh, nodes } = await setUp(ownApp())
    expect((await geoJson()).features).toEqual([])
    expect((await mesh()).nodes).toEqual([])
    expect((await nodes()).nodes).toEqual([])
  })
})

/** The routes of maps that are not made before `goOn`. */
function setUpGated() {
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>()
  const made = { running: 0, most: 0, makings: 0 }
  const app = fastify()
  mapRoutes(app, {
    serve: createServe({
      limitCalls: () => undefined,
      whenCurrent: () => Promise.resolve(),
      user: refuse,
      apiKey: refuse,
      device: refuse,
      agent: refuse,
      operator: refuse,
      audit: { begin: refuse },
    }),
    publicUrl: 'https://islands.example',
    clock: () => 0,
    read: async function* () {
      made.running += 1
      made.makings += 1
      made.most = Math.max(made.most, made.running)
      await gate
      yield []
      made.running -= 1
    },
    changes: { sealed: async () => 'x-1', isCurrent: () => true },
    onWithdraw: () => undefined,
  })
  return { app, goOn, made }
}

test('EM8 maps of all formats share one turn', async () => {
  const { app, goOn, made } = setUpGated()
  const routes = [devicesGeoJson, devicesMeshviewer, devicesNodesJson]
  const answers = Promise.all(routes.map(({ path }) => app.inject({ url: path })))
  await expect.poll(() => made.makings).toBeGreaterThan(0)
  goOn()
  expect((await answers).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect([made.makings, made.most]).toEqual([3, 1])
})

test('a client that leaves while a map is made takes no slot for uncompressed maps', async () => {
  const { app, goOn } = setUpGated()
  let [waiting, left] = [0, 0]
  app.addHook('preHandler', async (_request, reply) => {
    waiting += 1
    reply.raw.once('close', () => {
      left += 1
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = v.parse(v.object({ port: v.number() }), app.server.address())
  const early = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'))
  for (const socket of early) socket.write(`GET ${devicesGeoJson.path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await expect.poll(() => waiting).toBe(early.length)
  for (const socket of early) socket.destroy()
  await expect.poll(() => left).toBe(early.length)
  goOn()
  const { statusCode } = await app.inject({ url: devicesGeoJson.path })
  expect(statusCode).toBe(200)
})
