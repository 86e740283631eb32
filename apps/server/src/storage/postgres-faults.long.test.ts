import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../test/api-devices.ts'
import { createTestApp } from '../test/create-test-app.ts'
import { openCuttableProxy } from '../test/cuttable-proxy.ts'
import { insertDevice } from '../test/factories.ts'
import { openTestDatabase, refuseWrites, shortLimits } from '../test/open-test-storage.ts'
import { runStatement } from '../test/test-databases.ts'
import { startTestPostgres } from '../test/test-postgres.ts'
import { openPostgresStorage } from './postgres-storage.ts'
import { StorageUnavailable } from './storage-error.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A storage that reaches its database through a proxy. */
async function openThroughProxy(directUrl: string, onFatal: (error: Error) => void = fail) {
  const url = new URL(directUrl)
  const proxy = await openCuttableProxy(Number(url.port))
  url.port = String(proxy.port)
  const storage = await openPostgresStorage({ databaseUrl: url.href, onFatal, limits: shortLimits })
  onTestFinished(async () => {
    proxy.mend()
    await storage.close()
  })
  return { proxy, storage }
}

function fail(error: Error): never {
  throw error
}

/** A server on that storage, with a device that reports. */
async function serve(storage: Awaited<ReturnType<typeof openThroughProxy>>['storage']) {
  const { inject: send, signUp } = await createTestApp({ storage })
  const owner = await signUp()
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id)
  const calls = {
    heartbeat: () =>
      send({
        method: 'POST',
        url: '/api/devices/heartbeat-token',
        headers: { authorization: `Bearer ${token}` },
      }),
    read: () => owner.inject({ url: `/api/devices/${id}` }),
    write: () =>
      owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Roof' } }),
    ready: () => send({ url: '/readyz' }),
  }
  return { ...calls, calls: Object.values(calls) }
}

/** The statuses of all calls at once. A refusal says when to retry, but not why it happened. */
async function ask({ calls }: Pick<Awaited<ReturnType<typeof serve>>, 'calls'>) {
  const answers = await Promise.all(calls.map((call) => call()))
  for (const { statusCode, headers, body } of answers) {
    if (statusCode !== 503) continue
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body).not.toMatch(/postgres|connect|127\.0/i)
  }
  return answers.map(({ statusCode }) => statusCode)
}

const served = [204, 200, 200, 200]
const refused = [503, 503, 503, 503]
const inTime = { timeout: 20_000, interval: 100 }

test.each(['cut', 'stall'] as const)(
  'S44 a database whose connections %s is 503 with Retry-After, and service returns by itself',
  async (how) => {
    const { proxy, storage } = await openThroughProxy(await openTestDatabase())
    const server = await serve(storage)
    await vi.waitFor(async () => expect(await ask(server)).toEqual(served), inTime)
    proxy[how]()
    expect(await ask(server)).toEqual(refused)
    expect(await ask(server)).toEqual(refused)
    proxy.mend()
    await vi.waitFor(async () => expect(await ask(server)).toEqual(served), inTime)
  },
)

test('S44 during a restart of the database calls get 503 with Retry-After, and service returns by itself', async () => {
  const postgres = await startTestPostgres()
  onTestFinished(() => postgres.remove())
  const storage = await openPostgresStorage({
    databaseUrl: postgres.url,
    onFatal: fail,
    limits: shortLimits,
  })
  onTestFinished(() => storage.close())
  const server = await serve(storage)
  await vi.waitFor(async () => expect(await ask(server)).toEqual(served), inTime)
  await postgres.stop()
  expect(await ask(server)).toEqual(refused)
  await postgres.start()
  await vi.waitFor(async () => expect(await ask(server)).toEqual(served), inTime)
})

test('S44 all calls that wait for a slow database get 503 in time', async () => {
  const databaseUrl = await openTestDatabase()
  const { storage } = await openThroughProxy(databaseUrl)
  const server = await serve(storage)
  const blocker = runStatement(
    databaseUrl,
    'begin; lock table changes, presence, devices; select pg_sleep(4); commit',
  )
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from pg_locks where mode = 'AccessExclusiveLock'
      and relation = 'devices'::regclass and granted`.execute(storage.db)
    expect(rows).toHaveLength(1)
  })
  const waiting = [server.heartbeat, server.write, server.heartbeat, server.read]
  expect(await ask({ calls: waiting })).toEqual(refused)
  await blocker
  await vi.waitFor(async () => expect(await ask(server)).toEqual(served), inTime)
})

test('S44 a statement that takes too long is ended, but the next one is not', async () => {
  const { storage } = await openThroughProxy(await openTestDatabase())
  const failing = sql`select pg_sleep(10)`.execute(storage.db)
  await expect(failing).rejects.toThrow(/statement timeout/)
  await expect(failing).rejects.toThrow(StorageUnavailable)
  expect(await insertDevice(storage.db)).toBeGreaterThan(0)
})

test('S51 a database that takes no writes is not ready until one works again', async () => {
  const { storage } = await openThroughProxy(await openTestDatabase())
  await refuseWrites(storage, true)
  await expect(insertDevice(storage.db)).rejects.toThrow(StorageUnavailable)
  await expect(storage.ping()).rejects.toThrow('the last write failed')
  await refuseWrites(storage, false)
  await insertDevice(storage.db)
  await storage.ping()
})

test('[P3] every write that was acknowledged while connections were cut again and again is stored', async () => {
  const databaseUrl = await openTestDatabase()
  const { proxy, storage } = await openThroughProxy(databaseUrl)
  const { inject: send, signUp } = await createTestApp({ storage })
  const owner = await signUp()
  const devices: { readonly id: string; readonly token: string }[] = []
  while (devices.length < 20) {
    const { id } = await registerTestDevice(owner)
    devices.push({ id, token: (await createTestToken(owner, id)).token })
  }
  const acknowledged = new Set<string>()
  for (let round = 0; round < 10; round += 1) {
    const beats = devices.map(async ({ id, token }) => {
      if ((await sendHeartbeat({ inject: send }, token)) === 204) acknowledged.add(id)
    })
    if (round % 2 === 0) {
      proxy.cut()
      await Promise.all(beats)
      proxy.mend()
    }
    await Promise.all(beats)
    await vi.waitFor(() => storage.ping(), inTime)
  }
  expect(acknowledged.size).toBeGreaterThan(0)
  const kept = await storage.db
    .selectFrom('presence')
    .innerJoin('devices', 'devices.key', 'presence.device_key')
    .select('devices.id')
    .execute()
  expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining([...acknowledged]))
})

test('S51 a server goes on after the database has ended its session', async () => {
  const databaseUrl = await openTestDatabase()
  const { storage } = await openThroughProxy(databaseUrl)
  const { serverUrl } = inject('testPostgres') ?? { serverUrl: '' }
  const name = new URL(databaseUrl).pathname.slice(1)
  await runStatement(
    serverUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  await vi.waitFor(() => storage.ping(), inTime)
  expect(await insertDevice(storage.db)).toBeGreaterThan(0)
})
