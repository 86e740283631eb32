import { deleteCheck, updateCheck } from '@astropelago/contract/checks'
import { getStatusPage, StatusPage, updateStatusPage } from '@astropelago/contract/status-pages'
import { statusPageSubjectsMax } from '@astropelago/contract/limits'
import { hideSubject } from '@astropelago/contract/reports'
import { publishIsland } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { sqlChecksStore } from '../checks/sql-checks-store.ts'
import { makeTestCheck } from '../../test/api-checks.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { makeTestIsland, publishTestIsland } from '../../test/api-islands.ts'
import {
  createTestApp,
  shareTestApp,
  stopTicks,
  type TestBrowser,
} from '../../test/create-test-app.ts'
import { foundCheck } from '../../test/found-check.ts'
import { movableClock } from '../../test/movable-clock.ts'

const dayMs = 86_400_000
const openly = { access: 'public', isListed: true } as const

/** Uptimes are read again every minute, and the next minute begins soon. */
const almostMs = Date.UTC(2030, 0, 31, 11, 59, 57)

const options = {
  config: { operators: new Set(['ada', 'eve']), registration: 'open', demo: true },
} as const

/** A server of its own, for a test that moves the clock. */
const ownApp = () => createTestApp({ ...options, clock: movableClock(almostMs) })

async function setUp(made = shareTestApp(options)) {
  const testApp = await made
  const { inject, signUp } = testApp
  const owner = await signUp()
  const device = await registerTestDevice(owner, { label: 'Roof <b>"1"</b>' })
  const { token } = await createTestToken(owner, device.id)
  const island = await publishTestIsland(owner, openly, { carrier: device.id })
  const change = (payload: object, browser: TestBrowser = owner) =>
    browser.inject({ method: 'PATCH', url: updateStatusPage.path, payload })
  await change({ isOn: true, devices: [device.id], islands: [island.id] })
  const ask = (headers: Record<string, string> = {}, username = owner.username) =>
    inject({ url: `/status/${username}`, headers })
  const askApi = (headers: Record<string, string> = {}) =>
    inject({ url: getStatusPage.path.replace(':username', owner.username), headers })
  return {
    ...testApp,
    owner,
    device,
    island,
    change,
    ask,
    askApi,
    read: async () => v.parse(StatusPage, (await askApi()).json()),
    beat: () => sendHeartbeat(testApp, token),
    changeDevice: (payload: object) =>
      owner.inject({ method: 'PATCH', url: `/api/devices/${device.id}`, payload }),
  }
}

describe('the settings of a status page', () => {
  test('SP3 are off and empty at first, and a change applies only to the fields that it names', async () => {
    const { signUp, device, island } = await setUp()
    const user = await signUp()
    const read = async () => (await user.inject({ url: updateStatusPage.path })).json<unknown>()
    const none = { isOn: false, title: null, devices: [], islands: [], checks: [], frameHosts: [] }
    expect(await read()).toEqual(none)
    const patch = (payload: object) =>
      user.inject({ method: 'PATCH', url: updateStatusPage.path, payload })
    await patch({ title: ' My wall ', frameHosts: [' Wall.Example.org:8080', '*.example.net'] })
    const changed = {
      ...none,
      title: 'My wall',
      frameHosts: ['wall.example.org:8080', '*.example.net'],
    }
    expect(await read()).toEqual(changed)
    // What others have is left out, as if they did not exist.
    expect((await patch({ devices: [device.id, 'none'], islands: [island.id] })).json()).toEqual(
      changed,
    )
  })

  test.each([
    { title: '' },
    { title: 'x'.repeat(65) },
    { devices: ['a', 'a'] },
    { islands: Array.from({ length: statusPageSubjectsMax + 1 }, (_, at) => `${at}`) },
    { frameHosts: ['a.example', 'a.example'] },
    { frameHosts: Array.from({ length: 11 }, (_, at) => `h${at}.example`) },
    ...[
      "a.example; script-src 'unsafe-inline'",
      'a.example, b.example',
      '*',
      "'self'",
      'https://a.example',
      'a.example/path',
      'a b',
      'ä.example',
      '',
    ].map((host) => ({ frameHosts: [host] })),
    { colour: 'red' },
  ])('SP3 S31 are refused with %j', async (payload) => {
    const { change, ask } = await setUp()
    expect((await change(payload)).statusCode).toBe(400)
    expect((await ask()).headers['content-security-policy']).toContain("frame-ancestors 'self'")
  })

  test('lose what is deleted', async () => {
    const { owner, device, island } = await setUp()
    await owner.inject({ method: 'DELETE', url: `/api/devices/${device.id}` })
    const settings = await owner.inject({ url: updateStatusPage.path })
    expect(settings.json()).toMatchObject({ devices: [], islands: [island.id] })
  })

  test('S9 are refused for demo users', async () => {
    const { app } = await shareTestApp(options)
    const demo = await app.inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
    const answer = await app.inject({
      method: 'PATCH',
      url: updateStatusPage.path,
      cookies,
      payload: { isOn: true },
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'demo_account' }])
  })
})

describe('a status page', () => {
  test('shows the text of a paused island, and when it opens again', async () => {
    const { owner, clock, ask, read, island } = await setUp()
    const until = new Date(clock.now() + 60_000).toISOString()
    const payload = { text: 'A <new> disk', until }
    await owner.inject({ method: 'POST', url: `/api/islands/${island.id}/pause`, payload })
    expect(await read()).toMatchObject({ islands: [{ isOpen: false, pause: payload }] })
    const { body } = await ask()
    expect(body).toContain('the island is paused')
    expect(body).toContain(`<bdi>A &lt;new&gt; disk</bdi><br>Back at <time datetime="${until}">`)
    expect(body).not.toContain('<new>')
  })

  test('shows the status of everything, since when, and its uptime', async () => {
    const { ask, read, beat, clock, device, island } = await setUp(ownApp())
    expect((await ask()).body).toContain('The device has not reported yet and the island is closed')
    await beat()
    await vi.waitFor(async () => {
      expect(await read()).toMatchObject({ devices: [{ id: device.id, status: 'online' }] })
    }, 10_000)
    await vi.waitFor(async () => {
      // In one step the server would take this for a time in which it slept.
      clock.move(1000)
      const page = await read()
      expect(page).toMatchObject({
        devices: [{ label: 'Roof <b>"1"</b>', since: expect.any(String), uptime: 1 }],
        islands: [{ slug: island.slug, isOpen: true, isWatched: true }],
      })
      expect(page.devices[0]?.days).toHaveLength(90)
      expect(page.devices[0]?.days.slice(-2)).toEqual([null, 1])
    }, 10_000)
    const { body, headers } = await ask()
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('The device is online and the island is open')
    expect(body).toContain('aria-label="Last 90 days: online all of 1 day, no data for 89"')
    expect(body).toMatch(/since <time datetime="[^"]+">\w+ \d+, \d\d:\d\d UTC<\/time>/)
    expect(body).toContain('<strong>100%</strong> online <span>under 1% of 90 days observed</span>')
  })

  test('goes on to the next day by itself, while nothing happens', async () => {
    const { read, clock, beat } = await setUp(ownApp())
    await beat()
    const { today } = await read()
    clock.move(dayMs)
    await vi.waitFor(async () => {
      expect(Date.parse((await read()).today)).toBe(Date.parse(today) + dayMs)
    }, 10_000)
  })

  test('is not sent again to a client that has it, as HTML and as JSON, and HEAD gets no body', async () => {
    const { ask, askApi, inject, owner } = await setUp()
    for (const asked of [ask, askApi]) {
      const first = await asked()
      expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding' })
      const again = await asked({ 'if-none-match': `W/${String(first.headers.etag)}` })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      const packed = await asked({ 'accept-encoding': 'gzip' })
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        etag: first.headers.etag,
      })
    }
    for (const url of [`/status/${owner.username}`, `/api/status/${owner.username}`]) {
      const head = await inject({ method: 'HEAD', url })
      expect([head.statusCode, head.body]).toEqual([200, ''])
    }
  })

  test('is found by its username in any case', async () => {
    const { ask, owner } = await setUp()
    expect((await ask({}, owner.username.toUpperCase())).statusCode).toBe(200)
  })

  test('SP2 shows everything that its owner wrote as text', async () => {
    const { ask, change } = await setUp()
    await change({ title: `</title><script>"'&` })
    const { body } = await ask()
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(body).toContain('<h1>&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;</h1>')
    expect(body).toContain('>Roof &lt;b&gt;&quot;1&quot;&lt;/b&gt;</a>')
  })

  test('SP4 may only fetch itself, and be framed by its server and the hosts that its owner names', async () => {
    const { ask, change } = await setUp()
    const policy = (await ask()).headers['content-security-policy']
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/,
    )
    await change({ frameHosts: ['wall.example.org', '*.example.net:8080'] })
    const { headers } = await ask()
    expect(headers['content-security-policy']).toContain(
      "frame-ancestors 'self' wall.example.org *.example.net:8080",
    )
    expect(headers).not.toHaveProperty('x-frame-options')
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('SP4 is sent again with its policy when other hosts may frame it', async () => {
    const { ask, change } = await setUp()
    await change({ frameHosts: ['wall.example.org'] })
    const { etag } = (await ask()).headers
    await change({ frameHosts: [] })
    const answer = await ask({ 'if-none-match': String(etag) })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-security-policy']).toMatch(/frame-ancestors 'self'$/)
  })

  test('SP4 S25 every other answer can’t be framed', async () => {
    const { ask, askApi, inject } = await setUp()
    for (const { headers } of [
      await ask({}, 'nobody'),
      await askApi(),
      await inject({ url: '/healthz' }),
    ]) {
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['x-frame-options']).toBe('DENY')
    }
  })

  test('SP5 S33 counts against the limit of an address', async () => {
    const { app } = await createTestApp({ config: { limitExempt: [] } })
    const ask = () => app.inject({ url: '/status/nobody', remoteAddress: '192.0.2.1' })
    for (let at = 0; at < 600; at += 1) await ask()
    expect((await ask()).statusCode).toBe(429)
  })
})

describe('SP1 S54 at once and for everybody, including its owner', () => {
  test.each([
    ['its owner makes private', { visibility: 'private' }],
    ['an operator hides', undefined],
  ])('SP1 a device that %s disappears', async (_, payload) => {
    const { ask, read, changeDevice, signUp, device, owner } = await setUp()
    expect((await ask()).body).toContain('Roof')
    if (payload) await changeDevice(payload)
    else {
      const operator = await signUp('ada')
      const url = hideSubject.path.replace(':kind', 'device').replace(':id', device.id)
      await operator.inject({ method: 'POST', url, payload: { reason: 'Spam' } })
    }
    for (const { body } of [
      await ask(),
      await owner.inject({ url: `/status/${owner.username}` }),
    ]) {
      expect(body).not.toContain('Roof')
    }
    expect((await read()).devices).toEqual([])
  })

  test('SP1 a device that was private for a while shows nothing of that time', async () => {
    stopTicks()
    const { beat, read, changeDevice, clock } = await setUp(ownApp())
    await beat()
    clock.move(3_600_000)
    await changeDevice({ visibility: 'private' })
    await changeDevice({ visibility: 'public' })
    clock.move(60_000)
    expect((await read()).devices).toMatchObject([{ status: 'offline', since: null, uptime: 0 }])
  })

  test('SP1 an island that is not public disappears', async () => {
    const { ask, read, owner, island, change } = await setUp()
    const draft = await makeTestIsland(owner, { name: 'Secret cellar' })
    await change({ islands: [island.id, draft.id] })
    const { body } = await ask()
    expect(body).toContain('Harbor Bar')
    expect(body).not.toContain('Secret cellar')
    const url = publishIsland.path.replace(':id', island.id)
    await owner.inject({ method: 'POST', url, payload: { access: 'members', isListed: false } })
    expect((await ask()).body).not.toContain('Harbor Bar')
    expect((await read()).islands).toEqual([])
  })

  test('SP1 a check shows its status and past since it became public, and disappears when it is private', async () => {
    stopTicks()
    const { storage, ask, read, owner, change, clock } = await setUp(ownApp())
    const { id } = await makeTestCheck(owner, { name: 'Web <site>' })
    const settings = await change({ checks: [id, 'none'] })
    expect(settings.json()).toMatchObject({ checks: [id] })
    expect((await read()).checks).toEqual([])
    const turn = (visibility: 'public' | 'private') =>
      owner.inject({
        method: 'PATCH',
        url: updateCheck.path.replace(':id', id),
        payload: { visibility },
      })
    const { key } = await storage.db.selectFrom('checks').select('key').executeTakeFirstOrThrow()
    const checks = sqlChecksStore(storage)
    await checks.record([foundCheck(key, 'up', { atMs: clock.now() })])
    clock.move(3_600_000)
    await turn('public')
    const publicMs = clock.now()
    await vi.waitFor(async () => {
      expect((await read()).checks).toMatchObject([
        { name: 'Web <site>', status: 'up', since: null },
      ])
    }, 10_000)
    clock.move(3_600_000)
    const note = 'It answered 503.'
    await checks.record([foundCheck(key, 'down', { atMs: clock.now(), note })])
    clock.move(3_600_000)
    expect((await read()).checks).toMatchObject([
      { status: 'down', since: new Date(publicMs + 3_600_000).toISOString(), uptime: 0.5 },
    ])
    const { body } = await ask()
    expect(body).toContain(`<h3><a href="/checks/${id}"`)
    expect(body).toContain('Web &lt;site&gt;')
    expect(body).toContain('</strong> up')
    expect(body).toContain('the check is down')
    expect(body).not.toContain(note)
    await turn('private')
    expect((await ask()).body).not.toContain('site')
    expect((await read()).checks).toEqual([])
    await owner.inject({ method: 'DELETE', url: deleteCheck.path.replace(':id', id) })
    expect((await owner.inject({ url: updateStatusPage.path })).json()).toMatchObject({
      checks: [],
    })
  })

  test('SP1 a page that is off, or of a disabled user, is answered as if it never existed', async () => {
    const { ask, askApi, change, signUp, owner } = await setUp()
    const missing = await ask({}, 'nobody')
    const expectMissing = async () => {
      const answer = await ask()
      expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
      const { date: _, ...headers } = answer.headers
      expect(missing.headers).toMatchObject(headers)
      expect((await askApi()).statusCode).toBe(404)
    }
    expect((await ask()).statusCode).toBe(200)
    await change({ isOn: false })
    await expectMissing()
    await change({ isOn: true })
    expect((await ask()).statusCode).toBe(200)
    const operator = await signUp('eve')
    const turn = (to: string) =>
      operator.inject({ method: 'POST', url: `/api/operator/users/${owner.username}/${to}` })
    await turn('disable')
    await expectMissing()
    await turn('enable')
    expect((await ask()).statusCode).toBe(200)
  })
})
