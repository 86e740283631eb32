import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../../test/api-devices.ts'
import { createTestApp } from '../../test/create-test-app.ts'

async function setUp() {
  const testApp = await createTestApp()
  const owner = await testApp.signUp()
  const device = await registerTestDevice(owner)
  const listTokens = async () => {
    const response = await owner.inject({ url: `/api/devices/${device.id}/tokens` })
    return response.json<Record<string, unknown>[]>()
  }
  const revoke = (id: string) =>
    owner.inject({ method: 'DELETE', url: `/api/devices/tokens/${id}` })
  return { ...testApp, owner, device, listTokens, revoke }
}

test('S19 a token is shown when it is made, and never again', async () => {
  const { owner, device, listTokens, clock } = await setUp()
  const made = await createTestToken(owner, device.id, ' Cellar ')
  expect(made).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^apd_[\w-]{43}$/),
    label: 'Cellar',
  })
  expect(await listTokens()).toEqual([
    {
      id: made.id,
      label: 'Cellar',
      start: made.token.slice(0, 10),
      createdAt: new Date(clock.now()).toISOString(),
      lastUsedAt: null,
    },
  ])
})

test('S19 the database holds the token’s SHA-256 alone, and no log line holds it', async () => {
  const { owner, device, storage, logged, inject } = await setUp()
  const { token } = await createTestToken(owner, device.id)
  await sendHeartbeat({ inject }, token)
  const rows = await storage.db.selectFrom('device_tokens').selectAll().execute()
  expect(rows).toHaveLength(1)
  const hash = createHash('sha256').update(token).digest()
  expect(Buffer.from(rows[0]?.token_hash ?? [])).toEqual(hash)
  const rest = JSON.stringify(rows)
  expect(rest).not.toContain(token.slice(11))
  expect(logged()).toContain('token_created')
  expect(logged()).not.toContain(token.slice(11))
})

test('the label may be left out or null; a bad one is invalid_input', async () => {
  const { owner, device } = await setUp()
  const create = (label: unknown) =>
    owner.inject({
      method: 'POST',
      url: '/api/devices/token',
      payload: { deviceId: device.id, label },
    })
  expect((await create(null)).json()).toMatchObject({ label: null })
  expect((await create(undefined)).json()).toMatchObject({ label: null })
  for (const label of ['', 'x'.repeat(65), 'a\0b', 7]) {
    const response = await create(label)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_input', fields: { label: /./ } })
  }
})

test('the eleventh token of a device is token_limit, until one is revoked', async () => {
  const { owner, device, revoke } = await setUp()
  const first = await createTestToken(owner, device.id)
  for (let count = 1; count < 10; count += 1) await createTestToken(owner, device.id)
  const payload = { deviceId: device.id }
  const response = await owner.inject({ method: 'POST', url: '/api/devices/token', payload })
  expect(response.statusCode).toBe(409)
  expect(response.json()).toMatchObject({ code: 'token_limit' })
  await revoke(first.id)
  await createTestToken(owner, device.id)
})

test('S22 a revoked token stops at once, the device’s others go on', async () => {
  const { owner, device, revoke, listTokens, inject } = await setUp()
  const [gone, kept] = [
    await createTestToken(owner, device.id),
    await createTestToken(owner, device.id),
  ]
  expect(await sendHeartbeat({ inject }, gone.token)).toBe(204)
  expect((await revoke(gone.id)).statusCode).toBe(204)
  expect(await sendHeartbeat({ inject }, gone.token)).toBe(401)
  expect(await sendHeartbeat({ inject }, kept.token)).toBe(204)
  expect((await revoke(gone.id)).statusCode).toBe(404)
  expect((await listTokens()).map(({ id }) => id)).toEqual([kept.id])
})

test('S21 a token reports for its own device and no other', async () => {
  const { owner, device, inject } = await setUp()
  const other = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, device.id)
  const response = await inject({
    method: 'POST',
    url: `/api/devices/heartbeat-token?id=${other.id}`,
    headers: { authorization: `Bearer ${token}` },
    payload: { id: other.id },
  })
  expect(response.statusCode).toBe(204)
  expect(await listOwnDevices(owner)).toMatchObject([
    { id: device.id, status: 'online' },
    { id: other.id, status: 'unknown' },
  ])
})

test('when a token was last used is told, before it is written and after', async () => {
  const { app, owner, device, listTokens, inject, clock, storage } = await setUp()
  const { token } = await createTestToken(owner, device.id)
  await createTestToken(owner, device.id)
  clock.move(60_000)
  await sendHeartbeat({ inject }, token)
  const lastUsedAt = new Date(clock.now()).toISOString()
  expect(await listTokens()).toMatchObject([{ lastUsedAt }, { lastUsedAt: null }])
  await app.close()
  const rows = await storage.db
    .selectFrom('device_tokens')
    .select('last_used_ms')
    .orderBy('key')
    .execute()
  expect(rows).toEqual([{ last_used_ms: clock.now() }, { last_used_ms: null }])
})
