import { CheckHistory, PublicCheck } from '@astropelago/contract/checks'
import { checksPerDemoUser } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { makeTestCheck, recordFound } from '../../test/api-checks.ts'
import { createTestApiKey, injectByKey } from '../../test/api-keys.ts'
import { registerTestDevice } from '../../test/api-devices.ts'
import { makeTestIsland } from '../../test/api-islands.ts'
import {
  createTestApp,
  shareTestApp,
  type TestAppOptions,
  type TestBrowser,
} from '../../test/create-test-app.ts'
import { shareOperatorApp } from '../../test/operator-app.ts'
import { hashToken } from '../../secret-token.ts'
import { sqlChecksStore } from './sql-checks-store.ts'

const web = { kind: 'http', url: 'https://a.example/health' }
const url = '/api/me/checks'
const outside: TestAppOptions = { config: { publicUrl: 'https://sky.example' } }

async function setUp() {
  const app = await shareTestApp(outside)
  const [owner, stranger] = [await app.signUp(), await app.signUp()]
  const post = (payload: object, by: TestBrowser = owner) =>
    by.inject({ method: 'POST', url, payload })
  const patch = (id: string, payload: object) =>
    owner.inject({ method: 'PATCH', url: `${url}/${id}`, payload })
  return { ...app, owner, stranger, post, patch }
}

const readCheck = async ({ inject }: Pick<TestBrowser, 'inject'>, id: string) => {
  const response = await inject({ url: `/api/checks/${id}` })
  return response.statusCode === 200 ? v.parse(PublicCheck, response.json()) : undefined
}

const readHistory = async ({ inject }: Pick<TestBrowser, 'inject'>, id: string, query = '') =>
  v.parse(CheckHistory, (await inject({ url: `/api/checks/${id}/history${query}` })).json())

const run = (by: TestBrowser, id: string) => by.inject({ method: 'POST', url: `${url}/${id}/run` })

const fieldsOf = ({ body }: { readonly body: string }) =>
  Object.keys(
    v.parse(v.object({ fields: v.record(v.string(), v.string()) }), JSON.parse(body)).fields,
  )

const iso = (ms: number) => new Date(ms).toISOString()

describe('making a check', () => {
  test('takes what the contract takes, and fills in the rest', async () => {
    const { owner, post, clock } = await setUp()
    const response = await post({ name: ' Web ', target: web })
    expect(response.statusCode).toBe(201)
    const { id, ...made } = response.json<{ id: string }>()
    const own = {
      name: 'Web',
      target: {
        ...web,
        statuses: '200-299',
        text: null,
        followsRedirects: true,
        periodS: 60,
        timeoutS: 10,
      },
      visibility: 'private',
      isPaused: false,
      island: null,
      device: null,
      status: 'unobserved',
      since: null,
      checkedAt: null,
      note: null,
      tookMs: null,
      createdAt: new Date(clock.now()).toISOString(),
      hidden: null,
    }
    expect(made).toEqual({ ...own, pushUrl: null })
    expect((await owner.inject({ url })).json()).toEqual([{ id, ...own }])
    expect((await owner.inject({ url: `${url}/${id}` })).json()).toEqual({ id, ...own })
  })

  test('S20 the secret address is in this answer alone, and storage has a hash of it', async () => {
    const { owner, storage, logged } = await setUp()
    const { id, pushUrl } = await makeTestCheck(owner)
    const [, secret = ''] =
      /^https:\/\/sky\.example\/ping\/([0-9a-f-]{36})$/.exec(pushUrl ?? '') ?? []
    const store = sqlChecksStore(storage)
    expect(await store.findByPush(hashToken(secret))).toMatchObject({ id })
    const renewed = await owner.inject({ method: 'POST', url: `${url}/${id}/push-address` })
    const { pushUrl: newUrl } = renewed.json<{ pushUrl: string }>()
    expect(newUrl).not.toBe(pushUrl)
    expect(await store.findByPush(hashToken(secret))).toBeUndefined()
    expect(await store.findByPush(hashToken(newUrl.slice(-36)))).toMatchObject({ id })
    const shown = [await owner.inject({ url }), await owner.inject({ url: '/api/me/export' })]
    for (const text of [logged(), ...shown.map(({ body }) => body)]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(newUrl.slice(-36))
    }
    const { id: other } = await makeTestCheck(owner, { target: web })
    const none = await owner.inject({ method: 'POST', url: `${url}/${other}/push-address` })
    expect(none.statusCode).toBe(404)
  })

  test.each([
    { kind: 'http', url: 'http://10.0.0.1/' },
    { kind: 'http', url: 'http://localhost:9000/' },
    { kind: 'http', url: 'https://sky.example/' },
    { kind: 'tcp', host: '[::1]', port: 22 },
    { kind: 'certificate', host: '192.168.1.1' },
  ])('S71 nobody looks inside: %o', async (target) => {
    const { owner, post, patch } = await setUp()
    expect((await post({ name: 'In', target })).json()).toMatchObject({ code: 'inside_address' })
    const { id } = await makeTestCheck(owner, { target: web })
    expect((await patch(id, { target })).json()).toMatchObject({ code: 'inside_address' })
  })

  test('[C17] one’s own device may look inside, and what it finds stays private', async () => {
    const { owner, stranger, post, patch } = await setUp()
    const { id: device } = await registerTestDevice(owner)
    const { id: foreign } = await registerTestDevice(stranger)
    const inside = { name: 'NAS', target: { kind: 'http', url: 'http://192.168.1.2:5000/' } }
    expect(fieldsOf(await post({ ...inside, device: foreign }))).toEqual(['device'])
    expect(fieldsOf(await post({ ...inside, device, visibility: 'public' }))).toEqual([
      'visibility',
    ])
    const { id: island } = await makeTestIsland(owner, { address: 'https://a.example/' })
    expect(fieldsOf(await post({ ...inside, device, island }))).toEqual(['island'])
    expect(fieldsOf(await post({ name: 'Job', target: { kind: 'push' }, device }))).toEqual([
      'device',
    ])
    const ping = { kind: 'ping', host: '192.168.1.2' }
    expect(fieldsOf(await post({ name: 'Ping', target: ping }))).toEqual(['device'])
    expect((await post({ name: 'Ping', target: ping, device })).statusCode).toBe(201)
    const { id } = await makeTestCheck(owner, { ...inside, device })
    expect((await owner.inject({ url: `${url}/${id}` })).json()).toMatchObject({ device })
    expect(fieldsOf(await patch(id, { visibility: 'public' }))).toEqual(['visibility'])
    expect(fieldsOf(await patch(id, { visibility: 'public', isPaused: true }))).toEqual([
      'visibility',
    ])
    expect((await patch(id, { device: null })).json()).toMatchObject({ code: 'inside_address' })
    expect((await patch(id, { isPaused: true })).statusCode).toBe(200)
    expect((await patch(id, { isPaused: false, name: 'Box' })).statusCode).toBe(200)
    expect(
      (await patch(id, { target: web, device: null, visibility: 'public' })).json(),
    ).toMatchObject({ device: null, visibility: 'public' })
    expect(fieldsOf(await patch(id, { device }))).toEqual(['visibility'])
    const exported = (await owner.inject({ url: '/api/me/export' })).body
    expect(exported).toContain(`"device":"${device}"`)
  })

  test('names an island of one’s own with a link, or none', async () => {
    const { owner, stranger, post, patch } = await setUp()
    const { id } = await makeTestIsland(owner)
    const isRefused = { code: 'invalid_check', fields: { island: expect.any(String) } }
    const check = await makeTestCheck(owner, { island: id })
    expect(check).toMatchObject({ island: id })
    const without = await makeTestIsland(owner, { address: null })
    const theirs = await makeTestIsland(stranger)
    for (const island of [without.id, theirs.id, 'none']) {
      const refused = await post({ name: 'Web', target: web, island })
      expect(refused.json()).toMatchObject(isRefused)
      expect((await patch(check.id, { island })).json()).toMatchObject(isRefused)
    }
    expect((await patch(check.id, { island: null })).json()).toMatchObject({ island: null })
  })

  test('S33 each user has a number of checks, and demo users have few', async () => {
    const { signUp, inject } = await createTestApp({ config: { checksPerUser: 4 } })
    const owner = await signUp()
    const make = (inject_: TestBrowser['inject']) =>
      inject_({ method: 'POST', url, payload: { name: 'Job', target: { kind: 'push' } } })
    for (let made = 0; made < 4; made += 1) expect((await make(owner.inject)).statusCode).toBe(201)
    expect((await make(owner.inject)).json()).toMatchObject({ code: 'check_limit' })
    const { cookies } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const jar = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
    const demo: TestBrowser['inject'] = (options) => inject({ ...options, cookies: jar })
    const answers = []
    for (let made = 0; made <= checksPerDemoUser; made += 1) answers.push(await make(demo))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 409])
    const { id } = answers[0]?.json<{ id: string }>() ?? {}
    const renewed = await demo({ method: 'POST', url: `${url}/${id}/push-address` })
    expect(renewed.json()).toMatchObject({ code: 'demo_account' })
  })
})

describe('changing a check', () => {
  test('changes what is named', async () => {
    const { owner, patch } = await setUp()
    const { id } = await makeTestCheck(owner, { target: web })
    const target = { kind: 'tcp', host: 'a.example', port: 22 }
    const changed = await patch(id, { name: 'Door', target })
    expect(changed.json()).toMatchObject({
      name: 'Door',
      target: { ...target, periodS: 60, timeoutS: 10 },
      isPaused: false,
    })
    expect((await patch(id, {})).statusCode).toBe(400)
  })

  test('never makes one that scripts report to of one that looks, nor the other way round', async () => {
    const { owner, patch } = await setUp()
    const looks = await makeTestCheck(owner, { target: web })
    const pushed = await makeTestCheck(owner)
    const refused = { code: 'invalid_check', fields: { target: expect.any(String) } }
    expect((await patch(looks.id, { target: { kind: 'push' } })).json()).toMatchObject(refused)
    expect((await patch(pushed.id, { target: web })).json()).toMatchObject(refused)
    const longer = { kind: 'push', periodS: 3600, graceS: 0 }
    expect((await patch(pushed.id, { target: longer })).json()).toMatchObject({ target: longer })
  })

  test('a paused one is unobserved', async () => {
    const { owner, patch, storage, clock } = await setUp()
    const { id } = await makeTestCheck(owner)
    await recordFound(storage, id, { kind: 'down', atMs: clock.now(), note: 'exit 1' })
    expect((await patch(id, { name: 'Job' })).json()).toMatchObject({
      status: 'down',
      note: 'exit 1',
    })
    expect((await patch(id, { isPaused: true })).json()).toMatchObject({
      isPaused: true,
      status: 'unobserved',
      since: new Date(clock.now()).toISOString(),
      note: null,
    })
  })

  test('a deleted one is gone with its history', async () => {
    const { owner, storage, clock } = await setUp()
    const { id } = await makeTestCheck(owner, { visibility: 'public' })
    await recordFound(storage, id, { kind: 'up', atMs: clock.now() }, [[clock.now(), 5]])
    expect((await owner.inject({ method: 'DELETE', url: `${url}/${id}` })).statusCode).toBe(204)
    expect((await owner.inject({ url: `/api/checks/${id}/history` })).statusCode).toBe(404)
    const rows = await storage.db.selectFrom('check_samples').selectAll().execute()
    const keys = await storage.db.selectFrom('checks').select('key').execute()
    expect(rows.filter((row) => !keys.some(({ key }) => key === row.check_key))).toEqual([])
  })
})

describe('looking at once', () => {
  test('S33 is for checks that look, a few times a minute', async () => {
    const { owner, stranger } = await setUp()
    const pushed = await makeTestCheck(owner)
    const looks = await makeTestCheck(owner, { target: web, isPaused: true })
    expect((await run(owner, pushed.id)).json()).toMatchObject({ code: 'invalid_input' })
    expect((await run(stranger, looks.id)).statusCode).toBe(404)
    const answers = await Promise.all(Array.from({ length: 7 }, () => run(owner, looks.id)))
    const limited = answers.filter(({ statusCode }) => statusCode === 429)
    expect(limited).toHaveLength(1)
  })
})

describe('what others see', () => {
  test('of a public check is its name, its status and what was since it became public', async () => {
    const app = await createTestApp({})
    const { storage, clock, signUp } = app
    const [owner, stranger] = [await signUp(), await signUp()]
    // Nothing looks at it, and ten seconds at once would count as a sleep of the server.
    const { id } = await makeTestCheck(owner)
    const find = async (kind: 'up' | 'down') => {
      clock.move(2000)
      const atMs = clock.now()
      await recordFound(storage, id, { kind, atMs, note: 'secret.example' }, [[atMs, 7]])
      return iso(atMs)
    }
    const privateUp = await find('up')
    for (const reader of [app, stranger]) {
      expect(await readCheck(reader, id)).toBeUndefined()
      expect((await reader.inject({ url: `/api/checks/${id}/history` })).statusCode).toBe(404)
    }
    clock.move(2000)
    const publicMs = clock.now()
    const change = { method: 'PATCH', url: `${url}/${id}` } as const
    await owner.inject({ ...change, payload: { visibility: 'public' } })
    const shown = { id, name: 'Backup', kind: 'push', status: 'up' }
    expect(await readCheck(owner, id)).toEqual({ ...shown, since: privateUp })
    expect(await readCheck(stranger, id)).toEqual({ ...shown, since: null })
    clock.move(1000)
    const down = await find('down')
    clock.move(2000)
    // It was public all the time.
    await owner.inject({ ...change, payload: { visibility: 'public', name: 'Web' } })
    for (const reader of [app, stranger]) {
      expect(await readCheck(reader, id)).toEqual({
        ...shown,
        name: 'Web',
        status: 'down',
        since: down,
      })
      const history = await readHistory(reader, id)
      expect(history.events).toEqual([{ at: down, kind: 'down', note: null }])
      expect(history.samples).toEqual([{ at: down, tookMs: 7 }])
      expect(history.spans.map(({ from, status }) => [from, status])).toEqual([
        [iso(clock.now() - 86_400_000), 'unobserved'],
        [iso(publicMs), 'up'],
        [down, 'down'],
      ])
      expect(history.days).toMatchObject([{ upS: 3, downS: 2, flips: 1, p50Ms: 7 }])
    }
    const own = await readHistory(owner, id)
    expect(own.events).toEqual([
      { at: down, kind: 'down', note: 'secret.example' },
      { at: privateUp, kind: 'up', note: 'secret.example' },
    ])
    expect(own.days).toMatchObject([{ upS: 5, downS: 2, flips: 2 }])
    const { key } = await createTestApiKey(owner, ['checks:read'])
    const byKey = { inject: injectByKey(app.app, key) }
    expect((await readHistory(byKey, id)).events).toEqual(own.events)
    await owner.inject({ ...change, payload: { visibility: 'private' } })
    expect(await readCheck(stranger, id)).toBeUndefined()
  })

  test('S54 of a check that an operator hides is nothing, and its owner reads why', async () => {
    const { operator, signUp } = await shareOperatorApp()
    const [owner, stranger] = [await signUp(), await signUp()]
    const { id } = await makeTestCheck(owner, { name: 'Rude', visibility: 'public' })
    const secret = await makeTestCheck(owner)
    const report = async (by: TestBrowser, of = id) => {
      const payload = { kind: 'check', id: of, reason: 'abuse' }
      return (await by.inject({ method: 'POST', url: '/api/reports', payload })).statusCode
    }
    expect(await report(owner)).toBe(404)
    expect(await report(stranger, secret.id)).toBe(404)
    expect(await report(stranger)).toBe(204)
    const cases = async () =>
      (await operator.inject({ url: '/api/operator/reports' })).json<{ cases: unknown[] }>().cases
    const seen = { name: 'Rude', link: null, author: owner.username, isPublic: true }
    expect(await cases()).toMatchObject([{ subject: { kind: 'check', id }, thing: seen }])

    const hidden = `/api/operator/hidden/check/${id}`
    await operator.inject({ method: 'POST', url: hidden, payload: { reason: 'Be kind.' } })
    expect(await cases()).toEqual([])
    expect(await readCheck(stranger, id)).toBeUndefined()
    expect(await report(stranger)).toBe(404)
    for (const path of [`/api/checks/${id}/history`, `/badges/checks/${id}/status.svg`]) {
      expect((await stranger.inject({ url: path })).statusCode).toBe(404)
    }
    expect((await owner.inject({ url: `${url}/${id}` })).json()).toMatchObject({
      visibility: 'public',
      hidden: { reason: 'Be kind.' },
    })
    await operator.inject({ method: 'DELETE', url: hidden })
    expect(await readCheck(stranger, id)).toMatchObject({ name: 'Rude' })
  })

  test('events come a page at a time, and everything else with the first page', async () => {
    const { owner, storage, clock, inject } = await setUp()
    const { id } = await makeTestCheck(owner, { visibility: 'public' })
    const times = Array.from({ length: 45 }, (_, at) => clock.now() + at * 1000)
    for (const [at, atMs] of times.entries()) {
      await recordFound(storage, id, { kind: at % 2 === 0 ? 'up' : 'down', atMs })
    }
    const first = await readHistory({ inject }, id)
    expect(first.windows).toHaveLength(4)
    const later = await readHistory({ inject }, id, `?after=${first.next}`)
    const nothing = { windows: [], days: [], spans: [], samples: [], next: null }
    expect(later).toMatchObject({ ...nothing, status: first.status, since: first.since })
    const seen = [...first.events, ...later.events].map(({ at }) => Date.parse(at))
    expect(seen).toEqual(times.toReversed())
    const bad = await inject({ url: `/api/checks/${id}/history?after=x` })
    expect(bad.statusCode).toBe(400)
  })
})
