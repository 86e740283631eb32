import { apiKeysPerUser } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { deviceDetails, registerTestDevice } from '../../test/api-devices.ts'
import { createTestApiKey, injectByKey } from '../../test/api-keys.ts'
import { createTestApp, type TestAppOptions, type TestBrowser } from '../../test/create-test-app.ts'
import { testPassword } from '../../test/factories.ts'
import { shareOperatorApp } from '../../test/operator-app.ts'

const dayMs = 86_400_000
const url = '/api/me/api-keys'
const newPassword = 'another horse'
const register = { method: 'POST', url: '/api/devices/register', payload: deviceDetails } as const

async function setUp(options?: TestAppOptions) {
  const testApp = await createTestApp(options)
  const owner = await testApp.signUp()
  const list = async () => (await owner.inject({ url })).json<Record<string, unknown>[]>()
  return { ...testApp, owner, list }
}

describe('making a key', () => {
  test('S19 shows it once: 256 random bits behind a prefix, stored only as a hash', async () => {
    const { owner, list, storage, logged, clock } = await setUp()
    const { key, ...shown } = await createTestApiKey(owner, ['devices:write'], 30)
    expect(key).toMatch(/^apk_[\w-]{43}$/)
    expect(shown).toEqual({
      id: shown.id,
      name: 'Provisioning',
      start: key.slice(0, 10),
      scopes: ['devices:write'],
      createdAt: new Date(clock.now()).toISOString(),
      lastUsedAt: null,
      expiresAt: new Date(clock.now() + 30 * dayMs).toISOString(),
    })
    expect(await list()).toEqual([shown])
    const rows = await storage.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', shown.id)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(key.slice(10))
    expect(rows[0]?.key_hash).toHaveLength(32)
    expect(logged()).not.toContain(key.slice(10))
  })

  test.each([
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['a name without end', { name: 'x'.repeat(65) }],
    ['S60 a name with controls', { name: 'a\u0007b' }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['devices:delete'] }],
    ['a scope twice', { scopes: ['devices:read', 'devices:read'] }],
    ['no day', { expiresInDays: 0 }],
    ['days past all', { expiresInDays: 3651 }],
    ['half a day', { expiresInDays: 0.5 }],
    ['a field that is not known', { userKey: 1 }],
  ])('S24 S31 with %s is refused', async (_, wrong) => {
    const { owner, list } = await setUp()
    const payload = { name: 'Fleet', scopes: ['devices:read'], ...wrong }
    const response = await owner.inject({ method: 'POST', url, payload })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_input' })
    expect(await list()).toEqual([])
  })

  test('S52 is refused at the user’s limit, until one is revoked', async () => {
    const { owner } = await setUp()
    const keys = await Promise.all(
      Array.from({ length: apiKeysPerUser }, () => createTestApiKey(owner)),
    )
    const again = {
      method: 'POST',
      url,
      payload: { name: 'One more', scopes: ['devices:read'] },
    } as const
    const refused = await owner.inject(again)
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'api_key_limit' }])
    await owner.inject({ method: 'DELETE', url: `${url}/${keys[0]?.id}` })
    expect((await owner.inject(again)).statusCode).toBe(201)
  })

  test('S9 is refused for demo users, whatever they send', async () => {
    const { inject } = await setUp()
    const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
    const response = await inject({ method: 'POST', url, cookies, payload: '{' })
    expect([response.statusCode, response.json()]).toMatchObject([403, { code: 'demo_account' }])
  })

  test('S59 and revoking it are in the audit log, without the secret', async () => {
    const { owner, storage } = await setUp()
    const { id, key } = await createTestApiKey(owner, ['devices:read'])
    await owner.inject({ method: 'DELETE', url: `${url}/${id}` })
    const entries = await storage.db
      .selectFrom('audit_log')
      .selectAll()
      .where('actor', '=', `user:${owner.username}`)
      .orderBy('key')
      .execute()
    expect(entries).toMatchObject([
      { actor: `user:${owner.username}`, action: 'api_key.created', subject: `api_key:${id}` },
      { actor: `user:${owner.username}`, action: 'api_key.revoked', subject: `api_key:${id}` },
    ])
    expect(JSON.stringify(entries)).not.toContain(key.slice(10))
  })
})

describe('a call by key', () => {
  test('is made in its user’s name, and recorded as the key’s last use once a minute', async () => {
    const { app, owner, list, clock } = await setUp({})
    const { key } = await createTestApiKey(owner)
    const call = injectByKey(app, key)
    clock.move(5)
    const registered = await call(register)
    expect(registered.statusCode).toBe(201)
    const firstUse = clock.now()
    clock.move(59_000)
    const own = await call({ url: '/api/me/devices' })
    expect(own.json()).toMatchObject([{ id: registered.json<{ id: string }>().id }])
    expect(await list()).toMatchObject([{ lastUsedAt: new Date(firstUse).toISOString() }])
    clock.move(1000)
    await call({ url: '/api/me/devices' })
    expect(await list()).toMatchObject([{ lastUsedAt: new Date(clock.now()).toISOString() }])
  })

  test.each([
    ['unknown', () => `apk_${'x'.repeat(43)}`],
    ['cut', (key: string) => key.slice(0, -1)],
    ['of other letters', (key: string) => `apk_${key.slice(4).toLowerCase()}`],
    ['empty but for its prefix', () => 'apk_'],
  ])('S19 with a key that is %s is refused like any bad key', async (_, spoil) => {
    const { app, owner } = await setUp()
    const { key } = await createTestApiKey(owner)
    const response = await injectByKey(app, spoil(key))({ url: '/api/me/devices' })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ code: 'invalid_api_key' })
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  test('S20 is accepted only with the key in its header, not in the address, a cookie or a body', async () => {
    const { inject, owner } = await setUp()
    const { key } = await createTestApiKey(owner)
    const cookies = Object.fromEntries(Object.keys(owner.cookies).map((name) => [name, key]))
    const statuses = [
      await inject({ url: `/api/me/devices?access_token=${key}` }),
      await inject({ url: '/api/me/devices', cookies }),
      await inject({ ...register, payload: { ...deviceDetails, key } }),
    ].map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([401, 401, 401])
  })

  test('S22 is refused as soon as the key is revoked or expires', async () => {
    const { app, owner, clock } = await setUp({})
    const [revoked, expired] = [
      await createTestApiKey(owner),
      await createTestApiKey(owner, ['devices:read'], 1),
    ]
    const ask = async (key: string) =>
      (await injectByKey(app, key)({ url: '/api/me/devices' })).statusCode
    expect([await ask(revoked.key), await ask(expired.key)]).toEqual([200, 200])
    await owner.inject({ method: 'DELETE', url: `${url}/${revoked.id}` })
    expect([await ask(revoked.key), await ask(expired.key)]).toEqual([401, 200])
    clock.move(dayMs - 1)
    expect(await ask(expired.key)).toBe(200)
    clock.move(1)
    expect(await ask(expired.key)).toBe(401)
  })

  test('S22 is refused within a second after another server revokes the key or disables its user', async () => {
    const { app, owner, clock, storage } = await setUp({})
    const [revoked, ofDisabled] = [await createTestApiKey(owner), await createTestApiKey(owner)]
    const ask = async (key: string) =>
      (await injectByKey(app, key)({ url: '/api/me/devices' })).statusCode
    expect([await ask(revoked.key), await ask(ofDisabled.key)]).toEqual([200, 200])
    await storage.db.deleteFrom('api_keys').where('id', '=', revoked.id).execute()
    clock.move(999)
    expect([await ask(revoked.key), await ask(ofDisabled.key)]).toEqual([401, 200])
    await storage.db.updateTable('users').set({ disabled_ms: 1 }).execute()
    clock.move(999)
    expect(await ask(ofDisabled.key)).toBe(401)
  })

  test.each([
    ['is deleted', () => ({ url: '/api/me/delete', payload: { password: testPassword } })],
    ['is turned off', (username: string) => ({ url: `/api/operator/users/${username}/disable` })],
  ])('S22 is refused at once when its user %s', async (_, endOf) => {
    const { app, inject, signUp, operator } = await shareOperatorApp()
    const user = await signUp()
    const end = endOf(user.username)
    const call = injectByKey(app, (await createTestApiKey(user)).key)
    const ask = async () => (await call({ url: '/api/me/devices' })).statusCode
    // The first one is noted as a use, and is in memory from the second on.
    expect([await ask(), await ask()]).toEqual([200, 200])
    const { cookies } = end.url.startsWith('/api/me') ? user : operator
    const ended = await inject({ method: 'POST', ...end, cookies })
    expect(ended.statusCode).toBeLessThan(300)
    expect(await ask()).toBe(401)
  })

  test.each(['changed', 'reset'])(
    'S22 is refused at once when the user’s password is %s, and others’ calls are not',
    async (how) => {
      const { app, inject, operator, signUp } = await shareOperatorApp()
      const [user, owner] = [await signUp(), await signUp()]
      const [key, others] = [await createTestApiKey(user), await createTestApiKey(owner)]
      const ask = async ({ key: secret }: typeof key) =>
        (await injectByKey(app, secret)({ url: '/api/me/devices' })).statusCode
      // The first one is noted as a use, and is in memory from the second on.
      expect([await ask(key), await ask(key), await ask(others)]).toEqual([200, 200, 200])
      const post = (path: string, { cookies }: Partial<TestBrowser>, payload: object = {}) =>
        inject({ method: 'POST', url: path, payload, ...(cookies && { cookies }) })
      if (how === 'changed') {
        await post('/api/me/password', user, { password: testPassword, newPassword })
      } else {
        const made = await post(`/api/operator/users/${user.username}/reset-code`, operator)
        const { code } = made.json<{ code: string }>()
        await post('/api/auth/reset-password', {}, { code, newPassword })
      }
      expect([await ask(key), await ask(others)]).toEqual([401, 200])
    },
  )

  test('S39 is refused when another server has deleted the user, even while the key is cached', async () => {
    const { app, owner, storage, logged } = await setUp()
    const call = injectByKey(app, (await createTestApiKey(owner)).key)
    const calls = [call, owner.inject]
    for (const one of [...calls, call]) {
      expect((await one({ url: '/api/me/devices' })).statusCode).toBe(200)
    }
    await storage.db.deleteFrom('users').where('username', '=', owner.username).execute()
    const answers = []
    for (const one of calls) answers.push((await one(register)).json())
    expect(answers).toMatchObject([{ code: 'invalid_api_key' }, { code: 'signed_out' }])
    expect(logged()).not.toContain('"level":50')
  })

  test('S15 needs no header of the same site, and ignores a cookie', async () => {
    const { inject, owner, signUp } = await setUp()
    const { key } = await createTestApiKey(owner)
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const byKey = { ...crossSite, authorization: `Bearer ${key}` }
    const stranger = await signUp()
    const made = await stranger.inject({ ...register, headers: byKey })
    expect(made.statusCode).toBe(201)
    const own = await owner.inject({ url: '/api/me/devices' })
    expect(own.json()).toMatchObject([{ id: made.json<{ id: string }>().id }])

    // A bad key, or a route that lets none in, leaves the cookie under its own rules.
    const bad = { ...crossSite, authorization: 'Bearer apk_bad' }
    expect((await owner.inject({ ...register, headers: bad })).statusCode).toBe(401)
    expect((await owner.inject({ ...register, headers: crossSite })).statusCode).toBe(403)
    const body = { payload: { name: 'Mine', scopes: ['devices:read'] } }
    const another = { method: 'POST', url, headers: byKey, ...body } as const
    expect((await owner.inject(another)).statusCode).toBe(403)
    expect(
      (await inject({ ...another, headers: { authorization: `Bearer ${key}` } })).statusCode,
    ).toBe(401)
  })

  test('S33 counts against the limit of its address, good or bad', async () => {
    const { app, owner } = await setUp({ config: { limitExempt: [] } })
    const { key } = await createTestApiKey(owner)
    const call = injectByKey(app, key)
    const statuses = new Map<number, number>()
    for (let i = 0; i < 601; i += 1) {
      const { statusCode } = await call({ url: '/api/me/devices' })
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect(statuses.get(429)).toBeGreaterThan(0)
    expect(statuses.get(200)).toBeGreaterThan(500)
  })
})

test('S23 a stranger can neither see nor revoke a key', async () => {
  const { app, owner, signUp } = await setUp()
  const { id, key } = await createTestApiKey(owner)
  const stranger = await signUp()
  expect((await stranger.inject({ url })).json()).toEqual([])
  const [strangers, missing] = [
    await stranger.inject({ method: 'DELETE', url: `${url}/${id}` }),
    await stranger.inject({ method: 'DELETE', url: `${url}/${crypto.randomUUID()}` }),
  ]
  expect([strangers.statusCode, strangers.body]).toEqual([404, missing.body])
  expect((await injectByKey(app, key)({ url: '/api/me/devices' })).statusCode).toBe(200)
})

test('S24 a device token made by key works, and a stranger’s device stays a stranger’s', async () => {
  const { app, owner, signUp } = await setUp()
  const call = injectByKey(app, (await createTestApiKey(owner, ['devices:write'])).key)
  const own = await registerTestDevice(owner)
  const strangers = await registerTestDevice(await signUp())
  const tokenFor = async (deviceId: string) =>
    (await call({ method: 'POST', url: '/api/devices/token', payload: { deviceId } })).statusCode
  expect([await tokenFor(own.id), await tokenFor(strangers.id)]).toEqual([201, 404])
})
