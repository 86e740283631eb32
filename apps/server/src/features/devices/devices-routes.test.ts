import { describe, expect, test } from 'vitest'
import {
  deviceDetails,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
  createTestToken,
} from '../../test/api-devices.ts'
import { createTestApp, stopTicks } from '../../test/create-test-app.ts'
import { insertDevice } from '../../test/factories.ts'

const register = (payload: object) => ({
  method: 'POST' as const,
  url: '/api/devices/register',
  payload,
})
const patch = (id: string, payload: object) => ({
  method: 'PATCH' as const,
  url: `/api/devices/${id}`,
  payload,
})

const quarterly = { kind: 'period', periodS: 900, graceS: 300 }
const nightly = { kind: 'cron', expression: '30 4 * * *', timeZone: 'Europe/Berlin', graceS: 0 }

describe('[P11] the schedule of a device', () => {
  test('is set, changed and removed, and says when the next heartbeat is expected', async () => {
    stopTicks()
    const testApp = await createTestApp({})
    const { signUp, clock, inject } = testApp
    const owner = await signUp()
    const registered = await owner.inject(register({ ...deviceDetails, schedule: quarterly }))
    const { id } = registered.json<{ id: string }>()
    expect(registered.json()).toMatchObject({ schedule: quarterly, expectedAt: null })
    await sendHeartbeat({ inject }, (await createTestToken(owner, id)).token)
    const expectedAt = new Date(clock.now() + 900_000).toISOString()
    expect(await listOwnDevices(owner)).toMatchObject([{ schedule: quarterly, expectedAt }])
    clock.move(1_200_000)
    const offline = { status: 'offline', schedule: quarterly, expectedAt: null }
    expect(await listOwnDevices(owner)).toMatchObject([offline])
    const expression = ' 30  4 * * * '
    const changed = await owner.inject(patch(id, { schedule: { ...nightly, expression } }))
    expect(changed.json()).toMatchObject({ status: 'online', schedule: nightly })
    expect(changed.json()).toMatchObject({ expectedAt: '2026-01-01T03:30:00.000Z' })
    const removed = await owner.inject(patch(id, { schedule: null }))
    expect(removed.json()).toMatchObject({ status: 'offline', schedule: null, expectedAt: null })
  })

  test('S24 is not public', async () => {
    const { signUp, inject } = await createTestApp()
    const owner = await signUp()
    const { id } = await registerTestDevice(owner, { schedule: nightly })
    for (const url of ['/api/devices', `/api/devices/${id}`]) {
      expect((await inject({ url })).body).not.toMatch(/schedule|expected|Berlin/)
    }
  })

  test.each([
    ['a short period', { ...quarterly, periodS: 59 }, 'periodS', /from 60 to 2592000/],
    ['a negative grace period', { ...quarterly, graceS: -1 }, 'graceS', /from 0 to 2592000/],
    ['an unknown kind', { kind: 'never' }, 'kind', /period or cron/],
    ['six fields', { ...nightly, expression: '0 30 4 * * *' }, 'expression', /five fields/],
    ['hour 24', { ...nightly, expression: '0 24 * * *' }, 'expression', /^Hours are from 0/],
    ['30 February', { ...nightly, expression: '0 0 30 2 *' }, 'expression', /None of these/],
    ['an unknown zone', { ...nightly, timeZone: 'Mars/Base' }, 'timeZone', /Europe\/Berlin/],
    ['S24 an unknown field', { ...quarterly, timeZone: 'UTC' }, 'timeZone', /[.]$/],
  ])('with %s is refused with a sentence', async (_, schedule, field, sentence) => {
    const { signUp } = await createTestApp()
    const { inject } = await signUp()
    const response = await inject(register({ ...deviceDetails, schedule }))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      code: 'invalid_device',
      error: expect.any(String),
      fields: { [`schedule.${field}`]: expect.stringMatching(sentence) },
    })
  })

  test('can be previewed by users: the next three times of a cron expression', async () => {
    const { signUp, inject } = await createTestApp()
    const owner = await signUp()
    const url = '/api/schedules/next?expression=30+4+*+*+*&timeZone=Europe/Berlin'
    const times = [1, 2, 3].map((day) => `2026-01-0${day}T03:30:00.000Z`)
    expect((await owner.inject({ url })).json()).toEqual({ times })
    expect((await inject({ url })).statusCode).toBe(401)
    const wrong = await owner.inject({ url: '/api/schedules/next?expression=*&timeZone=UTC' })
    expect(wrong.json()).toMatchObject({ fields: { expression: expect.any(String) } })
  })
})

describe('registering', () => {
  test('S24 answers only the listed fields of the new device', async () => {
    const { signUp, clock } = await createTestApp()
    const { inject } = await signUp()
    const link = 'HTTPS://Sky.example'
    const response = await inject(register({ ...deviceDetails, label: '  Roof ', link }))
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      label: 'Roof',
      lat: 1.5,
      lon: -2.5,
      precision: 'exact',
      isShared: false,
      publicLat: 1.5,
      publicLon: -2.5,
      link: 'https://sky.example/',
      visibility: 'public',
      status: 'unknown',
      schedule: null,
      expectedAt: null,
      lastSeenAt: null,
      createdAt: new Date(clock.now()).toISOString(),
      hidden: null,
      report: null,
    })
  })

  test.each([
    ['a latitude out of bounds', { lat: 90.01 }, 'lat'],
    ['a longitude out of bounds', { lon: -180.01 }, 'lon'],
    ['a latitude in text', { lat: '1.5' }, 'lat'],
    ['no label', { label: undefined }, 'label'],
    ['a blank label', { label: ' ' }, 'label'],
    ['a label that is no text', { label: 7 }, 'label'],
    ['S29 a label with NUL', { label: 'a\0b' }, 'label'],
    ['a label too long', { label: 'x'.repeat(65) }, 'label'],
    ['S27 a script for a link', { link: 'javascript:alert(1)' }, 'link'],
    ['a link that is no text', { link: {} }, 'link'],
    ['an unknown visibility', { visibility: 'friends' }, 'visibility'],
    ['S24 an unknown field', { userKey: 1 }, 'userKey'],
    ['S24 a status of one’s own choice', { status: 'online' }, 'status'],
  ])('%s is invalid_device and names the field', async (_, change, field) => {
    const { signUp } = await createTestApp()
    const browser = await signUp()
    const response = await browser.inject(register({ ...deviceDetails, ...change }))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      code: 'invalid_device',
      error: expect.stringMatching(/[.]$/),
      fields: { [field]: expect.stringMatching(/[.]$/) },
    })
    expect(await listOwnDevices(browser)).toEqual([])
  })

  test('every wrong field is named', async () => {
    const { signUp } = await createTestApp()
    const { inject } = await signUp()
    const response = await inject(register({ lat: 91, link: 'x' }))
    const { fields } = response.json<{ fields: object }>()
    expect(Object.keys(fields).toSorted()).toEqual(['label', 'lat', 'link', 'lon'])
  })

  test('the hundred and first device of a user gets device_limit; other users have their own limit', async () => {
    const { signUp, storage } = await createTestApp()
    const [browser, other] = [await signUp('Nova'), await signUp()]
    const { key } = await storage.db
      .selectFrom('users')
      .select('key')
      .where('username', '=', 'Nova')
      .executeTakeFirstOrThrow()
    for (let count = 0; count < 99; count += 1) await insertDevice(storage.db, key)
    await registerTestDevice(browser)
    const response = await browser.inject(register(deviceDetails))
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({ code: 'device_limit' })
    await registerTestDevice(other)
  })

  test('S52 past MAX_DEVICES no device can be registered until one is deleted', async () => {
    const { signUp } = await createTestApp({ config: { maxDevices: 2 } })
    const [browser, other] = [await signUp(), await signUp()]
    const { id } = await registerTestDevice(browser)
    await registerTestDevice(other)
    const refused = await browser.inject(register(deviceDetails))
    expect(refused.statusCode).toBe(503)
    expect(refused.json()).toMatchObject({ code: 'server_full' })
    await browser.inject({ method: 'DELETE', url: `/api/devices/${id}` })
    await registerTestDevice(other)
    expect((await browser.inject(register(deviceDetails))).statusCode).toBe(503)
  })

  test('S9 the fourth device of a demo user gets device_limit', async () => {
    const { inject } = await createTestApp()
    const { cookies: given } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(given.map(({ name, value }) => [name, value]))
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await inject({ ...register(deviceDetails), cookies })).statusCode)
    }
    expect(statuses).toEqual([201, 201, 201, 409])
  })

  test('S9 S74 a demo user’s devices are not for other installations', async () => {
    const { inject } = await createTestApp()
    const { cookies: given } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(given.map(({ name, value }) => [name, value]))
    const made = await inject({ ...register(deviceDetails), cookies })
    for (const request of [
      register({ ...deviceDetails, isShared: true }),
      patch(made.json<{ id: string }>().id, { isShared: true }),
    ]) {
      const refused = await inject({ ...request, cookies })
      expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'demo_account' }])
    }
  })
})

describe('the user’s own devices', () => {
  test('S24 are listed oldest first, private ones too, with the listed fields', async () => {
    const { signUp } = await createTestApp()
    const [owner, stranger] = [await signUp(), await signUp()]
    const first = await registerTestDevice(owner, { visibility: 'private' })
    await registerTestDevice(stranger)
    const second = await registerTestDevice(owner)
    expect(await listOwnDevices(owner)).toEqual([first, second])
    const { body } = await owner.inject({ url: '/api/me/devices' })
    const [device] = JSON.parse(body)
    expect(Object.keys(device).toSorted()).toEqual([
      'createdAt',
      'expectedAt',
      'hidden',
      'id',
      'isShared',
      'label',
      'lastSeenAt',
      'lat',
      'link',
      'lon',
      'precision',
      'publicLat',
      'publicLon',
      'report',
      'schedule',
      'status',
      'visibility',
    ])
  })

  test('say when they were last seen', async () => {
    const testApp = await createTestApp()
    const owner = await testApp.signUp()
    const { id } = await registerTestDevice(owner)
    const { token } = await createTestToken(owner, id)
    testApp.clock.move(7000)
    await sendHeartbeat(testApp, token)
    const lastSeenAt = new Date(testApp.clock.now()).toISOString()
    expect(await listOwnDevices(owner)).toMatchObject([{ id, status: 'online', lastSeenAt }])
  })
})

describe('changing', () => {
  test.each([
    ['label', { label: ' Roof ' }, { label: 'Roof' }],
    ['lat', { lat: -90 }, { lat: -90, publicLat: -90 }],
    ['lon', { lon: 180 }, { lon: 180, publicLon: 180 }],
    ['sharing', { isShared: true }, { isShared: true }],
    ['precision', { precision: 'km10' }, { precision: 'km10', publicLat: 1.55, publicLon: -2.5 }],
    ['link', { link: 'http://b.example/x' }, { link: 'http://b.example/x' }],
    ['the link to none', { link: null }, { link: null }],
    ['visibility', { visibility: 'private' }, { visibility: 'private' }],
    ['nothing', {}, {}],
  ])('%s alone leaves the rest', async (_, change, changed) => {
    const { signUp } = await createTestApp()
    const owner = await signUp()
    const { id } = await registerTestDevice(owner, { link: 'https://a.example/' })
    const [before] = await listOwnDevices(owner)
    const response = await owner.inject(patch(id, change))
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ ...before, ...changed })
    expect(await listOwnDevices(owner)).toEqual([response.json()])
  })

  test.each([
    { lat: 91 },
    { lat: null },
    { label: '' },
    { link: 'data:,x' },
    { visibility: 'x' },
    { precision: 'km5' },
    { isShared: 'yes' },
    { precision: null },
    { publicLat: 1 },
    { id: 'x' },
    { createdAt: '2026-01-01T00:00:00.000Z' },
  ])('%j is invalid_device and changes nothing', async (change) => {
    const { signUp } = await createTestApp()
    const owner = await signUp()
    const { id } = await registerTestDevice(owner)
    const before = await listOwnDevices(owner)
    const response = await owner.inject(patch(id, { label: 'Roof', ...change }))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_device' })
    expect(await listOwnDevices(owner)).toEqual(before)
  })
})

describe('deleting', () => {
  test('S22 deletes the device and ends its token at once', async () => {
    const testApp = await createTestApp()
    const owner = await testApp.signUp()
    const { id } = await registerTestDevice(owner)
    const { token } = await createTestToken(owner, id)
    expect(await sendHeartbeat(testApp, token)).toBe(204)
    const response = await owner.inject({ method: 'DELETE', url: `/api/devices/${id}` })
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(await sendHeartbeat(testApp, token)).toBe(401)
    expect(await listOwnDevices(owner)).toEqual([])
    const again = await owner.inject({ method: 'DELETE', url: `/api/devices/${id}` })
    expect(again.statusCode).toBe(404)
  })
})
