import { connect } from 'node:net'
import { errors } from '@astropelago/contract/errors'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { StorageUnavailable } from '../storage/storage-error.ts'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../test/api-devices.ts'
import { createTestApp } from '../test/create-test-app.ts'
import { inTime } from '../test/in-time.ts'
import { isOnPostgres, openTestStorage, refuseWrites } from '../test/open-test-storage.ts'

test('S39 a failure of the server answers with its code alone; the log has the cause', async () => {
  const { signUp, storage, logged } = await createTestApp({})
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
  const [cause, file] = isOnPostgres()
    ? [String.raw`relation \"devices\" does not exist`, 'postgres-session.ts']
    : ['no such table: devices', 'sqlite-connection.ts']
  expect(logged()).toContain(cause)
  expect(logged()).toContain(file)
})

test('S39 on sign-in screens `error` holds the code too', async () => {
  const { inject, storage } = await createTestApp({})
  await sql`alter table users rename to lost_users`.execute(storage.db)
  const payload = { username: 'nova', password: 'correct horse' }
  const response = await inject({ method: 'POST', url: '/api/auth/password-login', payload })
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual({ code: 'server_error', error: 'server_error' })
})

test('S38 a refusal is one line with its code; a failure is an error', async () => {
  const { inject, logged } = await createTestApp()
  const before = logged().length
  await inject({ url: '/api/me' })
  const lines = logged()
    .slice(before)
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  expect(lines).toMatchObject([
    { level: 30, code: 'signed_out', msg: 'request refused', reqId: expect.any(String) },
    { level: 30, method: 'GET', path: '/api/me', status: 401, address: '127.0.0.1' },
  ])
})

test('S38 a caller who leaves amid its body is no failure', async () => {
  const { app, logged } = await createTestApp({})
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  socket.write('POST /ping/none HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf')
  socket.end()
  await vi.waitFor(() => expect(logged()).toContain('the caller left'), inTime)
  expect(logged()).not.toContain('"level":50')
})

async function setUp() {
  const testApp = await createTestApp({})
  const owner = await testApp.signUp()
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id)
  return { ...testApp, owner, id, token }
}

describe('S44 storage that refuses writes', () => {
  test('a read-only disk refuses heartbeats with 503, then takes them again', async () => {
    const { owner, token, id, inject, storage, logged } = await setUp()
    await refuseWrites(storage, true)
    for (const call of [
      { url: '/api/devices/heartbeat-token', headers: { authorization: `Bearer ${token}` } },
      { url: `/api/devices/heartbeat?id=${id}` },
    ]) {
      const response = await owner.inject({ method: 'POST', ...call })
      expect(response.statusCode).toBe(503)
      expect(response.headers['retry-after']).toBe('2')
    }
    expect(logged().match(/storage unavailable: answered 503/g)).toHaveLength(2)
    expect(logged()).not.toContain('"stack"')
    expect(await listOwnDevices(owner)).toMatchObject([{ status: 'unknown', lastSeenAt: null }])
    await refuseWrites(storage, false)
    expect(await sendHeartbeat({ inject }, token)).toBe(204)
    expect(await listOwnDevices(owner)).toMatchObject([{ status: 'online' }])
    const again = logged().match(/^.*storage works again.*$/gm) ?? []
    expect(again.map((line): unknown => JSON.parse(line))).toMatchObject([{ level: 30, calls: 2 }])
  })

  test('a server whose storage does not answer is alive but not ready', async () => {
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

test('health routes answer GET and HEAD', async () => {
  const { inject, logged } = await createTestApp()
  expect((await inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' })
  for (const url of ['/healthz', '/readyz']) {
    const response = await inject({ method: 'HEAD', url })
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('')
  }
  expect(logged()).not.toMatch(/healthz|readyz/)
})
