import { expect, test } from 'vitest'
import { createTestToken, registerTestDevice } from '../../test/api-devices.ts'
import { createTestApp } from '../../test/create-test-app.ts'

test('S38 changes of devices and tokens are logged with user, subject and address, S20 without the secret', async () => {
  const { signUp, logged } = await createTestApp()
  const owner = await signUp()
  const { id } = await registerTestDevice(owner)
  await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Moon' } })
  const token = await createTestToken(owner, id, 'cron')
  await owner.inject({ method: 'DELETE', url: `/api/devices/tokens/${token.id}` })
  await owner.inject({ method: 'DELETE', url: `/api/devices/${id}` })

  const events = logged()
    .split('\n')
    .filter((line) => line.includes('"device event"'))
    .map((line): Record<string, unknown> => JSON.parse(line))
  const who = { userKey: expect.any(Number), address: '127.0.0.1', time: expect.any(Number) }
  expect(events).toMatchObject([
    { ...who, event: 'device_registered', device: id },
    { ...who, event: 'device_changed', device: id },
    { ...who, event: 'token_created', device: id, token: token.id },
    { ...who, event: 'token_revoked', device: id, token: token.id },
    { ...who, event: 'device_deleted', device: id },
  ])
  expect(new Set(events.map(({ userKey }) => userKey)).size).toBe(1)
  expect(logged()).not.toContain(token.token)
})

test('S38 a refused change is logged with its code', async () => {
  const { signUp, logged } = await createTestApp()
  const stranger = await signUp()
  const { id } = await registerTestDevice(await signUp())
  await stranger.inject({ method: 'DELETE', url: `/api/devices/${id}` })
  expect(logged()).toContain('"code":"not_found","msg":"request refused"')
})
