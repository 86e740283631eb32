import { checkNoteMaxLength } from '@astropelago/contract/limits'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { alone } from '../../../cluster/cluster.ts'
import { readConfig } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import { AdminSocket } from '../../../http/admin-socket.ts'
import { createHttpServer } from '../../../http/http-server.ts'
import { createServe } from '../../../http/serve-route.ts'
import { createMetrics } from '../../../metrics.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import { CheckRunner } from '../running/check-runner.ts'
import { memoryChecks } from '../testing/memory-checks.ts'
import { pushRoutes } from './push-routes.ts'

const uuid = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
const target = { kind: 'push', periodS: 60, graceS: 60 } as const

const refuse = () => Promise.reject(new DomainError('signed_out'))

async function setUp({ limitExempt = ['127.0.0.1'] } = {}) {
  const checks = memoryChecks()
  const clock = movableClock()
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  const config = { ...readConfig({}), limitExempt }
  const metrics = createMetrics()
  const { app, limits } = await createHttpServer({
    config,
    clock: clock.now,
    log,
    metrics,
    cluster: alone,
    adminSocket: new AdminSocket(),
  })
  onTestFinished(() => app.close())
  const serve = createServe({
    limitCalls: limits.anyCall,
    user: refuse,
    device: refuse,
    agent: refuse,
    operator: refuse,
    apiKey: refuse,
    audit: { begin: refuse },
    whenCurrent: () => Promise.resolve(),
  })
  const runner = new CheckRunner({
    store: checks.store,
    probe: () => Promise.resolve({ isUp: true, tookMs: 1 }),
    sight: { note: () => undefined, isClear: () => Promise.resolve(true) },
    clock: clock.now,
    leads: () => true,
    log,
  })
  await app.register(pushRoutes, {
    serve,
    store: checks.store,
    report: (check, said) => runner.report(check, said),
    limits,
    clock: clock.now,
  })
  const check = checks.put(target, { secret: uuid })
  await runner.store()
  return {
    checks,
    clock,
    state: () => checks.get(check.key).state,
    events: () => checks.eventsOf(check.key).map(({ kind }) => kind),
    logged: () => lines.join(''),
    inject: (options: InjectOptions) => app.inject(options),
  }
}

describe('[C6] as to Healthchecks', () => {
  test.each(['GET', 'POST', 'HEAD'] as const)('%s reports that all is well', async (method) => {
    const { inject, state } = await setUp()
    const answer = await inject({ method, url: `/ping/${uuid}` })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '2',
      'cache-control': 'no-store',
    })
    expect(answer.body).toBe(method === 'HEAD' ? '' : 'OK')
    expect(state()).toMatchObject({ status: 'up', note: null })
  })

  test.each([
    ['/', 'up', null],
    ['?rid=8c3a2b4e-0000-4000-8000-000000000000', 'up', null],
    ['/0', 'up', null],
    ['/fail', 'down', 'It reported a failure.'],
    ['/1', 'down', 'It ended with exit code 1.'],
    ['/255?rid=x', 'down', 'It ended with exit code 255.'],
    ['/start', 'unobserved', null],
    ['/log', 'unobserved', null],
  ])('%s makes it %s', async (path, status, note) => {
    const { inject, state } = await setUp()
    const answer = await inject({ url: `/ping/${uuid}${path}` })
    expect([answer.statusCode, answer.body]).toEqual([200, 'OK'])
    expect(state()).toMatchObject({ status, note })
  })

  test('measures from a start to its end', async () => {
    const { inject, state, clock } = await setUp()
    await inject({ url: `/ping/${uuid}/start` })
    clock.move(2500)
    await inject({ url: `/ping/${uuid}` })
    expect(state()).toMatchObject({ status: 'up', tookMs: 2500, startedMs: null })
  })

  test.each([
    ['text/plain', 'Copied 7 files.', 'Copied 7 files.'],
    [undefined, 'Copied 7 files.', 'Copied 7 files.'],
    ['application/json', '{"a":', '{"a":'],
    ['application/x-www-form-urlencoded', 'a=b', 'a=b'],
    ['not a type', 'Done.', 'Done.'],
    ['text/plain', '\u001b[31mred\u001b[0m\0 \u202edne', 'red dne'],
    ['text/plain', 'x'.repeat(60_000), 'x'.repeat(checkNoteMaxLength)],
    ['text/plain', '\u{1f600}'.repeat(60_000), '\u{1f600}'.repeat(checkNoteMaxLength)],
    ['text/plain', '   \n\u200b ', null],
    ['text/plain', Buffer.from([0xff, 0xfe, 0x61]), '\ufffd\ufffda'],
  ])('the beginning of a body as %s is its note: %j', async (type, payload, note) => {
    const { inject, state } = await setUp()
    const headers = type === undefined ? {} : { 'content-type': type }
    const answer = await inject({ method: 'POST', url: `/ping/${uuid}/fail`, payload, headers })
    expect(answer.body).toBe('OK')
    expect(state()?.note).toBe(note ?? 'It reported a failure.')
  })

  test('a text of its own is its note, whatever its status is', async () => {
    const { inject, state } = await setUp()
    await inject({ url: `/ping/${uuid}` })
    await inject({ method: 'POST', url: `/ping/${uuid}/log`, payload: 'Half done.' })
    expect(state()).toMatchObject({ status: 'up', note: 'Half done.' })
  })

  test('S53 a body of more than 1 MB is refused', async () => {
    const { inject, state } = await setUp()
    const post = (size: number) =>
      inject({ method: 'POST', url: `/ping/${uuid}`, payload: 'x'.repeat(size) })
    expect((await post(1024 * 1024 + 1)).statusCode).toBe(413)
    expect(state()).toBeNull()
    expect((await post(1024 * 1024)).statusCode).toBe(200)
  })

  test.each([
    ['/ping/00000000-0000-4000-8000-000000000000', 404, 'not found'],
    ['/ping/00000000-0000-4000-8000-000000000000/fail', 404, 'not found'],
    ['/ping/00000000-0000-4000-8000-000000000000/256', 404, 'not found'],
    [`/ping/${uuid.toUpperCase()}`, 404, 'not found'],
    [`/ping/${uuid}/stop`, 404, 'not found'],
    [`/ping/${uuid}/-1`, 404, 'not found'],
    [`/ping/${uuid}/256`, 400, 'invalid url format'],
  ])('%s is %i %s', async (url, status, body) => {
    const { inject, state } = await setUp()
    const answer = await inject({ url })
    expect([answer.statusCode, answer.body]).toEqual([status, body])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(state()).toBeNull()
  })
})

describe('[C6] as to Uptime Kuma', () => {
  test.each([
    ['', 'up', null, null],
    ['?status=up&msg=OK&ping=', 'up', null, null],
    ['?status=up&msg=All%20fine&ping=12.6', 'up', 'All fine', 13],
    ['?status=down&msg=No%20disk', 'down', 'No disk', null],
    ['?status=&ping=x', 'up', null, null],
    ['?status=pending', 'down', 'It reported a failure.', null],
    ['?ping=100000000000', 'up', null, 2_147_483_647],
    ['?unknown=1', 'up', null, null],
  ])('%s makes it %s', async (query, status, note, tookMs) => {
    for (const method of ['GET', 'POST'] as const) {
      const { inject, state } = await setUp()
      const answer = await inject({ method, url: `/api/push/${uuid}${query}`, payload: '' })
      expect([answer.statusCode, answer.body]).toEqual([200, '{"ok":true}'])
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(state()).toMatchObject({ status, note, tookMs })
    }
  })

  test.each([
    ['of an unknown token', '/api/push/unknown', 'Monitor not found or not active.'],
    [
      'with a negative time',
      `/api/push/${uuid}?ping=-1`,
      'Invalid ping value. Must be between 0 and 100000000000 ms.',
    ],
  ])('one %s is refused', async (_, url, msg) => {
    const { inject, state } = await setUp()
    const answer = await inject({ url })
    expect([answer.statusCode, answer.json()]).toEqual([404, { ok: false, msg }])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(state()).toBeNull()
  })

  test('one to a paused check is refused, as it is there', async () => {
    const { checks, inject, state } = await setUp()
    checks.put(target, { key: 1, secret: uuid, isPaused: true })
    expect((await inject({ url: `/api/push/${uuid}` })).statusCode).toBe(404)
    expect((await inject({ url: `/ping/${uuid}` })).body).toBe('OK')
    expect(state()).toBeNull()
  })
})

describe('[C7] a report', () => {
  test('is stored at most once of a kind in 10 seconds, unless its status changes', async () => {
    const { checks, clock, inject, events } = await setUp()
    const count = () => checks.groups.flat().length
    const ping = async (path = '') => {
      expect((await inject({ url: `/ping/${uuid}${path}` })).body).toBe('OK')
    }
    for (let second = 0; second < 10; second += 1) {
      await ping()
      clock.move(999)
    }
    expect(count()).toBe(1)
    clock.move(11)
    await ping()
    expect(count()).toBe(2)
    await ping('/fail')
    await ping('/fail')
    await ping()
    expect(count()).toBe(4)
    await ping('/start')
    await ping('/start')
    await ping('/log')
    expect(count()).toBe(6)
    expect(events()).toEqual(['up', 'down', 'up'])
  })

  test('is stored once of each kind, however many come together', async () => {
    const { checks, inject, events } = await setUp()
    const reports = ['', '', '/start', '/log', '/log', '/fail', '/1', '', '/start', '/2']
    const many = Array.from({ length: 5 }, () => reports).flat()
    const answers = await Promise.all(many.map((path) => inject({ url: `/ping/${uuid}${path}` })))
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['OK']))
    expect(checks.groups.flat()).toHaveLength(4)
    expect(events()).toHaveLength(2)
  })

  test('that storage refuses is answered with 503, and counts for nothing', async () => {
    const { checks, inject, events } = await setUp()
    checks.refuse(true)
    const answer = await inject({ url: `/ping/${uuid}` })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBeDefined()
    checks.refuse(false)
    await inject({ url: `/ping/${uuid}` })
    expect(events()).toEqual(['up'])
  })
})

test('S20 no secret is logged, whatever becomes of the call', async () => {
  const { checks, inject, logged } = await setUp()
  const urls = ['', '/', '/fail', '/nothing', '/1/2', '/256', '/a/b/c', '//'].flatMap((path) => [
    `/ping/${uuid}${path}`,
    `/api/push/${uuid}${path}`,
    `/ping//${uuid}${path}`,
  ])
  for (const isRefusing of [false, true]) {
    checks.refuse(isRefusing)
    for (const url of urls) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
        await inject({ method, url: `${url}?msg=${uuid}` })
      }
    }
  }
  expect(logged()).toContain('storage unavailable')
  expect(logged()).not.toContain(uuid)
})

test('S33 unknown secrets are limited, and known ones go on', async () => {
  const { inject } = await setUp({ limitExempt: [] })
  const remoteAddress = '203.0.113.7'
  const statuses: number[] = []
  for (let count = 0; count < 61; count += 1) {
    const { statusCode } = await inject({ url: `/ping/unknown-${count}`, remoteAddress })
    statuses.push(statusCode)
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 404), 429])
  expect((await inject({ url: `/api/push/unknown`, remoteAddress })).statusCode).toBe(429)
  expect((await inject({ url: `/ping/${uuid}`, remoteAddress })).body).toBe('OK')
})
