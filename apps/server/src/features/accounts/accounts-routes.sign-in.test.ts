import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import type { Schema } from '../../storage/schema.ts'
import { createTestApp, type TestApp } from '../../test/create-test-app.ts'
import { testPassword } from '../../test/factories.ts'

type Inject = TestApp['inject']

type Payload = InjectOptions['payload']

const login = (inject: Inject, payload: Payload, options?: InjectOptions) =>
  inject({ method: 'POST', url: '/api/auth/password-login', ...options, payload })
const register = (inject: Inject, payload: Payload, options?: InjectOptions) =>
  inject({ method: 'POST', url: '/api/auth/register', ...options, payload })
const demo = (inject: Inject, options?: InjectOptions) =>
  inject({ method: 'POST', url: '/api/auth/demo', ...options })
const cookiesOf = (response: LightMyRequestResponse) =>
  Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]))

const password = testPassword
/** An address that limits apply to. */
const limited = { remoteAddress: '192.0.2.1' }
const newName = (start = 'nova') => `${start}-${randomUUID().slice(0, 8)}`

test('registering makes an account and signs it in', async () => {
  const { inject } = await createTestApp()
  const username = newName('Nova')
  const response = await register(inject, { username: ` ${username} `, password })
  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({ user: { username, name: null } })
  expect((await inject({ url: '/api/me', cookies: cookiesOf(response) })).statusCode).toBe(200)
})

test.each([
  ['no username', { username: ' ', password }, 400, 'invalid_input'],
  ['no password', { username: 'nova', password: '' }, 400, 'invalid_input'],
  ['a bad username', { username: 'n!', password: 'x' }, 400, 'invalid_username'],
  ['a short password', { username: 'nova', password: '1234567' }, 400, 'weak_password'],
  ['a long password', { username: 'nova', password: 'x'.repeat(129) }, 400, 'invalid_input'],
  ['S2 a common password', { username: 'nova', password: 'Password1' }, 400, 'common_password'],
  ['S2 the username', { username: 'starwalker', password: 'StarWalker' }, 400, 'common_password'],
  ["S2 the product's name", { username: 'nova', password: 'Astropelago1' }, 400, 'common_password'],
  [
    'S5 a taken username',
    (taken: string) => ({ username: taken.toUpperCase(), password }),
    409,
    'username_taken',
  ],
  ['S24 an unknown field', { username: 'nova', password, isDemo: false }, 400, 'invalid_input'],
  ['a missing field', { username: 'nova' }, 400, 'invalid_input'],
  ['a number', { username: 'nova', password: 12_345_678 }, 400, 'invalid_input'],
  ['a list', [], 400, 'invalid_input'],
])('registering with %s is refused by its code', async (_, payload, status, code) => {
  const { inject, signUp } = await createTestApp()
  const { username } = await signUp()
  const response = await register(
    inject,
    typeof payload === 'function' ? payload(username) : payload,
  )
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ error: code, code })
  expect(response.cookies).toEqual([])
})

test('S5 of two simultaneous registrations one succeeds', async () => {
  const { inject } = await createTestApp()
  const name = newName()
  const responses = await Promise.all(
    [name, name.toUpperCase()].map((username) => register(inject, { username, password })),
  )
  const statuses = responses.map(({ statusCode }) => statusCode)
  expect(statuses).toContain(201)
  expect(statuses).toContain(409)
})

test('signing in with the right password returns the user', async () => {
  const { inject, signUp } = await createTestApp()
  const { username } = await signUp(newName('Nova'))
  const typed = `n${username.slice(1).toUpperCase()} `
  const response = await login(inject, { username: typed, password })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toMatchObject({ user: { username, name: null } })
})

test.each([
  ['no username', () => ({ username: '', password }), 400, 'invalid_input'],
  ['no password', (username: string) => ({ username, password: '' }), 400, 'invalid_input'],
  [
    'a long password',
    (username: string) => ({ username, password: 'x'.repeat(129) }),
    400,
    'invalid_input',
  ],
  ['nothing', () => ({}), 400, 'invalid_input'],
  [
    'S24 an unknown field',
    (username: string) => ({ username, password, x: 1 }),
    400,
    'invalid_input',
  ],
  [
    'a wrong password',
    (username: string) => ({ username, password: 'wrong' }),
    401,
    'invalid_credentials',
  ],
  [
    'S1 a trimmed one',
    (username: string) => ({ username, password: `${password} ` }),
    401,
    'invalid_credentials',
  ],
  [
    'S8 a usual default',
    () => ({ username: 'admin', password: 'admin' }),
    401,
    'invalid_credentials',
  ],
])('signing in with %s is refused by its code', async (_, payloadOf, status, code) => {
  const { inject, signUp } = await createTestApp()
  const { username } = await signUp()
  const response = await login(inject, payloadOf(username))
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ error: code, code })
  expect(response.cookies).toEqual([])
})

test('S31 bodies that are not a JSON object of this shape are refused as 4xx', async () => {
  const { inject } = await createTestApp()
  const json = { 'content-type': 'application/json' }
  for (const [body, headers, status] of [
    ['{"username":', json, 400],
    ['', json, 400],
    ['null', json, 400],
    ['{"__proto__":{},"username":"nova","password":"x"}', json, 400],
    ['['.repeat(50_000), json, 400],
    [JSON.stringify({ username: 'nova', password: 'x'.repeat(70_000) }), json, 413],
  ] as const) {
    expect((await login(inject, body, { headers })).statusCode).toBe(status)
  }
})

test('S16 a body of another content type is refused', async () => {
  const { inject, signUp } = await createTestApp()
  const { username } = await signUp()
  const body = JSON.stringify({ username, password })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const response = await login(inject, body, { headers: { 'content-type': type } })
    expect(response.statusCode).toBe(415)
    expect(response.cookies).toEqual([])
  }
})

test.each(['/api/auth/password-login', '/api/auth/register', '/api/auth/demo'])(
  'S15 %s from another site is refused',
  async (url) => {
    const { inject, signUp } = await createTestApp()
    const { username } = await signUp()
    const payload = url.endsWith('demo') ? {} : { payload: { username, password } }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]) {
      const response = await inject({ method: 'POST', url, headers, ...payload })
      expect(response.statusCode).toBe(403)
      expect(response.json()).toEqual({ error: 'cross_site', code: 'cross_site' })
      expect(response.cookies).toEqual([])
    }
  },
)

test('S4 a wrong password and an unknown username get the same answer in the same time', async () => {
  const { inject, signUp } = await createTestApp({})
  await signUp('nova')
  const names = ['nova', 'nobody'] as const
  const waits = { nova: [] as number[], nobody: [] as number[] }
  const work = { nova: [] as number[], nobody: [] as number[] }
  const bodies = new Set<string>()
  for (let round = 0; round < 20; round += 1) {
    for (const username of round % 2 === 0 ? names : names.toReversed()) {
      const startedMs = performance.now()
      const cpu = process.cpuUsage()
      const response = await login(inject, { username, password: 'wrong horse' })
      const { user, system } = process.cpuUsage(cpu)
      waits[username].push(performance.now() - startedMs)
      work[username].push(user + system)
      bodies.add(`${response.statusCode} ${response.body}`)
    }
  }
  expect(bodies.size).toBe(1)
  // Other processes can only add time, so the minimum shows the real cost.
  const ofWork = Math.min(...work.nova) / Math.min(...work.nobody)
  // Beside other work the same hash differs by up to a fifth. Without a hash the ratio would be far off.
  expect(ofWork).toBeGreaterThan(0.75)
  expect(ofWork).toBeLessThan(1.33)
  // The clock also shows waits that use no processor time.
  const ofTime = Math.min(...waits.nova) / Math.min(...waits.nobody)
  expect(ofTime).toBeGreaterThan(0.5)
  expect(ofTime).toBeLessThan(2)
})

test('S9 a demo sign-in makes a new user each time, gone after 24 hours', async () => {
  const { inject, clock } = await createTestApp({})
  const [first, second] = [await demo(inject), await demo(inject)]
  expect(first.statusCode).toBe(200)
  expect(first.json()).toMatchObject({ user: { username: expect.stringMatching(/^demo-/) } })
  expect(second.body).not.toBe(first.body)

  const cookies = cookiesOf(first)
  expect((await inject({ url: '/api/me', cookies })).statusCode).toBe(200)
  clock.move(24 * 3_600_000)
  expect((await inject({ url: '/api/me', cookies })).statusCode).toBe(401)
})

test('demo sign-in turned off is 403 by its code', async () => {
  const { inject } = await createTestApp({ config: { demo: false } })
  const response = await demo(inject)
  expect(response.statusCode).toBe(403)
  expect(response.json()).toEqual({ error: 'demo_off', code: 'demo_off' })
  expect(response.cookies).toEqual([])
})

test('S11 signing in ends the presented session', async () => {
  const { inject, signUp } = await createTestApp()
  const { cookies, username } = await signUp()
  const response = await login(inject, { username, password }, { cookies })
  const newToken = response.cookies.find(({ name }) => name === 'astropelago_session')?.value
  expect(newToken).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(newToken).not.toBe(cookies['astropelago_session'])
  expect((await inject({ url: '/api/me', cookies })).statusCode).toBe(401)
})

test('S10 the database holds neither tokens nor passwords', async () => {
  const { signUp, storage } = await createTestApp({})
  const { cookies } = await signUp()
  const token = cookies['astropelago_session'] ?? ''
  const tables: readonly (keyof Schema)[] = ['users', 'sessions']
  for (const table of tables) {
    const rows = await storage.db.selectFrom(table).selectAll().execute()
    expect(rows).toHaveLength(1)
    const stored = rows
      .flatMap((row) => Object.values<unknown>(row))
      .map((value) => (value instanceof Uint8Array ? value : Buffer.from(String(value))))
    for (const secret of [token, Buffer.from(token, 'base64url'), password]) {
      expect(Buffer.concat(stored).includes(secret)).toBe(false)
    }
  }
})

test('S12 over plain http the cookie is HttpOnly and Lax, the hint readable', async () => {
  const { inject } = await createTestApp()
  const [session, hint] = (await demo(inject)).cookies
  const attributes = { path: '/', sameSite: 'Lax', maxAge: 90 * 86_400 }
  expect(session).toEqual({
    ...attributes,
    name: 'astropelago_session',
    value: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    httpOnly: true,
  })
  expect(hint).toEqual({ ...attributes, name: 'astropelago_signed_in', value: '1' })
})

test('S12 over https the cookie is bound to the host and Secure, also when it is cleared', async () => {
  const { inject } = await createTestApp({ config: { publicUrl: 'https://sky.example' } })
  const attributes = { path: '/', sameSite: 'Lax', secure: true }
  const name = '__Host-astropelago_session'
  const [session, hint] = (await demo(inject)).cookies
  expect(session).toMatchObject({ ...attributes, name, httpOnly: true })
  expect(session).not.toHaveProperty('domain')
  expect(hint).toMatchObject({ ...attributes, name: 'astropelago_signed_in' })

  const [cleared, clearedHint] = (await inject({ url: '/api/auth/logout' })).cookies
  expect(cleared).toMatchObject({ ...attributes, name, httpOnly: true, maxAge: 0 })
  expect(clearedHint).toMatchObject({ ...attributes, name: 'astropelago_signed_in', maxAge: 0 })
})

test('S6 the 11th try of a minute is 429 with Retry-After, even with the right password', async () => {
  const { inject, signUp, clock } = await createTestApp({})
  await signUp('nova')
  for (let time = 0; time < 10; time += 1) {
    const response = await login(inject, { username: 'nova', password: 'wrong horse' }, limited)
    expect(response.statusCode).toBe(401)
  }
  const refused = await login(inject, { username: 'Nova ', password }, limited)
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.json()).toEqual({ error: 'rate_limited', code: 'rate_limited' })

  const elsewhere = { remoteAddress: '192.0.2.2' }
  expect((await login(inject, { username: 'nova', password }, elsewhere)).statusCode).toBe(200)
  clock.move(60_000)
  expect((await login(inject, { username: 'nova', password }, limited)).statusCode).toBe(200)
})

test('S6 the addresses of one IPv6 /64 count as one', async () => {
  const { inject } = await createTestApp()
  const payload = { username: newName(), password: 'wrong horse' }
  const from = (remoteAddress: string) => login(inject, payload, { remoteAddress })
  for (let time = 0; time < 10; time += 1) await from(`2001:db8:0:1::${time}`)
  expect((await from('2001:db8:0:1:ffff::1')).statusCode).toBe(429)
  expect((await from('2001:db8:0:2::1')).statusCode).toBe(401)
})

test('S34 a forged X-Forwarded-For gains no further tries', async () => {
  const { inject } = await createTestApp()
  const payload = { username: newName(), password: 'wrong horse' }
  const statuses: number[] = []
  for (let time = 0; time < 11; time += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${time}` }
    statuses.push((await login(inject, payload, { ...limited, headers })).statusCode)
  }
  expect(statuses.at(-1)).toBe(429)
})

test('S6 an address makes 30 accounts an hour, registered and demo together', async () => {
  const { inject } = await createTestApp()
  const newUser = (index: number) =>
    register(inject, { username: `nova-${index}`, password: 'short' }, limited)
  for (let index = 0; index < 15; index += 1) {
    expect((await newUser(index)).statusCode).toBe(400)
    expect((await demo(inject, limited)).statusCode).toBe(200)
  }
  for (const refused of [await newUser(15), await demo(inject, limited)]) {
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({ error: 'rate_limited', code: 'rate_limited' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await demo(inject, { remoteAddress: '192.0.2.2' })).statusCode).toBe(200)
})

test('S7 a storm of sign-ins is answered 401 or, within a second, 503', async () => {
  const { inject } = await createTestApp({})
  const startedMs = performance.now()
  const sinceStart = () => performance.now() - startedMs
  const storm = Promise.all(
    Array.from({ length: 150 }, async (_, index) => {
      const response = await login(inject, { username: `user-${index}`, password: 'wrong horse' })
      return { response, ms: sinceStart() }
    }),
  )
  // On a busy machine, the same number of look-ups takes this long. They come before the wait for a
  // hash.
  await inject({ url: '/api/devices/unknown' })
  const lookUpsMs = sinceStart()
  /** The worst delay of a timer on this machine. */
  let lateMs = 0
  const answered = new AbortController()
  void storm.finally(() => answered.abort())
  while (!answered.signal.aborted) {
    const atMs = sinceStart()
    await wait(20)
    lateMs = Math.max(lateMs, sinceStart() - atMs - 20)
  }
  const answers = await storm
  const refused = answers.filter(({ response }) => response.statusCode === 503)
  expect(refused.length).toBeGreaterThan(0)
  for (const { response } of refused) {
    expect(response.json()).toEqual({ error: 'overloaded', code: 'overloaded' })
    expect(response.headers['retry-after']).toBe('1')
  }
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(1000 + lookUpsMs + 10 * lateMs)
  const others = answers.filter(({ response }) => response.statusCode !== 503)
  expect(new Set(others.map(({ response }) => response.statusCode))).toEqual(new Set([401]))
})

test('S52 past MAX_USERS nobody can register or try the demo, but users can sign in', async () => {
  const { inject } = await createTestApp({ config: { maxUsers: 2 } })
  await register(inject, { username: 'nova', password })
  expect((await demo(inject)).statusCode).toBe(200)
  for (const refused of [
    await demo(inject),
    await register(inject, { username: 'orion', password }),
  ]) {
    expect(refused.statusCode).toBe(503)
    expect(refused.json()).toEqual({ error: 'server_full', code: 'server_full' })
  }
  expect((await login(inject, { username: 'nova', password })).statusCode).toBe(200)
})

test('S38 sign-ins and failures are logged, S20 without passwords, tokens or typed names', async () => {
  const { inject, logged } = await createTestApp({})
  const cookies = cookiesOf(await register(inject, { username: 'nova', password }))
  await login(inject, { username: 'nova', password })
  await login(inject, { username: 'nova', password: 'my-other-secret' })
  await login(inject, { username: 'typed-my-password-here', password: 'x' })
  await demo(inject)
  await inject({ url: '/api/auth/logout', cookies })

  const events = logged()
    .split('\n')
    .filter((line) => line.includes('"event"'))
    .map((line): unknown => JSON.parse(line))
  expect(events).toEqual(
    [
      { event: 'registered', userKey: 1 },
      { event: 'signed_in', userKey: 1 },
      { event: 'sign_in_failed', userKey: 1 },
      { event: 'sign_in_failed', userKey: null },
      { event: 'demo_signed_in', userKey: 2 },
      { event: 'signed_out', userKey: 1 },
    ].map((event) => expect.objectContaining({ ...event, address: '127.0.0.1' })),
  )
  for (const secret of [
    password,
    'my-other-secret',
    'typed-my-password-here',
    cookies['astropelago_session'] ?? '',
  ]) {
    expect(logged()).not.toContain(secret)
  }
})
