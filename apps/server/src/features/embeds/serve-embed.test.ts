import { request, type OutgoingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { publishTestIsland } from '../../test/api-islands.ts'
import { createTestApp, shareTestApp } from '../../test/create-test-app.ts'

const options = { config: { operators: new Set(['ada-status', 'ada-uptime']) } }

async function setUp(made = shareTestApp(options)) {
  const testApp = await made
  const owner = await testApp.signUp()
  const device = await registerTestDevice(owner, { label: 'Roof' })
  const island = await publishTestIsland(owner, { access: 'public', isListed: true })
  const { app } = testApp
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const url = app.listeningOrigin
  /** Asks over a socket, where the answer may come early. */
  const ask = (path: string, sent: OutgoingHttpHeaders = {}) =>
    new Promise<{ readonly status: number | undefined; headers: object; body: string }>(
      (done, fail) => {
        const outgoing = request(new URL(path, url), { headers: sent, agent: false }, (answer) => {
          const {
            date: _,
            connection: _connection,
            'keep-alive': _alive,
            ...headers
          } = answer.headers
          let body = ''
          answer.setEncoding('utf8').on('data', (text: string) => (body += text))
          answer.on('end', () => done({ status: answer.statusCode, headers, body }))
        })
        outgoing.on('error', fail)
        outgoing.end()
      },
    )
  const etagOf = async (path: string) =>
    String((await testApp.inject({ url: path })).headers['etag'])
  const requestLines = (path: string) => testApp.logged().split(`"path":"${path}"`).length - 1
  const badge = (kind = 'status') => `/badges/${device.id}/${kind}.svg`
  return { ...testApp, owner, device, island, ask, etagOf, requestLines, badge }
}

test.each([{}, { 'if-none-match': 'known' }])(
  'S26 the early answer is the route’s, header by header, and writes no log line: %o',
  async (sent) => {
    const { ask, etagOf, inject, requestLines, badge } = await setUp()
    const url = badge()
    const etag = await etagOf(url)
    const headers = 'if-none-match' in sent ? { 'if-none-match': etag } : {}
    const lines = requestLines(url)
    const early = await ask(url, headers)
    expect(requestLines(url)).toBe(lines)
    const answer = await inject({ url, headers })
    const { date: _, connection: _connection, ...rest } = answer.headers
    expect(early).toEqual({ status: answer.statusCode, headers: rest, body: answer.body })
  },
)

test.each([
  ['another ETag', () => '"x"', 200],
  ['the ETag in a list', (etag: string) => `"x", ${etag}`, 304],
])('with %s the route answers', async (_, noneMatch, status) => {
  const { ask, etagOf, requestLines, badge } = await setUp()
  const etag = await etagOf(badge())
  const lines = requestLines(badge())
  expect((await ask(badge(), { 'if-none-match': noneMatch(etag) })).status).toBe(status)
  expect(requestLines(badge())).toBe(lines + 1)
})

const endings = ['became private', 'was deleted', 'lost its owner'] as const

test.each(endings.flatMap((ending) => [['status', ending] as const, ['uptime', ending] as const]))(
  'EM5 S54 a cached %s badge is gone with the next request after its device %s',
  async (kind, ending) => {
    const { ask, owner, device, badge, signUp } = await setUp()
    const url = `/api/devices/${device.id}`
    expect([(await ask(badge(kind))).status, (await ask(badge(kind))).status]).toEqual([200, 200])
    if (ending === 'became private') {
      await owner.inject({ method: 'PATCH', url, payload: { visibility: 'private' } })
    } else if (ending === 'was deleted') await owner.inject({ method: 'DELETE', url })
    else {
      const operator = await signUp(`ada-${kind}`)
      const { username } = owner
      await operator.inject({ method: 'POST', url: `/api/operator/users/${username}/disable` })
    }
    expect((await ask(badge(kind))).status).toBe(404)
  },
)

test.each(['status', 'uptime'])(
  'EM5 S54 a cached %s badge of an island is gone with the next request after strangers may not see it',
  async (kind) => {
    const { ask, owner, island, inject } = await setUp()
    const url = `/badges/islands/${island.slug}/${kind}.svg`
    expect([(await ask(url)).status, (await ask(url)).status]).toEqual([200, 200])
    const payload = { access: 'invited', isListed: false }
    const answer = await owner.inject({
      method: 'POST',
      url: `/api/islands/${island.id}/publish`,
      payload,
    })
    expect(answer.statusCode).toBe(200)
    expect((await ask(url)).status).toBe(404)
    expect((await inject({ url })).statusCode).toBe(404)
  },
)

test('EM5 a cached badge follows a heartbeat and a new label at once', async () => {
  const testApp = await setUp()
  const { ask, owner, device, badge } = testApp
  expect((await ask(badge())).body).toContain('Roof: unknown')
  const { token } = await createTestToken(owner, device.id)
  await sendHeartbeat(testApp, token)
  expect((await ask(badge())).body).toContain('Roof: online')
  expect((await ask(badge())).body).toContain('Roof: online')
  await owner.inject({
    method: 'PATCH',
    url: `/api/devices/${device.id}`,
    payload: { label: 'Cellar' },
  })
  expect((await ask(badge())).body).toContain('Cellar: online')
})

test('S33 EM6 early and ordinary answers share one count for an address', async () => {
  const { ask, inject, requestLines, badge } = await setUp(
    createTestApp({ config: { limitExempt: [] } }),
  )
  for (let calls = 0; calls < 300; calls += 1) await inject({ url: badge() })
  const lines = requestLines(badge())
  let status: number | undefined
  for (let calls = 0; calls < 301 && status !== 429; calls += 1) {
    ;({ status } = await ask(badge()))
  }
  expect(status).toBe(429)
  expect(requestLines(badge())).toBe(lines + 1)
})

test('S34 behind a trusted proxy the ordinary route distinguishes callers', async () => {
  const { ask, requestLines, badge } = await setUp(
    createTestApp({ config: { trustProxy: ['127.0.0.1'] } }),
  )
  await ask(badge())
  const lines = requestLines(badge())
  expect((await ask(badge())).status).toBe(200)
  expect(requestLines(badge())).toBe(lines + 1)
})
