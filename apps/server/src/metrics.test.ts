import { describe, expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from './test/api-devices.ts'
import { makeTestIsland, publishTestIsland } from './test/api-islands.ts'
import { createTestApp, type TestAppOptions } from './test/create-test-app.ts'
import { refuseWrites } from './test/open-test-storage.ts'
import { inTime } from './test/in-time.ts'

const metricsToken = 'scr4pe-me'

async function setUp(config: TestAppOptions['config'] = {}) {
  const testApp = await createTestApp({ config: { metricsToken, ...config } })
  const text = async () => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    return (await testApp.inject({ url: '/metrics', headers })).body
  }
  /** The samples of one metric, as `labels value`. */
  const samples = async (name: string) =>
    (await text())
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .map((line) => line.slice(name.length).trim())
  return { ...testApp, text, samples }
}

describe('answers', () => {
  test('are counted by route and status, whether given early or by a route', async () => {
    const { app, inject, signUp, samples, text } = await setUp()
    const { token } = await (async () => {
      const owner = await signUp()
      return await createTestToken(owner, (await registerTestDevice(owner)).id)
    })()
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const beat = { method: 'POST', headers: { authorization: `Bearer ${token}` } }
    const early = await fetch(new URL('/api/devices/heartbeat-token', url), beat)
    expect([early.status, await sendHeartbeat({ inject }, token)]).toEqual([204, 204])
    const { headers } = await inject({ url: '/api/devices' })
    await fetch(new URL('/api/devices', url), {
      headers: { 'if-none-match': String(headers['etag']) },
    })
    await inject({ url: '/api/devices/nobodys' })

    const counted = await samples('astropelago_http_answers_total')
    expect(counted).toEqual(
      expect.arrayContaining([
        '{method="POST",route="/api/devices/heartbeat-token",status="204"} 2',
        '{method="GET",route="/api/devices",status="304"} 1',
        '{method="GET",route="/api/devices",status="200"} 1',
        '{method="GET",route="/api/devices/:id",status="404"} 1',
      ]),
    )
    // Only the one that Fastify answered.
    expect(await text()).toContain(
      'astropelago_http_answer_seconds_count{method="POST",route="/api/devices/heartbeat-token"} 1',
    )
  })

  test('S52 to made-up paths and methods are one sample', async () => {
    const { inject, samples } = await setUp()
    for (const url of ['/api/x', '/api/y?z=1', '/api/z/%00']) await inject({ url })
    await inject({ method: 'PUT', url: '/api/x' })
    const counted = await samples('astropelago_http_answers_total')
    expect(counted).toContain('{method="any",route="unknown",status="404"} 4')
    expect(counted.join()).not.toContain('/api/x')
  })
})

test('islands are counted by how others see them', async () => {
  const { signUp, samples } = await setUp()
  const host = await signUp()
  await makeTestIsland(host)
  await publishTestIsland(host, { access: 'public', isListed: true })
  await publishTestIsland(host, { access: 'public', isListed: false })
  expect(await samples('astropelago_islands')).toEqual([
    '{state="draft"} 1',
    '{state="unlisted"} 1',
    '{state="listed"} 1',
    '{state="hidden"} 0',
  ])
})

test('heartbeats are counted by outcome, and their commits are timed', async () => {
  const { inject, signUp, samples } = await setUp()
  const owner = await signUp()
  const device = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, device.id)
  await sendHeartbeat({ inject }, token)
  await sendHeartbeat({ inject }, 'wrong')
  await owner.inject({ method: 'POST', url: `/api/devices/heartbeat?id=${device.id}` })
  await owner.inject({ method: 'POST', url: '/api/devices/heartbeat?id=missing' })
  expect(await samples('astropelago_heartbeats_total')).toEqual([
    '{outcome="accepted"} 2',
    '{outcome="bad_token"} 1',
    '{outcome="not_found"} 1',
    '{outcome="malformed"} 0',
    '{outcome="rate_limited"} 0',
    '{outcome="unavailable"} 0',
  ])
  expect(await samples('astropelago_heartbeat_commit_seconds_count')).toEqual(['2'])
  expect(await samples('astropelago_heartbeats_waiting')).toEqual(['0'])
})

test('devices are counted by status', async () => {
  const { inject, signUp, samples, clock } = await setUp({ onlineWindowMs: 500 })
  const owner = await signUp()
  const { token } = await createTestToken(owner, (await registerTestDevice(owner)).id)
  await registerTestDevice(owner, { visibility: 'private' })
  await sendHeartbeat({ inject }, token)
  expect(await samples('astropelago_devices')).toEqual([
    '{status="online"} 1',
    '{status="offline"} 0',
    '{status="unknown"} 1',
  ])
  clock.move(500)
  await vi.waitFor(async () => {
    expect(await samples('astropelago_devices')).toContain('{status="offline"} 1')
  }, 10_000)
})

test('S44 refusals of the storage are counted, and the metrics can be read meanwhile', async () => {
  const { inject, signUp, samples, storage } = await setUp()
  const owner = await signUp()
  const { token } = await createTestToken(owner, (await registerTestDevice(owner)).id)
  const before = await samples('astropelago_storage_errors_total')
  expect(before).toEqual(['{kind="unavailable"} 0', '{kind="busy"} 0', '{kind="wrong"} 0'])
  await refuseWrites(storage, true)
  expect(await sendHeartbeat({ inject }, token)).toBe(503)
  await refuseWrites(storage, false)
  const [unavailable = ''] = await samples('astropelago_storage_errors_total')
  expect(Number(unavailable.split(' ')[1])).toBeGreaterThan(0)
  expect(await samples('astropelago_heartbeats_total')).toContain('{outcome="unavailable"} 1')
  expect(await samples('astropelago_storage_waiting')).toHaveLength(2)
})

test('the feed reports its listeners, its messages and their delay', async () => {
  const { app, signUp, samples } = await setUp()
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await fetch(new URL('/api/devices/stream', url))
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/devices/live`)
  await vi.waitFor(async () => {
    expect(await samples('astropelago_feed_subscribers')).toEqual([
      '{protocol="sse"} 1',
      '{protocol="websocket"} 1',
    ])
  }, inTime)
  await registerTestDevice(await signUp())
  await vi.waitFor(async () => {
    expect(await samples('astropelago_feed_messages_total')).toEqual(['1'])
    expect(await samples('astropelago_feed_lag_seconds_count')).toEqual(['1'])
  }, inTime)
  socket.close()
  await stream.body?.cancel()
  await vi.waitFor(async () => {
    expect(await samples('astropelago_feed_subscribers')).toContain('{protocol="sse"} 0')
  }, inTime)
})
