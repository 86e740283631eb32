import { sessionHeartbeat, tokenHeartbeat } from '@astropelago/contract/devices'
import { ErrorBody } from '@astropelago/contract/error-body'
import { streamFeed } from '@astropelago/contract/feed'
import { streamOwn } from '@astropelago/contract/streams'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createTestToken, deviceDetails, registerTestDevice } from '../test/api-devices.ts'
import { contractRoutes, refusesAsOthers, routeName } from '../test/contract-routes.ts'
import { createTestApp } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

/** A language model and a mail server that nothing goes to: what is not connected is refused before its body. */
const config = readConfig({
  OPERATORS: 'mission-control',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'sky@example.org',
  LLM_BASE_URL: 'http://127.0.0.1',
  LLM_MODELS: 'nobody/asks=this',
  LIMIT_EXEMPT: '127.0.0.1',
})
const registerUrl = '/api/devices/register'

async function post(payload: string | Buffer, type: string | undefined = 'application/json') {
  const { signUp } = await createTestApp()
  const { inject } = await signUp()
  const headers = { 'content-type': type }
  return await inject({ method: 'POST', url: registerUrl, payload, headers })
}

test.each([
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/json-patch+json',
  'text/json',
  'application/jsonx',
  'nonsense',
])('S16 a body as %s is 415', async (type) => {
  const response = await post(JSON.stringify(deviceDetails), type)
  expect(response.statusCode).toBe(415)
  expect(response.json()).toMatchObject({ code: 'unsupported_media_type' })
})

/** Devices send whatever their tool sends by default. */
const heartbeats: ReadonlySet<string> = new Set([sessionHeartbeat.path, tokenHeartbeat.path])
const withBody = contractRoutes.filter(
  ({ body, path }) => body !== undefined && !heartbeats.has(path),
)

/** What a form of another site sends without asking first. */
const formTypes = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']

test.each(withBody.map((route) => [routeName(route), route] as const))(
  'S16 %s takes its own content type alone',
  async (_, { method, path, bodyType = 'application/json' }) => {
    const { signUp } = await createTestApp({ config })
    const { inject } = await signUp('mission-control')
    for (const type of ['application/json', ...formTypes, 'text/html', 'x']) {
      const headers = { 'content-type': type }
      const { statusCode } = await inject({ method, url: path, payload: '{}', headers })
      expect(statusCode === 415).toBe(type !== bodyType)
    }
  },
)

test('S16 a body as application/json is accepted with or without a charset', async () => {
  for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON']) {
    expect((await post(JSON.stringify(deviceDetails), type)).statusCode).toBe(201)
  }
})

describe('S31 bad input is refused and is not a failure of the server:', () => {
  const own = JSON.stringify(deviceDetails).slice(1)
  test.each([
    ['nothing', '', 400],
    ['broken JSON', '{"label":', 400],
    ['two values', '{}{}', 400],
    ['a comment', '{/**/}', 400],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400],
    ['NaN', '{"label":"Pi","lat":NaN,"lon":0}', 400],
    ['a number past all numbers', '{"label":"Pi","lat":1e999,"lon":0}', 400],
    ['__proto__', `{"__proto__":{"isAdmin":true},${own}`, 400],
    ['__proto__ in disguise', `{"\\u005f_proto__":{"isAdmin":true},${own}`, 400],
    ['constructor.prototype', `{"constructor":{"prototype":{"isAdmin":true}},${own}`, 400],
    ['a key of Object.prototype', `{"toString":1,${own}`, 400],
    ['null', 'null', 400],
    ['text', '"Pi"', 400],
    ['a number', '7', 400],
    ['an array', `[${JSON.stringify(deviceDetails)}]`, 400],
    ['unclosed depth', '['.repeat(60_000), 400],
    ['depth', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400],
    ['depth in a field', `{"link":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)},${own}`, 400],
    ['a thousand fields', `{${'"a":1,'.repeat(1000)}${own}`, 400],
    ['one byte over 64 KiB', `"${'x'.repeat(65_535)}"`, 413],
    ['much more', 'x'.repeat(1_000_000), 413],
  ])('%s', async (_, payload, status) => {
    const response = await post(payload)
    expect(response.statusCode).toBe(status)
    expect(v.is(ErrorBody, response.json())).toBe(true)
    expect({}).not.toHaveProperty('isAdmin')
  })
})

test('a body of exactly 64 KiB is read', async () => {
  const response = await post(`"${'x'.repeat(65_534)}"`)
  expect(response.json()).toMatchObject({ code: 'invalid_device' })
})

test.each([
  ['%zz', 404],
  ['%', 404],
  ['%ff', 404],
  ['%00', 404],
  ['%E2%82%AC', 404],
  ['..', 404],
  ['a%2Fb', 404],
  ["'%20or%201=1", 404],
  ['x'.repeat(10_000), 404],
])('S31 the device id %s is not found', async (id, status) => {
  const { signUp } = await createTestApp()
  const { inject } = await signUp()
  const response = await inject({ method: 'DELETE', url: `/api/devices/${id}` })
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ code: 'not_found' })
})

test('S31 no input makes any route fail, and every refusal says why', async () => {
  const testApp = await createTestApp({ webDir: await makeWebDir(), config })
  const owner = await testApp.signUp()
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id)

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 70 }),
    fc.constantFrom(id, '', '\0', 'javascript:alert(1)', '__proto__', '9'.repeat(400)),
  )
  const value = fc.oneof(text, fc.double(), fc.jsonValue({ maxDepth: 3 }), fc.constant(id))
  const accountFields = ['label', 'lat', 'link', 'deviceId', 'name', 'username', 'password']
  const sparkFields = ['messages', 'model', 'max_tokens', 'response_format', 'url', 'load_ms']
  const field = fc.constantFrom(...accountFields, ...sparkFields)
  const message = fc.record({ role: fc.oneof(fc.constant('user'), value), content: value })
  const body = fc.oneof(
    fc.dictionary(fc.oneof(field, text), value, { maxKeys: 6 }),
    fc.record({ label: value, lat: value, lon: value, link: value }, { requiredKeys: [] }),
    fc.record({ messages: fc.array(message), model: value }),
    fc.record({ url: value, load_ms: value }),
    fc.jsonValue({ maxDepth: 4 }),
  )
  const payload = fc.oneof(
    body.map((json) => JSON.stringify(json)),
    fc.string({ unit: 'binary' }),
    fc.constant(undefined),
  )
  const query = fc.dictionary(
    fc.constantFrom('id', 'token', 'since', 'collection', '__proto__'),
    text,
  )
  const type = fc.constantFrom('application/json', 'text/plain', 'x', '', undefined)
  const caller = fc.constantFrom('owner', 'nobody', 'device')
  // The one would end the session, the other goes on for ever.
  const left = new Set(['/api/auth/logout', streamOwn.path])

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...contractRoutes.filter(({ path }) => !left.has(path))),
      fc.record({ param: text, payload, query, type, caller }),
      async ({ method, path }, sent) => {
        // Without a sequence that is refused the stream would go on for ever.
        const endless = path === streamFeed.path && { since: 'unknown' }
        const search = new URLSearchParams({ ...endless, ...sent.query })
        const call: InjectOptions = {
          method,
          url: `${path.replace(/:\w+/, encodeURIComponent(sent.param.toWellFormed()))}?${search.toString()}`,
          headers: {
            ...(sent.type !== undefined && { 'content-type': sent.type }),
            ...(sent.caller === 'device' && { authorization: `Bearer ${token}` }),
          },
          ...(sent.payload !== undefined && method !== 'GET' && { payload: sent.payload }),
        }
        const inject = sent.caller === 'owner' ? owner.inject : testApp.inject
        const response = await inject(call)
        expect(response.statusCode).toBeLessThan(500)
        const isExplained =
          response.statusCode < 400 || refusesAsOthers(path) || v.is(ErrorBody, response.json())
        expect(isExplained).toBe(true)
      },
    ),
    { numRuns: 600 },
  )
}, 30_000)
