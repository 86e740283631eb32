import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'
import { testPassword as password } from '../../test/factories.ts'

const remove = ({ inject }: TestBrowser, payload: object, options = {}) =>
  inject({ method: 'POST', url: '/api/me/delete', payload, ...options })

const storeValue = ({ inject }: TestBrowser, key: string, value: unknown) =>
  inject({
    method: 'POST',
    url: `/_spark/kv/${key}`,
    payload: JSON.stringify(value),
    headers: { 'content-type': 'text/plain' },
  })

async function setUp(made = createTestApp()) {
  const testApp = await made
  const [user, stranger] = [await testApp.signUp(), await testApp.signUp()]
  const device = await registerTestDevice(user, { label: 'Pi' })
  const { token } = await createTestToken(user, device.id, 'cron')
  const strangers = await registerTestDevice(stranger)
  const { token: strangersToken } = await createTestToken(stranger, strangers.id)
  for (const sent of [token, strangersToken]) await sendHeartbeat(testApp, sent)
  await storeValue(user, 'deep', { list: [1, { text: 'ü "quoted" \u2028' }] })
  await storeValue(user, 'null', null)
  await storeValue(stranger, 'theirs', 1)
  return { ...testApp, user, stranger, device, token, strangers, strangersToken }
}

test('the data of an account is listed in words', async () => {
  const { user, stranger } = await setUp()
  expect((await user.inject({ url: '/api/me/data' })).json()).toEqual([
    { kind: 'devices', count: 1, text: '1 device with its tokens' },
    { kind: 'statusChanges', count: 1, text: '1 change of their status' },
    { kind: 'keyValues', count: 2, text: '2 stored values' },
    { kind: 'sessions', count: 1, text: '1 signed-in browser' },
  ])
  expect((await stranger.inject({ url: '/api/me/data' })).json()).toContainEqual({
    kind: 'keyValues',
    count: 1,
    text: '1 stored value',
  })
})

test('an export is a file with all of the user’s own data, and S24 without secrets or others’ data', async () => {
  const { user, device, token, storage } = await setUp()
  const { username } = user
  const { key } = await storage.db
    .selectFrom('users')
    .select('key')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  await storage.db
    .insertInto('llm_usage')
    .values({ user_key: key, day: '2026-01-01', calls: 2, tokens: 30 })
    .execute()
  const response = await user.inject({ url: '/api/me/export' })
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="astropelago-${username}.json"`,
    'cache-control': 'no-store',
  })
  expect(response.json()).toEqual({
    exportedAt: '2026-01-01T00:00:00.000Z',
    account: {
      username,
      name: null,
      hue: null,
      isNamePublic: false,
      email: null,
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    devices: [
      expect.objectContaining({
        id: device.id,
        label: 'Pi',
        lat: 1.5,
        tokens: [expect.objectContaining({ label: 'cron', start: token.slice(0, 10) })],
      }),
    ],
    islandVisits: [],
    islands: [],
    memberships: [],
    logEntries: [],
    islandDomains: [],
    islandOpenings: [],
    islandValues: [],
    roomMessages: [],
    statusChanges: [
      { device: device.id, changes: [{ status: 'online', at: '2026-01-01T00:00:00.000Z' }] },
    ],
    deviceDays: [],
    checks: [],
    checkLocations: [],
    alertChannels: [],
    alerts: [],
    alertRules: [],
    statusPage: [],
    apiKeys: [],
    keyValues: [
      { collection: '', key: 'deep', value: { list: [1, { text: 'ü "quoted" \u2028' }] } },
      { collection: '', key: 'null', value: null },
    ],
    languageModelUse: [{ day: '2026-01-01', calls: 2, tokens: 30 }],
    reports: [],
    avatar: [],
    sessions: [
      {
        device: null,
        addressFamily: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        lastUsedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
  })
  for (const secret of [token, password, 'argon2', user.cookies['astropelago_session'] ?? '']) {
    expect(response.body).not.toContain(secret)
  }
  expect(response.body).not.toContain('theirs')
})

test('S33 an account can be exported ten times an hour', async () => {
  const { user, stranger } = await setUp()
  for (let time = 0; time < 10; time += 1) {
    expect((await user.inject({ url: '/api/me/export' })).statusCode).toBe(200)
  }
  expect((await user.inject({ url: '/api/me/export' })).statusCode).toBe(429)
  expect((await stranger.inject({ url: '/api/me/export' })).statusCode).toBe(200)
})

test('S57 an export in progress ends within a second of its session', async () => {
  const { app, user } = await setUp()
  for (let at = 0; at < 24; at += 1) await storeValue(user, `large-${at}`, 'x'.repeat(400_000))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const cookie = Object.entries(user.cookies).map((pair) => pair.join('='))
  const asked = request(`${url}/api/me/export`, { headers: { cookie: cookie.join('; ') } }).end()
  const response = await new Promise<IncomingMessage>((resolve) => asked.once('response', resolve))
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
  expect(await connections()).toBe(1)
  await user.inject({ url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } })
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 1000 })
  await expect(text(response)).rejects.toThrow('aborted')
})

test('S22 deleting an account deletes its sessions, devices, tokens and values at once, and nobody else’s', async () => {
  const testApp = await setUp(createTestApp({}))
  const { user, stranger, device, token, strangers, strangersToken, inject, storage } = testApp
  expect(await sendHeartbeat(testApp, token)).toBe(204)
  const publicIds = async () =>
    (await inject({ url: '/api/devices' })).json<{ id: string }[]>().map(({ id }) => id)
  expect(await publicIds()).toContain(device.id)

  const gone = await remove(user, { password })
  expect(gone.statusCode).toBe(204)
  expect(gone.cookies.map(({ maxAge }) => maxAge)).toEqual([0, 0])
  expect((await user.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect(await sendHeartbeat(testApp, token)).toBe(401)
  testApp.clock.move(60_000)
  expect(await publicIds()).toEqual([strangers.id])
  expect((await inject({ url: `/api/devices/${device.id}` })).statusCode).toBe(404)
  expect((await stranger.inject({ url: '/api/me' })).statusCode).toBe(200)
  expect(await sendHeartbeat(testApp, strangersToken)).toBe(204)

  const { db } = storage
  expect(await db.selectFrom('users').select('username').execute()).toEqual([
    { username: stranger.username },
  ])
  expect(await db.selectFrom('key_values').select('name').execute()).toEqual([{ name: 'theirs' }])
  expect(await db.selectFrom('devices').select('id').execute()).toEqual([{ id: strangers.id }])
  const subject = `user:${user.username}`
  expect(
    await db.selectFrom('audit_log').select(['actor', 'action', 'subject']).execute(),
  ).toContainEqual({ actor: subject, action: 'user.deleted', subject })
})

test.each([
  ['a wrong password', { password: 'wrong horse' }, 403],
  ['no password', {}, 400],
])('with %s nothing is deleted', async (_, payload, status) => {
  const { user } = await setUp()
  expect((await remove(user, payload)).statusCode).toBe(status)
  expect((await user.inject({ url: '/api/me' })).statusCode).toBe(200)
})

test('S15 another site’s page deletes nothing', async () => {
  const { user } = await setUp()
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect((await remove(user, { password }, { headers })).statusCode).toBe(403)
  expect((await user.inject({ url: '/api/me' })).statusCode).toBe(200)
})
