import { mkdir, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, shareTestApp } from '../test/create-test-app.ts'
import { createTestToken, listOwnDevices, registerTestDevice } from '../test/api-devices.ts'
import { makeTempDir } from '../test/open-test-storage.ts'
import { AdminSocket, adminSocketPath } from './admin-socket.ts'

const sharedDir = await makeTempDir(afterAll)
const sharedOptions = { adminSocket: new AdminSocket(), config: { limitExempt: [] } }
let listening: Promise<void> | undefined

/** The server that several tests share. It listens at its socket. */
async function openShared() {
  const testApp = await shareTestApp(sharedOptions)
  await testApp.app.ready()
  listening ??= sharedOptions.adminSocket.listen(testApp.app, sharedDir)
  await listening
  const path = adminSocketPath(sharedDir)
  return { ...testApp, path, ask: askAt(path) }
}

async function setUp() {
  const dataDir = await makeTempDir()
  const adminSocket = new AdminSocket()
  const testApp = await createTestApp({ adminSocket })
  await testApp.app.ready()
  const listen = () => adminSocket.listen(testApp.app, dataDir)
  const path = adminSocketPath(dataDir)
  return { ...testApp, dataDir, listen, path, ask: askAt(path) }
}

function askAt(path: string) {
  return async (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const response = await new Promise<IncomingMessage>((answered, failed) => {
      request({ socketPath: path, path: url, method, headers })
        .once('response', answered)
        .once('error', failed)
        .end()
    })
    return { status: response.statusCode, body: await text(response) }
  }
}

test('a caller who may open the socket is the operator, and only the server’s user may open it', async () => {
  const { path, ask, inject } = await openShared()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await ask('/api/operator/users')).status).toBe(200)
  expect((await inject({ url: '/api/operator/users' })).statusCode).toBe(404)
})

test('a cookie or a bearer token means nothing at the socket', async () => {
  const { ask, signUp } = await openShared()
  const { cookies } = await signUp()
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  expect((await ask('/api/me', { cookie })).status).toBe(401)
})

test('a call that is answered early elsewhere takes the ordinary route at the socket, and its bearer token is ignored', async () => {
  const { ask, signUp } = await openShared()
  const owner = await signUp()
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id)
  const heartbeat = () =>
    ask('/api/devices/heartbeat-token', { authorization: `Bearer ${token}` }, 'POST')
  expect((await heartbeat()).status).toBe(401)
  expect(await listOwnDevices(owner)).toMatchObject([{ status: 'unknown' }])
  const list = await ask('/api/devices')
  expect(JSON.parse(list.body)).toMatchObject([{ id }])
  expect((await ask('/api/devices/stream?since=unknown')).body).toContain('reload')
})

test('the socket has no limit of calls, because it has no address to count by', async () => {
  const { ask } = await openShared()
  for (let call = 0; call < 601; call += 1) await ask('/healthz')
  expect((await ask('/api/operator/users')).status).toBe(200)
})

test('a server takes over a socket that a killed server left behind', async () => {
  const { listen, path, dataDir, ask } = await setUp()
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, '')
  await listen()
  expect((await ask('/healthz')).status).toBe(200)
})

test('a server leaves a socket to another server that answers there', async () => {
  const { listen, path } = await setUp()
  const other = createServer().listen(path)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  await expect(listen()).rejects.toThrow(`another server answers at ${path}`)
})

test('a folder whose path is too long for a socket is refused with a sentence', () => {
  expect(adminSocketPath(join('/', 'a'.repeat(95)))).toHaveLength(107)
  expect(() => adminSocketPath(join('/', 'a'.repeat(96)))).toThrow('is 1 bytes too long')
  // Bytes count, not characters.
  expect(() => adminSocketPath(join('/', 'ä'.repeat(50)))).toThrow('is 5 bytes too long')
})

test('the socket ends with its server', async () => {
  const { listen, path, app } = await setUp()
  await listen()
  await app.close()
  await expect(stat(path)).rejects.toThrow('ENOENT')
})
