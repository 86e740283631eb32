import { expect, onTestFinished, test, vi } from 'vitest'
import { followFeed } from './cluster/testing/feed-follower.ts'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from './test/api-devices.ts'
import { createTestApp, type TestApp } from './test/create-test-app.ts'
import { testPassword } from './test/factories.ts'

/** What an operator takes away must be gone within this time. */
const soon = { timeout: 1000, interval: 20 }

async function setUp() {
  const testApp = await createTestApp({ config: { operators: new Set(['ada']) } })
  const [operator, nova, other] = [
    await testApp.signUp('Ada'),
    await testApp.signUp('Nova'),
    await testApp.signUp('Other'),
  ]
  const { id } = await registerTestDevice(nova)
  const { token } = await createTestToken(nova, id)
  const kept = await registerTestDevice(other)
  const { token: keptToken } = await createTestToken(other, kept.id)
  const act = async (what: 'disable' | 'enable') =>
    await operator.inject({ method: 'POST', url: `/api/operator/users/nova/${what}` })
  return { ...testApp, operator, nova, other, id, token, kept, keptToken, act }
}

async function publicIds({ inject, clock }: Pick<TestApp, 'inject' | 'clock'>) {
  clock.move(60_000)
  return (await inject({ url: '/api/devices' })).json<{ id: string }[]>().map(({ id }) => id)
}

const signIn = ({ inject }: Pick<TestApp, 'inject'>, password: string) =>
  inject({
    method: 'POST',
    url: '/api/auth/password-login',
    payload: { username: 'nova', password },
  })

test('S57 who is turned off is signed out, and whoever knows the password is told why', async () => {
  const { nova, other, act, inject } = await setUp()
  expect((await act('disable')).statusCode).toBe(200)
  expect((await nova.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect((await other.inject({ url: '/api/me' })).statusCode).toBe(200)

  const refused = await signIn({ inject }, testPassword)
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({ code: 'account_disabled' })
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect((await signIn({ inject }, 'not the password')).json()).toMatchObject({
    code: 'invalid_credentials',
  })
})

test('S22 S57 the devices of who is turned off are neither heard nor seen; those of others are', async () => {
  const { id, token, kept, keptToken, act, inject, clock } = await setUp()
  expect(await sendHeartbeat({ inject }, token)).toBe(204)
  expect(await publicIds({ inject, clock })).toEqual(expect.arrayContaining([id, kept.id]))
  await act('disable')
  expect(await sendHeartbeat({ inject }, token)).toBe(401)
  expect(await sendHeartbeat({ inject }, keptToken)).toBe(204)
  expect(await publicIds({ inject, clock })).toEqual([kept.id])
  expect((await inject({ url: `/api/devices/${id}` })).statusCode).toBe(404)
  expect((await inject({ url: `/api/devices/${kept.id}` })).statusCode).toBe(200)
})

test('who is turned on again has everything as it was, but for the sessions', async () => {
  const { nova, id, token, act, inject, clock } = await setUp()
  await sendHeartbeat({ inject }, token)
  await act('disable')
  await act('enable')
  expect((await nova.inject({ url: '/api/me' })).statusCode).toBe(401)
  expect((await signIn({ inject }, testPassword)).statusCode).toBe(200)
  expect(await publicIds({ inject, clock })).toContain(id)
  const device = (await inject({ url: `/api/devices/${id}` })).json<{ status: string }>()
  expect(device.status).toBe('online')
  expect(await sendHeartbeat({ inject }, token)).toBe(204)
})

test('a device that is changed or made while its user is being turned off stays out of sight', async () => {
  const { nova, id, act, inject, clock } = await setUp()
  const [created] = await Promise.all([
    createTestToken(nova, id).catch(() => undefined),
    act('disable'),
    nova.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Late' } }),
    registerTestDevice(nova).catch(() => undefined),
  ])
  expect(await publicIds({ inject, clock })).toHaveLength(1)
  expect(await sendHeartbeat({ inject }, created?.token ?? 'none')).toBe(401)
})

test('a server that starts knows nothing of the devices of who is turned off', async () => {
  const { act, id, token, kept, storage, clock, app } = await setUp()
  await act('disable')
  await app.close()
  const restarted = await createTestApp({ storage, clock })
  expect(await sendHeartbeat(restarted, token)).toBe(401)
  expect(await publicIds(restarted)).toEqual([kept.id])
  expect((await restarted.inject({ url: `/api/devices/${id}` })).statusCode).toBe(404)
})

test('S57 the live feed tells at once that the devices of who is turned off are gone, and come back', async () => {
  const { act, id, kept, app } = await setUp()
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const follower = followFeed(() => url)
  onTestFinished(() => follower.stop())
  const known = () => [...follower.devices().keys()].toSorted()
  const both = [id, kept.id].toSorted()
  await vi.waitFor(() => expect(known()).toEqual(both))
  await act('disable')
  await vi.waitFor(() => expect(known()).toEqual([kept.id]), soon)
  await act('enable')
  await vi.waitFor(() => expect(known()).toEqual(both), soon)
  expect(follower.loads()).toBe(1)
})

test('an operator deletes any device, and its owner has it no longer', async () => {
  const { operator, other, kept, keptToken, inject, clock } = await setUp()
  const remove = () =>
    operator.inject({ method: 'DELETE', url: `/api/operator/devices/${kept.id}` })
  expect((await remove()).statusCode).toBe(204)
  expect((await remove()).statusCode).toBe(404)
  expect(await listOwnDevices(other)).toEqual([])
  expect(await sendHeartbeat({ inject }, keptToken)).toBe(401)
  expect(await publicIds({ inject, clock })).not.toContain(kept.id)
})

test('an operator sees whose devices are which, but not where those are', async () => {
  const { operator, id } = await setUp()
  const list = await operator.inject({ url: '/api/operator/users/NOVA/devices' })
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
