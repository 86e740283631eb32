import { expect, test, vi } from 'vitest'
import { readStream } from '../features/streams/testing/read-stream.ts'
import { uploadAvatar } from '../test/api-avatars.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../test/api-devices.ts'
import type { TestBrowser } from '../test/create-test-app.ts'
import { testPassword as password } from '../test/factories.ts'
import { startCluster, type TestServer } from './testing/test-cluster.ts'
import { inTime } from '../test/in-time.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What somebody ends is over on every server within this. */
const soon = { timeout: 1000, interval: 20 }

/** Two servers that both know a user's two browsers and a device by its token. */
async function setUp() {
  const { servers } = await startCluster(2)
  const [here, away] = servers
  if (here === undefined || away === undefined) throw new Error('two servers')
  const user = await here.signUp('nova')
  const phone = await signIn(away, 'nova')
  const device = await registerTestDevice(user)
  const { token } = await createTestToken(user, device.id)
  for (const server of [here, away]) {
    expect(await sendHeartbeat(server, token)).toBe(204)
    for (const browser of [user, phone]) expect(await isSignedIn(server, browser)).toBe(true)
  }
  const post = (url: string, payload: object) => user.inject({ method: 'POST', url, payload })
  return { here, away, user, phone, device, token, post }
}

async function isSignedIn(server: TestServer, { cookies }: Pick<TestBrowser, 'cookies'>) {
  return (await server.inject({ url: '/api/me', cookies })).statusCode === 200
}

async function signIn(server: TestServer, username: string): Promise<Pick<TestBrowser, 'cookies'>> {
  const payload = { username, password }
  const answer = await server.inject({ method: 'POST', url: '/api/auth/password-login', payload })
  return { cookies: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])) }
}

test('S22 a session ended on one server ends on another within a second', async () => {
  const { here, away, user, phone } = await setUp()
  await user.inject({ method: 'DELETE', url: '/api/me/sessions' })
  expect(await isSignedIn(here, phone)).toBe(false)
  await vi.waitFor(async () => expect(await isSignedIn(away, phone)).toBe(false), soon)
  expect(await isSignedIn(away, user)).toBe(true)
})

test('S22 S57 the streams of a session ended on one server end on another within a second', async () => {
  const { away, user, phone } = await setUp()
  const [ended, kept] = [
    await readStream(away.url, '/api/me/stream', phone),
    await readStream(away.url, '/api/me/stream', user),
  ]
  await user.inject({ method: 'DELETE', url: '/api/me/sessions' })
  await vi.waitFor(() => expect(ended.isOver()).toBe(true), soon)
  await vi.waitFor(async () => expect(await isSignedIn(away, phone)).toBe(false), soon)
  expect(kept.isOver()).toBe(false)
})

test('S22 a password changed on one server ends sessions on another within a second', async () => {
  const { away, user, phone, post } = await setUp()
  await post('/api/me/password', { password, newPassword: 'another horse' })
  await vi.waitFor(async () => {
    for (const browser of [user, phone]) expect(await isSignedIn(away, browser)).toBe(false)
  }, soon)
})

test('S22 tokens renewed on one server replace the old ones on another within a second', async () => {
  const { away, token, post } = await setUp()
  const [renewed] = (await post('/api/me/devices/tokens/renew', {})).json<{ token: string }[]>()
  expect(await sendHeartbeat(away, renewed?.token ?? '')).toBe(204)
  await vi.waitFor(async () => expect(await sendHeartbeat(away, token)).toBe(401), soon)
})

test('S57 an account deleted on one server leaves another’s memory within a second', async () => {
  const { here, away, user, device, token, post } = await setUp()
  expect((await post('/api/me/delete', { password })).statusCode).toBe(204)
  for (const server of [here, away]) {
    await vi.waitFor(async () => {
      expect(await sendHeartbeat(server, token)).toBe(401)
      expect(await isSignedIn(server, user)).toBe(false)
      expect((await server.inject({ url: `/api/devices/${device.id}` })).statusCode).toBe(404)
    }, soon)
    await vi.waitFor(async () => {
      expect((await server.inject({ url: '/api/devices' })).json()).toEqual([])
    }, soon)
  }
})

test('AV5 a picture uploaded on one server appears on another, and goes there once removed', async () => {
  const { away, user } = await setUp()
  const shownAway = async () => {
    const { cookies } = user
    const answer = (await away.inject({ url: '/api/me', cookies })).json<{ user: object }>()
    return answer.user
  }
  const avatar = await uploadAvatar(user)
  expect((await away.inject({ url: avatar })).headers).toMatchObject({
    'content-type': 'image/webp',
  })
  await vi.waitFor(async () => expect(await shownAway()).toMatchObject({ avatar }), inTime)
  await user.inject({ method: 'DELETE', url: '/api/me/avatar' })
  expect((await away.inject({ url: avatar })).statusCode).toBe(404)
  await vi.waitFor(async () => expect(await shownAway()).toMatchObject({ avatar: null }), inTime)
})
