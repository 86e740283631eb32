import { errors } from '@astropelago/contract/errors'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../storage/storage-error.ts'
import {
  createTestToken,
  deviceDetails,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../test/api-devices.ts'
import { createTestApp, type TestApp, type TestBrowser } from '../test/create-test-app.ts'
import { openTestStorage } from '../test/open-test-storage.ts'

test('S39 a failure of the server says its code and no more; the log has the cause', async () => {
  const { signUp, storage, logged } = await createTestApp()
  const owner = await signUp()
  await registerTestDevice(owner)
  await sql`alter table devices rename to lost_devices`.execute(storage.db)
  const response = await owner.inject({ url: '/api/me/devices' })
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual({
    code: 'server_error',
    error: errors.server_error.sentence,
  })
  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.body).not.toMatch(/devices|select|at /)
  expect(logged()).toContain('no such table: devices')
  expect(logged()).toContain('sqlite-connection.ts')
})

test('S39 on sign-in screens the code stands in `error` too', async () => {
  const { inject, storage } = await createTestApp()
  await sql`alter table users rename to lost_users`.execute(storage.db)
  const payload = { username: 'nova', password: 'correct horse' }
  const response = await inject({ method: 'POST', url: '/api/auth/password-login', payload })
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual({ code: 'server_error', error: 'server_error' })
})

test('S38 a refusal is one line with its code; a failure is an error', async () => {
  const { inject, logged } = await createTestApp()
  await inject({ url: '/api/me' })
  const lines = logged()
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  expect(lines).toMatchObject([
    { level: 30, code: 'signed_out', msg: 'request refused', reqId: expect.any(String) },
    { level: 30, method: 'GET', path: '/api/me', status: 401, address: '127.0.0.1' },
  ])
})

async function setUp() {
  const testApp = await createTestApp()
  const owner = await testApp.signUp()
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id)
  return { ...testApp, owner, id, token }
}

/** Fills the disk, as far as the database can tell. */
async function fillDisk({ db }: TestApp['storage']): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count ?? 1}`).execute(db)
  // What room the last page has is used up too.
  for (let left = 4096; left > 0; left = Math.floor(left / 2)) {
    await sql`update users set avatar = avatar || ${'x'.repeat(left)}`.execute(db).catch(isFull)
  }
}

function isFull(error: unknown): void {
  if (!(error instanceof StorageUnavailable)) throw error
}

async function makeRoom({ db }: TestApp['storage']): Promise<void> {
  await sql.raw('pragma max_page_count = 1000000').execute(db)
}

async function registerUntilRefused({ inject }: TestBrowser) {
  let acknowledged = 0
  for (;;) {
    const payload = { ...deviceDetails, link: `https://a.example/${'x'.repeat(2000)}` }
    const response = await inject({ method: 'POST', url: '/api/devices/register', payload })
    if (response.statusCode !== 201) return { acknowledged, response }
    acknowledged += 1
  }
}

describe('S44 storage that takes nothing more', () => {
  test('a full disk is 503 with Retry-After, loses nothing, and passes without a restart', async () => {
    const { owner, storage } = await setUp()
    const before = (await listOwnDevices(owner)).length
    await fillDisk(storage)
    const { acknowledged, response } = await registerUntilRefused(owner)
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ code: 'overloaded' })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.body).not.toMatch(/disk|sqlite/i)
    expect(await listOwnDevices(owner)).toHaveLength(before + acknowledged)

    await makeRoom(storage)
    await registerTestDevice(owner)
    expect(await listOwnDevices(owner)).toHaveLength(before + acknowledged + 1)
  })

  test('a read-only disk refuses heartbeats with 503, then takes them again', async () => {
    const { owner, token, id, inject, storage } = await setUp()
    await sql.raw('pragma query_only = on').execute(storage.db)
    for (const call of [
      { url: '/api/devices/heartbeat-token', headers: { authorization: `Bearer ${token}` } },
      { url: `/api/devices/heartbeat?id=${id}` },
    ]) {
      const response = await owner.inject({ method: 'POST', ...call })
      expect(response.statusCode).toBe(503)
      expect(response.headers['retry-after']).toBe('2')
    }
    expect(await listOwnDevices(owner)).toMatchObject([{ status: 'unknown', lastSeenAt: null }])
    await sql.raw('pragma query_only = off').execute(storage.db)
    expect(await sendHeartbeat({ inject }, token)).toBe(204)
    expect(await listOwnDevices(owner)).toMatchObject([{ status: 'online' }])
  })

  test('a storage that does not answer is not ready, but alive', async () => {
    const storage = await openTestStorage()
    const { inject } = await createTestApp({
      storage: { ...storage, ping: () => Promise.reject(new StorageUnavailable('gone')) },
    })
    const ready = await inject({ url: '/readyz' })
    expect(ready.statusCode).toBe(503)
    expect(ready.json()).toMatchObject({ code: 'overloaded' })
    expect((await inject({ url: '/healthz' })).json()).toEqual({ status: 'alive' })
  })
})

test('health is asked with GET and HEAD', async () => {
  const { inject } = await createTestApp()
  expect((await inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' })
  for (const url of ['/healthz', '/readyz']) {
    const response = await inject({ method: 'HEAD', url })
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('')
  }
})
