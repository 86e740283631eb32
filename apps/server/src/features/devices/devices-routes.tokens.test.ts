import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../../test/api-devices.ts'
import { createTestApiKey, injectByKey } from '../../test/api-keys.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'

async function setUp(made = createTestApp()) {
  const testApp = await made
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

test('S19 a token is shown when it is created, and never again', async () => {
  const { owner, device, listTokens, clock } = await setUp()
  const made = await createTestToken(owner, device.id, ' Cellar ')
  expect(made).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^apd_[\w-]{43}$/),
    label: 'Cellar',
    scope: 'report',
  })
  expect(await listTokens()).toEqual([
    {
      id: made.id,
      label: 'Cellar',
      scope: 'report',
      start: made.token.slice(0, 10),
      createdAt: new Date(clock.now()).toISOString(),
      lastUsedAt: null,
    },
  ])
})

test('S19 the database holds only the token’s SHA-256, and no log line holds it', async () => {
  const { owner, device, storage, logged, inject } = await setUp(createTestApp({}))
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

test('the label may be missing or null; a bad one gets invalid_input', async () => {
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

test('S52 the eleventh token of a device gets token_limit until one is revoked', async () => {
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

test('S22 a revoked token ends at once, the device’s others stay valid', async () => {
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

test('S21 a token reports only for its own device', async () => {
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

test('S21 a relay token can’t send heartbeats, even after a renewal', async () => {
  const { owner, device, listTokens, inject } = await setUp()
  const { token } = await createTestToken(owner, device.id, undefined, 'relay')
  expect(await sendHeartbeat({ inject }, token)).toBe(401)
  expect(await listTokens()).toMatchObject([{ scope: 'relay' }])
  const [renewed] = (await renew(owner)).json<{ token: string; scope: string }[]>()
  expect(renewed).toMatchObject({ scope: 'relay' })
  expect(await sendHeartbeat({ inject }, renewed?.token ?? '')).toBe(401)
  expect(await listOwnDevices(owner)).toMatchObject([{ status: 'unknown' }])
})

test('S21 an API key for devices can’t create a relay token', async () => {
  const { owner, device, inject } = await setUp()
  const { key } = await createTestApiKey(owner, ['devices:write'])
  const byKey = injectByKey({ inject }, key)
  const create = (scope: string) =>
    byKey({
      method: 'POST',
      url: '/api/devices/token',
      payload: { deviceId: device.id, scope },
    })
  expect((await create('relay')).json()).toMatchObject({ code: 'missing_scope' })
  expect((await create('report')).statusCode).toBe(201)
})

test('S9 a demo account can’t create a relay token', async () => {
  const { inject } = await setUp()
  const signedIn = await inject({ method: 'POST', url: '/api/auth/demo' })
  const cookies = Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value]))
  const demo: TestBrowser = {
    username: 'demo',
    cookies,
    inject: (request) => inject({ ...request, cookies }),
  }
  const { id: deviceId } = await registerTestDevice(demo)
  const create = (scope: string) =>
    demo.inject({ method: 'POST', url: '/api/devices/token', payload: { deviceId, scope } })
  expect((await create('relay')).json()).toMatchObject({ code: 'demo_account' })
  expect((await create('report')).statusCode).toBe(201)
})

test('the last use of a token is shown before and after it is written', async () => {
  const { app, owner, device, listTokens, inject, clock, storage } = await setUp(createTestApp({}))
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

const renew = ({ inject }: TestBrowser) =>
  inject({ method: 'POST', url: '/api/me/devices/tokens/renew' })

test('S22 all tokens of a user are renewed at once, and only the old ones end', async () => {
  const { owner, device, listTokens, inject, signUp } = await setUp()
  const second = await registerTestDevice(owner, { label: 'Attic', visibility: 'private' })
  await registerTestDevice(owner, { label: 'Without' })
  const old = [
    await createTestToken(owner, device.id, 'cron'),
    await createTestToken(owner, device.id),
    await createTestToken(owner, second.id, 'timer'),
  ]
  const stranger = await signUp()
  const theirs = await createTestToken(stranger, (await registerTestDevice(stranger)).id)
  for (const { token } of [...old, theirs]) expect(await sendHeartbeat({ inject }, token)).toBe(204)

  const renewed = (await renew(owner)).json<{ id: string; token: string }[]>()
  const shown = { id: expect.any(String), token: expect.stringMatching(/^apd_[\w-]{43}$/) }
  expect(renewed).toEqual([
    { ...shown, deviceId: device.id, deviceLabel: 'Pi', label: 'cron', scope: 'report' },
    { ...shown, deviceId: device.id, deviceLabel: 'Pi', label: null, scope: 'report' },
    { ...shown, deviceId: second.id, deviceLabel: 'Attic', label: 'timer', scope: 'report' },
  ])
  for (const { token } of old) expect(await sendHeartbeat({ inject }, token)).toBe(401)
  for (const { token } of [...renewed, theirs]) {
    expect(await sendHeartbeat({ inject }, token)).toBe(204)
  }
  expect((await listTokens()).map(({ id }) => id)).toEqual(renewed.slice(0, 2).map(({ id }) => id))
})

test('S33 tokens can be renewed ten times an hour; without a device nothing is renewed', async () => {
  const { signUp } = await setUp()
  const user = await signUp()
  for (let time = 0; time < 10; time += 1) expect((await renew(user)).json()).toEqual([])
  expect((await renew(user)).statusCode).toBe(429)
})

test('S38 S59 changes of devices and tokens are logged, and those of tokens audited', async () => {
  const { owner, device, revoke, logged, storage } = await setUp(createTestApp({}))
  const { id, token } = await createTestToken(owner, device.id)
  await createTestToken(owner, device.id)
  await revoke(id)
  const [renewed] = (await renew(owner)).json<{ token: string }[]>()
  const url = `/api/devices/${device.id}`
  await owner.inject({ method: 'PATCH', url, payload: { label: 'Attic' } })
  await owner.inject({ method: 'DELETE', url })

  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('"device event"'))
    .map((line): unknown => JSON.parse(line))
  const from = { userKey: 1, address: '127.0.0.1', time: expect.any(Number) }
  expect(lines).toEqual(
    [
      { event: 'device_registered', device: device.id },
      { event: 'token_created', device: device.id, token: id },
      { event: 'token_created', device: device.id, token: expect.any(String) },
      { event: 'token_revoked', device: device.id, token: id },
      { event: 'tokens_renewed', tokens: 1 },
      { event: 'device_changed', device: device.id },
      { event: 'device_deleted', device: device.id },
    ].map((line) => expect.objectContaining({ ...from, ...line })),
  )
  const entries = await storage.db.selectFrom('audit_log').selectAll().orderBy('key').execute()
  const actor = `user:${owner.username}`
  expect(entries).toMatchObject([
    { actor, action: 'token.created', subject: `device:${device.id}` },
    { actor, action: 'token.created', subject: `device:${device.id}` },
    {
      actor,
      action: 'token.revoked',
      subject: `device:${device.id}`,
      details: `{"token":"${id}","apiKey":null}`,
    },
    { actor, action: 'tokens.renewed', subject: actor, details: '{"tokens":1}' },
  ])
  for (const secret of [token, renewed?.token ?? '']) {
    expect(logged() + JSON.stringify(entries)).not.toContain(secret.slice(11))
  }
})
