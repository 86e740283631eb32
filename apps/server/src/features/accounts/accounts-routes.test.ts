import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/create-test-app.ts'

const signedOut = { code: 'signed_out', error: expect.stringContaining('signed out') }

async function deviceTokenOf({ signUp }: TestApp): Promise<string> {
  const { inject } = await signUp()
  const payload = { label: 'Pi', lat: 0, lon: 0 }
  const device = await inject({ method: 'POST', url: '/api/devices/register', payload })
  const token = await inject({
    method: 'POST',
    url: '/api/devices/token',
    payload: { deviceId: device.json<{ id: string }>().id },
  })
  return token.json<{ token: string }>().token
}

/** The user's own view of a new account. */
function newUser(username: string) {
  const shown = {
    name: null,
    avatar: null,
    hue: null,
    isNamePublic: false,
    isDemo: false,
    isOperator: false,
  }
  return { username, ...shown }
}

test('GET /api/me shows only the public fields of the caller’s account', async () => {
  const { signUp } = await createTestApp()
  const { inject } = await signUp('Nova')
  const response = await inject({ url: '/api/me' })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ user: newUser('Nova') })
})

test('S30 signed-in answers are not stored', async () => {
  const { signUp } = await createTestApp()
  const { inject } = await signUp()
  for (const url of ['/api/me', '/api/auth/logout']) {
    expect((await inject({ url })).headers['cache-control']).toBe('no-store')
  }
})

test.each(['GET', 'PATCH'] as const)('S23 %s /api/me signed out is 401', async (method) => {
  const { inject } = await createTestApp()
  const payload = method === 'PATCH' ? { payload: { name: 'Nova' } } : {}
  const response = await inject({ method, url: '/api/me', ...payload })
  expect(response.statusCode).toBe(401)
  expect(response.json()).toEqual(signedOut)
})

test.each(['GET', 'PATCH'] as const)(
  'S21 %s /api/me with a device token is 401',
  async (method) => {
    const testApp = await createTestApp()
    const token = await deviceTokenOf(testApp)
    const payload = method === 'PATCH' ? { payload: { name: 'Nova' } } : {}
    for (const credentials of [
      { headers: { authorization: `Bearer ${token}` } },
      { cookies: { astropelago_session: token } },
    ]) {
      const response = await testApp.inject({ method, url: '/api/me', ...payload, ...credentials })
      expect(response.statusCode).toBe(401)
      expect(response.json()).toEqual(signedOut)
    }
  },
)

test.each([
  ['no cookie', {}],
  ['a forged token', { astropelago_session: 'A'.repeat(43) }],
  ['what is no token', { astropelago_session: 'x' }],
  ["another scheme's cookie name", { '__Host-astropelago_session': 'A'.repeat(43) }],
])('GET /api/me with %s is 401 and clears both cookies', async (_, cookies) => {
  const { inject } = await createTestApp()
  const response = await inject({ url: '/api/me', cookies })
  expect(response.statusCode).toBe(401)
  expect(response.cookies).toEqual([
    expect.objectContaining({ name: 'astropelago_session', value: '', path: '/', maxAge: 0 }),
    expect.objectContaining({ name: 'astropelago_signed_in', value: '', path: '/', maxAge: 0 }),
  ])
})

test('other refusals leave the cookies alone', async () => {
  const { signUp } = await createTestApp()
  const { inject, username } = await signUp()
  const payload = { username, password: 'wrong horse' }
  const wrong = await inject({ method: 'POST', url: '/api/auth/password-login', payload })
  expect(wrong.statusCode).toBe(401)
  expect(wrong.cookies).toEqual([])
  const badName = await inject({ method: 'PATCH', url: '/api/me', payload: { name: 7 } })
  expect(badName.cookies).toEqual([])
})

test('S13 a session ends after 14 days without use', async () => {
  const { signUp, clock } = await createTestApp()
  const { inject } = await signUp()
  clock.move(14 * 86_400_000)
  expect((await inject({ url: '/api/me' })).statusCode).toBe(401)
})

test('PATCH /api/me changes only the caller’s name and its visibility', async () => {
  const { signUp } = await createTestApp()
  const owner = await signUp()
  const stranger = await signUp()
  const change = (payload: object) => owner.inject({ method: 'PATCH', url: '/api/me', payload })

  const renamed = await change({ name: '  Nova of the Isles ' })
  expect(renamed.statusCode).toBe(200)
  const name = 'Nova of the Isles'
  const user = { ...newUser(owner.username), name }
  expect(renamed.json()).toEqual({ user })
  expect((await owner.inject({ url: '/api/me' })).json()).toEqual({ user })
  expect((await stranger.inject({ url: '/api/me' })).json()).toEqual({
    user: newUser(stranger.username),
  })

  const known = { ...user, isNamePublic: true }
  expect((await change({ isNamePublic: true })).json()).toEqual({ user: known })
  expect((await owner.inject({ url: '/api/me' })).json()).toEqual({ user: known })
  const both = { name: null, isNamePublic: false }
  expect((await change(both)).json()).toEqual({ user: { ...user, ...both } })
  expect((await change({ hue: 210 })).json()).toMatchObject({ user: { hue: 210 } })
  expect((await change({ hue: null })).json()).toEqual({ user: newUser(owner.username) })
})

test.each([
  ['a name too long', { name: 'x'.repeat(65) }],
  ['a control character', { name: 'a\0b' }],
  ['nothing to change', {}],
  ['a permission that is no yes or no', { isNamePublic: 1 }],
  ['a number', { name: 7 }],
  ['a hue past the circle', { hue: 360 }],
  ['half a hue', { hue: 1.5 }],
  ['S24 an unknown field', { name: 'Nova', isDemo: false }],
  ['S24 a username', { username: 'other' }],
])('PATCH /api/me with %s is 400', async (_, payload) => {
  const { signUp } = await createTestApp()
  const { inject, username } = await signUp()
  const response = await inject({ method: 'PATCH', url: '/api/me', payload })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_input' })
  expect((await inject({ url: '/api/me' })).json()).toMatchObject({
    user: { username, name: null },
  })
})

test('S15 PATCH /api/me from another site changes nothing', async () => {
  const { signUp } = await createTestApp()
  const { inject } = await signUp()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]) {
    const payload = { name: 'Pwned' }
    const response = await inject({ method: 'PATCH', url: '/api/me', payload, headers })
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({ code: 'cross_site' })
  }
  expect((await inject({ url: '/api/me' })).json()).toMatchObject({ user: { name: null } })
})
