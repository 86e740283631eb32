import { expect, onTestFinished, test, vi } from 'vitest'
import { followFeed } from './cluster/testing/feed-follower.ts'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from './test/api-devices.ts'
import { createTestApp, shareTestApp, type TestApp } from './test/create-test-app.ts'
import { testPassword } from './test/factories.ts'
import { inTime } from './test/in-time.ts'

/** What an operator takes away must be gone within this time. */
const soon = { timeout: 1000, interval: 20 }

/** Each test takes an operator of its own from here. */
const operators = Array.from({ length: 8 }, (_, at) => `ada-${at}`)
const options = { config: { operators: new Set(operators) } }

async function setUp(made = shareTestApp(options)) {
  const testApp = await made
  const { db } = testApp.storage
  const earlier = new Set(
    (await db.selectFrom('devices').select('id').execute()).map(({ id }) => id),
  )
  const [operator, nova, other] = [
    await testApp.signUp(operators.pop()),
    await testApp.signUp(),
    await testApp.signUp(),
  ]
  const { id } = await registerTestDevice(nova)
  const { token } = await createTestToken(nova, id)
  const kept = await registerTestDevice(other)
  const { token: keptToken } = await createTestToken(other, kept.id)
  const act = async (what: 'disable' | 'enable') =>
    await operator.inject({
      method: 'POST',
      url: `/api/operator/users/${nova.username.toUpperCase()}/${what}`,
    })
  /** Ids of public devices, without those of earlier tests. */
  const seen = async () => (await publicIds(testApp)).filter((one) => !earlier.has(one))
  return { ...testApp, operator, nova, other, id, token, kept, keptToken, act, seen }
}

async function publicIds({ inject, clock }: Pick<TestApp, 'inject' | 'clock'>) {
  clock.move(60_000)
  return (await inject({ url: '/api/devices' })).json<{ id: string }[]>().map(({ id }) => id)
}

const signIn = ({ inject, nova }: Awaited<ReturnType<typeof setUp>>, password: string) =>
  inject({
    method: 'POST',
    url: '/api/auth/password-login',
    payload: { username: nova.username.toUpperCase(), password },
  })

test('S57 a disabled user is signed out, and learns why with the right password', async () => {
  const testApp = await setUp()
  const { nova, other, act } = testApp
  expect((await act('disable')).statusCode).toBe(200)
  expect((await nova.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect((await other.inject({ url: '/api/me' })).statusCode).toBe(200)

  const refused = await signIn(testApp, testPassword)
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({ code: 'account_disabled' })
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect((await signIn(testApp, 'not the password')).json()).toMatchObject({
    code: 'invalid_credentials',
  })
})

test('S22 S57 a disabled user’s devices can’t report and are not shown; those of others are', async () => {
  const { id, token, kept, keptToken, act, seen, inject } = await setUp()
  expect(await sendHeartbeat({ inject }, token)).toBe(204)
  expect(await seen()).toEqual(expect.arrayContaining([id, kept.id]))
  await act('disable')
  expect(await sendHeartbeat({ inject }, token)).toBe(401)
  expect(await sendHeartbeat({ inject }, keptToken)).toBe(204)
  expect(await seen()).toEqual([kept.id])
  expect((await inject({ url: `/api/devices/${id}` })).statusCode).toBe(404)
  expect((await inject({ url: `/api/devices/${kept.id}` })).statusCode).toBe(200)
})

test('a user who is enabled again has everything as before, except for the sessions', async () => {
  const testApp = await setUp()
  const { nova, id, token, act, seen, inject } = testApp
  await sendHeartbeat({ inject }, token)
  await act('disable')
  await act('enable')
  expect((await nova.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect((await signIn(testApp, testPassword)).statusCode).toBe(200)
  expect(await seen()).toContain(id)
  const device = (await inject({ url: `/api/devices/${id}` })).json<{ status: string }>()
  expect(device.status).toBe('online')
  expect(await sendHeartbeat({ inject }, token)).toBe(204)
})

test('a device that is changed or made while its user is being disabled stays hidden', async () => {
  const { nova, id, act, seen, inject } = await setUp()
  const [created] = await Promise.all([
    createTestToken(nova, id).catch(() => undefined),
    act('disable'),
    nova.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Late' } }),
    registerTestDevice(nova).catch(() => undefined),
  ])
  expect(await seen()).toHaveLength(1)
  expect(await sendHeartbeat({ inject }, created?.token ?? 'none')).toBe(401)
})

test('a server that starts does not load the devices of disabled users', async () => {
  const { act, id, token, kept, storage, clock, app } = await setUp(createTestApp(options))
  await act('disable')
  await app.close()
  const restarted = await createTestApp({ storage, clock })
  expect(await sendHeartbeat(restarted, token)).toBe(401)
  expect(await publicIds(restarted)).toEqual([kept.id])
  expect((await restarted.inject({ url: `/api/devices/${id}` })).statusCode).toBe(404)
})

test('S57 the live feed removes a disabled user’s devices at once, and brings them back', async () => {
  const { act, id, kept, app } = await setUp(createTestApp(options))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const follower = followFeed(() => url)
  onTestFinished(() => follower.stop())
  const known = () => [...follower.devices().keys()].toSorted()
  const both = [id, kept.id].toSorted()
  await vi.waitFor(() => expect(known()).toEqual(both), inTime)
  await act('disable')
  await vi.waitFor(() => expect(known()).toEqual([kept.id]), soon)
  await act('enable')
  await vi.waitFor(() => expect(known()).toEqual(both), soon)
  expect(follower.loads()).toBe(1)
})

test('an operator can delete any device, and its owner no longer has it', async () => {
  const { operator, other, kept, keptToken, seen, inject } = await setUp()
  const remove = () =>
    operator.inject({ method: 'DELETE', url: `/api/operator/devices/${kept.id}` })
  expect((await remove()).statusCode).toBe(204)
  expect((await remove()).statusCode).toBe(404)
  expect(await listOwnDevices(other)).toEqual([])
  expect(await sendHeartbeat({ inject }, keptToken)).toBe(401)
  expect(await seen()).not.toContain(kept.id)
})

test('an operator sees the owners of devices, but not their places', async () => {
  const { operator, nova, id } = await setUp()
  const url = `/api/operator/users/${nova.username.toUpperCase()}/devices`
  const list = await operator.inject({ url })
  expect(list.json()).toEqual([
    {
      id,
      label: 'Pi',
      visibility: 'public',
      status: 'unknown',
      link: null,
      createdAt: expect.any(String),
      lastSeenAt: null,
      hidden: null,
    },
  ])
  expect((await operator.inject({ url: '/api/operator/users/nobody/devices' })).statusCode).toBe(
    404,
  )
})
