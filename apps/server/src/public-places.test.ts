import { OwnDevice, PublicDevice } from '@astropelago/contract/devices'
import { coarsePlace, type Place, type Precision } from '@astropelago/contract/place'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createTestToken, registerTestDevice } from './test/api-devices.ts'
import { createTestApp } from './test/create-test-app.ts'
import { movableClock } from './test/movable-clock.ts'
import { openTestStorage } from './test/open-test-storage.ts'

/** Places as users enter them, with more digits than any coarse place has. */
const degrees = (max: number) =>
  fc.double({ min: -max, max, noNaN: true }).filter((deg) => String(deg).length > 9)
const [lat, lon] = [degrees(90), degrees(180)]
const place: fc.Arbitrary<Place> = fc.record({ lat, lon })
const precision = fc.constantFrom<Precision>('exact', 'km1', 'km10')
const change = fc.oneof(
  fc.record({ precision }),
  place,
  fc.record({ lat, lon, precision }),
  fc.record({ label: fc.constantFrom('Roof', 'Cellar') }),
)
const act = fc.oneof(
  { weight: 9, arbitrary: change },
  { weight: 2, arbitrary: fc.constant('let time pass' as const) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
)

/** A whole server, with an owner and all kinds of other callers. */
async function setUp() {
  const storage = await openTestStorage()
  const clock = movableClock()
  let testApp = await createTestApp({ storage, clock })
  const [owner, stranger] = [await testApp.signUp(), await testApp.signUp()]
  const { cookies } = owner
  const { token } = await createTestToken(owner, (await registerTestDevice(owner)).id)
  const callers = [
    {},
    { cookies: stranger.cookies },
    { headers: { authorization: `Bearer ${token}` } },
  ]
  return {
    clock,
    register: async (details: Place & { readonly precision: Precision }) => {
      const payload = { label: 'Pi', ...details }
      const url = '/api/devices/register'
      const response = await testApp.inject({ method: 'POST', url, payload, cookies })
      return v.parse(OwnDevice, response.json())
    },
    change: async (id: string, payload: object) => {
      const url = `/api/devices/${id}`
      const response = await testApp.inject({ method: 'PATCH', url, payload, cookies })
      return v.parse(OwnDevice, response.json())
    },
    remove: (id: string) =>
      testApp.inject({ method: 'DELETE', url: `/api/devices/${id}`, cookies }),
    /** All answers about a device to callers other than its owner. */
    answers: async (id: string) => {
      const answered = callers.flatMap((caller) => [
        testApp.inject({ url: '/api/devices', ...caller }),
        testApp.inject({ url: `/api/devices/${id}`, ...caller }),
      ])
      return await Promise.all(answered)
    },
    restart: async () => {
      await testApp.app.close()
      testApp = await createTestApp({ storage, clock })
    },
  }
}

test('S58 [P8] S23 only the owner’s answers hold the exact place of a device that is shown coarsely', async () => {
  const server = await setUp()
  await fc.assert(
    fc.asyncProperty(
      place,
      precision,
      fc.array(act, { minLength: 1, maxLength: 8 }),
      async (first, chosen, acts) => {
        let own = await server.register({ ...first, precision: chosen })
        /** All places that it ever had. */
        const exact = [own.lat, own.lon]
        const wrong: string[] = []
        for (const one of acts) {
          if (one === 'let time pass') server.clock.move(1500)
          else if (one === 'restart') await server.restart()
          else own = await server.change(own.id, one)
          exact.push(own.lat, own.lon)
          const shown = coarsePlace(own, own.precision)
          if (own.publicLat !== shown.lat || own.publicLon !== shown.lon) wrong.push('own')
          if (own.precision === 'exact') continue
          for (const { body } of await server.answers(own.id)) {
            if (exact.some((deg) => body.includes(String(deg)))) wrong.push(body)
            const told = v.parse(v.array(PublicDevice), [JSON.parse(body)].flat())
            // A list that is about to be rebuilt may lack it.
            const device = told.find(({ id }) => id === own.id) ?? shown
            if (device.lat !== shown.lat || device.lon !== shown.lon) wrong.push(body)
          }
        }
        await server.remove(own.id)
        expect(wrong).toEqual([])
      },
    ),
    { numRuns: 30 },
  )
}, 60_000)

test('S58 S23 a move that only the owner sees changes no answer, no ETag and no order', async () => {
  const server = await setUp()
  const { id } = await server.register({ lat: 52.5012, lon: 13.4264, precision: 'km10' })
  const answers = async () => {
    server.clock.move(1500)
    const all = await server.answers(id)
    return all.map(({ body, headers }) => ({ body, etag: headers['etag'] }))
  }
  const before = await answers()
  const moved = await server.change(id, { lat: 52.5988, lon: 13.5511 })
  expect(moved).toMatchObject({ lat: 52.5988, publicLat: 52.55, publicLon: 13.49 })
  expect(await answers()).toEqual(before)
  await server.change(id, { lat: 52.6012 })
  expect(await answers()).not.toEqual(before)
})
