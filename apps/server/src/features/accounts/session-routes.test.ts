import type { Session } from '@astropelago/contract/sessions'
import { expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestBrowser } from '../../test/create-test-app.ts'
import { testPassword } from '../../test/factories.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Another browser of the same user. */
async function signInAgain({ inject }: TestApp, username: string): Promise<TestBrowser> {
  const response = await inject({
    method: 'POST',
    url: '/api/auth/password-login',
    payload: { username, password: testPassword },
    headers: { 'user-agent': firefox },
    remoteAddress: '2001:db8::7',
  })
  const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]))
  return { username, cookies, inject: (request) => inject({ ...request, cookies }) }
}

async function setUp(made = createTestApp()) {
  const testApp = await made
  const here = await testApp.signUp()
  testApp.clock.move(1000)
  const there = await signInAgain(testApp, here.username)
  const stranger = await testApp.signUp()
  const audit = (by: TestBrowser) =>
    testApp.storage.db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'subject', 'details'])
      .where('actor', '=', `user:${by.username}`)
      .execute()
  return { ...testApp, here, there, stranger, audit }
}

const list = async ({ inject }: TestBrowser) =>
  (await inject({ url: '/api/me/sessions' })).json<Session[]>()
const isSignedIn = async ({ inject }: TestBrowser) =>
  (await inject({ url: '/api/me' })).statusCode === 200

test('users see their sessions with device and address family, and which one is current', async () => {
  const { here, logged, clock } = await setUp()
  const now = new Date(clock.now()).toISOString()
  const sessions = await list(here)
  expect(sessions).toEqual([
    {
      id: expect.any(String),
      device: 'Firefox on Linux',
      addressFamily: 'IPv6',
      createdAt: now,
      lastUsedAt: now,
      isCurrent: false,
    },
    expect.objectContaining({ device: null, addressFamily: null, isCurrent: true }),
  ])
  expect(JSON.stringify(sessions)).not.toContain('2001:db8')
  expect(logged()).not.toContain(firefox)
})

test('an expired session is not listed, even before it is deleted', async () => {
  const { here, clock } = await setUp(createTestApp({}))
  clock.move(13 * 86_400_000)
  await isSignedIn(here)
  clock.move(2 * 86_400_000)
  expect(await list(here)).toMatchObject([{ isCurrent: true }])
})

test('S59 S22 ending a session signs that browser out at once, and is in the audit log', async () => {
  const { here, there, audit } = await setUp()
  expect(await isSignedIn(there)).toBe(true)
  const [{ id } = { id: '' }] = await list(here)
  const ended = await here.inject({ method: 'DELETE', url: `/api/me/sessions/${id}` })
  expect(ended.statusCode).toBe(204)
  expect(ended.cookies).toEqual([])
  expect(await isSignedIn(there)).toBe(false)
  expect(await isSignedIn(here)).toBe(true)
  expect(await audit(here)).toMatchObject([
    { action: 'session.ended', subject: `user:${here.username}` },
  ])
})

test('ending the current session signs out and clears the cookies', async () => {
  const { here, there } = await setUp()
  const own = (await list(here)).find(({ isCurrent }) => isCurrent)
  const ended = await here.inject({ method: 'DELETE', url: `/api/me/sessions/${own?.id}` })
  expect(ended.cookies.map(({ maxAge }) => maxAge)).toEqual([0, 0])
  expect(await isSignedIn(here)).toBe(false)
  expect(await isSignedIn(there)).toBe(true)
})

test('S22 all other sessions of the user end at once, and nobody else’s', async () => {
  const { here, there, stranger, audit } = await setUp()
  expect(await isSignedIn(there)).toBe(true)
  const ended = await here.inject({ method: 'DELETE', url: '/api/me/sessions' })
  expect(ended.json()).toEqual({ ended: 1 })
  expect(await isSignedIn(there)).toBe(false)
  expect(await isSignedIn(here)).toBe(true)
  expect(await isSignedIn(stranger)).toBe(true)
  expect(await audit(here)).toMatchObject([
    { action: 'session.others_ended', details: '{"sessions":1}' },
  ])
})

test('S52 without other sessions nothing ends, and nothing is recorded', async () => {
  const { stranger, audit } = await setUp()
  const ended = await stranger.inject({ method: 'DELETE', url: '/api/me/sessions' })
  expect(ended.json()).toEqual({ ended: 0 })
  expect(await audit(stranger)).toEqual([])
})
