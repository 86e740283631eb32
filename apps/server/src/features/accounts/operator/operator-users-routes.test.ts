import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerTestDevice } from '../../../test/api-devices.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import { testPassword } from '../../../test/factories.ts'
import { shareOperatorApp } from '../../../test/operator-app.ts'

const newName = () => `Nova-${randomUUID().slice(0, 8)}`

/** A server with nobody but the operator Ada. */
async function createAdasApp() {
  const testApp = await createTestApp({ config: { operators: new Set(['ada']) } })
  return { ...testApp, operator: await testApp.signUp('Ada') }
}

async function setUp(made = shareOperatorApp()) {
  const testApp = await made
  const ada = testApp.operator
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
    ada.inject({ method, url: `/api/operator/${path}`, ...(payload && { payload }) })
  const usernames = async (query = '') => {
    const answer = (await send('GET', `users${query}`)).json<{
      users: { username: string }[]
      hasMore: boolean
    }>()
    return { names: answer.users.map(({ username }) => username), hasMore: answer.hasMore }
  }
  const audit = async () =>
    (await send('GET', `audit?actor=operator:${ada.username}`)).json<{
      entries: Record<string, unknown>[]
    }>().entries
  return { ...testApp, ada, send, usernames, audit }
}

test('users are listed by username, a page at a time', async () => {
  const { signUp, usernames } = await setUp(createAdasApp())
  for (const name of ['nova', 'Bo-1', 'carl']) await signUp(name)
  expect(await usernames()).toEqual({ names: ['Ada', 'Bo-1', 'carl', 'nova'], hasMore: false })
  expect(await usernames('?limit=2')).toEqual({ names: ['Ada', 'Bo-1'], hasMore: true })
  expect(await usernames('?limit=2&after=BO-1')).toEqual({
    names: ['carl', 'nova'],
    hasMore: false,
  })
})

test('users are searched by username and name, ignoring case, and no character is a wildcard', async () => {
  const { signUp, usernames } = await setUp()
  const nova = await signUp('nova_1')
  await signUp('novax1')
  await nova.inject({ method: 'PATCH', url: '/api/me', payload: { name: '100% Stella' } })
  expect((await usernames('?search=OVA_')).names).toEqual(['nova_1'])
  expect((await usernames('?search=stel')).names).toEqual(['nova_1'])
  expect((await usernames('?search=0%25')).names).toEqual(['nova_1'])
  expect((await usernames('?search=%25x')).names).toEqual([])
  expect((await usernames(`?search=${encodeURIComponent('\\')}`)).names).toEqual([])
})

test('users are listed newest first or last seen first, a page at a time', async () => {
  const { signUp, inject, clock, usernames, send, ada } = await setUp(createAdasApp())
  for (const name of ['nova', 'Bo-1', 'carl']) {
    clock.move(60_000)
    await signUp(name)
  }
  // Two users created at the same time, neither of whom has signed in.
  await send('POST', 'users', { username: 'eve' })
  await send('POST', 'users', { username: 'dora' })
  const pages = async (query: string) => {
    const found: string[] = []
    for (let next: string | null = ''; next !== null;) {
      const url = `/api/operator/users?limit=2&${query}${next === '' ? '' : `&after=${next}`}`
      const answer: { users: { username: string }[]; next: string | null } = (
        await ada.inject({ url })
      ).json()
      found.push(...answer.users.map(({ username }) => username))
      ;({ next } = answer)
    }
    return found
  }
  expect(await pages('sort=newest')).toEqual(['eve', 'dora', 'carl', 'Bo-1', 'nova', 'Ada'])
  clock.move(2 * 3_600_000)
  const signIn = { username: 'nova', password: testPassword }
  await inject({ method: 'POST', url: '/api/auth/password-login', payload: signIn })
  const seen = await pages('sort=last-seen')
  expect(seen.filter((name) => name !== 'Ada')).toEqual(['nova', 'carl', 'Bo-1', 'eve', 'dora'])
  expect(await pages('sort=username')).toEqual(['Ada', 'Bo-1', 'carl', 'dora', 'eve', 'nova'])
  const refused = await send('GET', 'users?sort=newest&after=nova')
  expect(refused.json()).toMatchObject({
    code: 'invalid_input',
    fields: { after: expect.any(String) },
  })
  expect((await usernames('?sort=newest&limit=1')).hasMore).toBe(true)
})

test('users can be listed by kind', async () => {
  const { signUp, send, usernames, inject } = await setUp(createAdasApp())
  const nova = await signUp('nova')
  await registerTestDevice(nova)
  for (const name of ['off', 'host', 'stopped']) await signUp(name)
  await inject({ method: 'POST', url: '/api/auth/demo' })
  await send('POST', 'users/off/disable')
  await send('POST', 'users/host/trust')
  await send('POST', 'users/stopped/stop-relay', { reason: 'Phishing' })
  const only = async (kind: string) => (await usernames(`?only=${kind}`)).names
  expect(await only('operators')).toEqual(['Ada'])
  expect(await only('disabled')).toEqual(['off'])
  expect(await only('trusted')).toEqual(['host'])
  expect(await only('relay-stopped')).toEqual(['stopped'])
  const [demo = '', ...others] = await only('demo')
  expect(others).toEqual([])
  expect(await only('without-devices')).toEqual(
    expect.arrayContaining(['Ada', 'host', 'off', 'stopped', demo]),
  )
  expect(await only('without-devices')).not.toContain('nova')
  expect((await usernames('?only=without-devices&search=ST&sort=newest')).names).toEqual([
    'stopped',
    'host',
  ])
  expect((await send('GET', 'users?only=frobs')).json()).toMatchObject({ code: 'invalid_input' })
})

test('operators see a user’s public fields and counts, and no secret', async () => {
  const { signUp, send } = await setUp()
  const nova = await signUp(newName())
  await registerTestDevice(nova)
  expect((await send('GET', `users/${nova.username.toLowerCase()}`)).json()).toEqual({
    username: nova.username,
    name: null,
    avatar: null,
    createdAt: expect.any(String),
    isDemo: false,
    isOperator: false,
    disabledAt: null,
    relayStopped: null,
    trustedAt: null,
    deviceCount: 1,
    sessionCount: 1,
    lastUsedAt: expect.any(String),
  })
  expect((await send('GET', 'users/nobody')).statusCode).toBe(404)
})

test('S8 an operator makes an account without a password, even under a name that nobody can register', async () => {
  const { inject, send } = await setUp()
  const name = newName()
  const username = name.toLowerCase()
  const made = await send('POST', 'users', { username: name })
  expect(made.statusCode).toBe(201)
  expect(made.json()).toMatchObject({ username: name, sessionCount: 0 })
  expect((await send('POST', 'users', { username })).json()).toMatchObject({
    code: 'username_taken',
  })
  expect((await send('POST', 'users', { username: 'a b' })).json()).toMatchObject({
    code: 'invalid_username',
  })
  for (const password of ['', 'x'.repeat(16)]) {
    const signIn = await inject({
      method: 'POST',
      url: '/api/auth/password-login',
      payload: { username, password },
    })
    expect(signIn.statusCode).toBeGreaterThanOrEqual(400)
  }
})

test('S57 an operator ends all sessions of a user, and of nobody else', async () => {
  const { signUp, ada, send } = await setUp()
  const nova = await signUp()
  expect((await send('DELETE', `users/${nova.username}/sessions`)).json()).toEqual({ ended: 1 })
  expect((await nova.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect((await ada.inject({ url: '/api/me' })).statusCode).toBe(200)
})

test('S57 deleting a user deletes the sessions and devices', async () => {
  const { signUp, inject, send } = await setUp()
  const nova = await signUp()
  const { id } = await registerTestDevice(nova)
  const path = `users/${nova.username}`
  expect((await send('DELETE', path)).json()).toEqual({ deviceCount: 1 })
  expect((await nova.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect((await inject({ url: `/api/devices/${id}` })).statusCode).toBe(404)
  expect((await send('DELETE', path)).statusCode).toBe(404)
})

test('S59 the audit log records what an operator does: actor, action, subject, time and outcome', async () => {
  const { signUp, send, audit, logged, ada } = await setUp()
  const { username } = await signUp(newName())
  await send('GET', 'users')
  expect(await audit()).toEqual([])
  await send('POST', `users/${username.toUpperCase()}/disable`)
  await send('DELETE', 'users/nobody')
  const [refused, done] = await audit()
  const actor = `operator:${ada.username}`
  const entry = { at: expect.any(String), number: expect.any(Number), actor }
  expect(done).toEqual({
    ...entry,
    action: 'user.disabled',
    subject: `user:${username.toLowerCase()}`,
    details: null,
    outcome: 'done',
    code: null,
  })
  expect(refused).toMatchObject({ action: 'user.deleted', outcome: 'refused', code: 'not_found' })
  expect(logged()).toContain(`"event":"user.disabled","actor":"${actor}"`)
})

test('S59 the audit log is filtered by actor, action and subject, and read a page at a time', async () => {
  const { signUp, send } = await setUp(createAdasApp())
  await signUp('nova')
  await send('POST', 'users/nova/disable')
  await send('POST', 'users/nova/enable')
  await send('DELETE', 'users/nova/sessions')
  const actions = async (query: string) => {
    const answer = (await send('GET', `audit?${query}`)).json<{
      entries: { action: string; number: number }[]
      hasMore: boolean
    }>()
    return { ...answer, actions: answer.entries.map(({ action }) => action) }
  }
  expect((await actions('action=user.')).actions).toEqual(['user.enabled', 'user.disabled'])
  expect((await actions('subject=user:nova')).actions).toHaveLength(3)
  expect((await actions('subject=user:other')).actions).toEqual([])
  expect((await actions('actor=operator:Ada&limit=1')).actions).toEqual(['sessions.ended'])
  const first = await actions('limit=1')
  expect(first.hasMore).toBe(true)
  const before = first.entries[0]?.number
  expect(await actions(`before=${before}`)).toMatchObject({
    actions: ['user.enabled', 'user.disabled'],
    hasMore: false,
  })
})

test('figures count what there is', async () => {
  const { signUp, send } = await setUp(createAdasApp())
  const nova = await signUp('nova')
  await registerTestDevice(nova, { visibility: 'private' })
  await registerTestDevice(nova)
  const { figures } = (await send('GET', 'stats')).json<{
    figures: { label: string; value: number }[]
  }>()
  expect(Object.fromEntries(figures.map(({ label, value }) => [label, value]))).toMatchObject({
    Users: 2,
    'of them turned off': 0,
    Devices: 2,
    'of them seen by everybody': 1,
  })
})

test('a starting server warns about operators without an account, and about no others', async () => {
  const operators = new Set(['nova', 'captain'])
  const { app, signUp, logged } = await createTestApp({ config: { operators } })
  await signUp('Nova')
  await app.listen({ port: 0 })
  await expect.poll(logged).toContain('OPERATORS: nobody is called captain yet')
  expect(logged()).not.toContain('nobody is called nova')
})
