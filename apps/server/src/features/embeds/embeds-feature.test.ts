import { updateCheck, type CheckStatus } from '@astropelago/contract/checks'
import { embedPaths } from '@astropelago/contract/embeds'
import { describe, expect, test } from 'vitest'
import { makeTestCheck } from '../../test/api-checks.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { makeTestIsland, publishTestIsland } from '../../test/api-islands.ts'
import { createTestApiKey, injectByKey } from '../../test/api-keys.ts'
import { createTestApp, shareTestApp, stopTicks } from '../../test/create-test-app.ts'
import { foundCheck } from '../../test/found-check.ts'
import { sqlChecksStore } from '../checks/sql-checks-store.ts'
import { readAtom } from './testing/read-atom.ts'

const options = { config: { operators: new Set(['ada-status', 'ada-uptime']) } }

async function setUp(made = shareTestApp(options)) {
  const testApp = await made
  const owner = await testApp.signUp()
  const device = await registerTestDevice(owner, { label: 'Roof "1"' })
  const { token } = await createTestToken(owner, device.id)
  const beat = () => sendHeartbeat(testApp, token)
  const status = (id = device.id) => testApp.inject({ url: `/badges/${id}/status.svg` })
  const change = (payload: object) =>
    owner.inject({ method: 'PATCH', url: `/api/devices/${device.id}`, payload })
  return { ...testApp, owner, device, token, beat, status, change }
}

describe('a badge', () => {
  test('shows the status of a public device, and is not sent again to a client that has it', async () => {
    const { beat, status, inject, device } = await setUp()
    expect((await status()).body).toContain('Roof &quot;1&quot;: unknown')
    await beat()
    const { body, headers } = await status()
    expect(body).toContain('Roof &quot;1&quot;: online')
    const again = await inject({
      url: `/badges/${device.id}/status.svg`,
      headers: { 'if-none-match': `${headers.etag}` },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('EM3 can be embedded in any page, and can do nothing there', async () => {
    const { status } = await setUp()
    expect((await status()).headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect((await status()).headers).not.toHaveProperty('set-cookie')
  })

  test('accepts a label, and no other words', async () => {
    const { inject, device } = await setUp()
    const ask = (query: string) => inject({ url: `/badges/${device.id}/status.svg${query}` })
    expect((await ask('?label=My%20<Pi>')).body).toContain('My &lt;Pi&gt;: unknown')
    for (const query of ['?label=', '?label=%00', `?label=${'x'.repeat(65)}`, '?colour=red']) {
      expect((await ask(query)).statusCode).toBe(400)
    }
  })

  test('shows the uptime of a window as everybody may know it', async () => {
    const { inject, device, beat, clock } = await setUp(createTestApp({}))
    const ask = async (query = '') =>
      (await inject({ url: `/badges/${device.id}/uptime.svg${query}` })).body
    expect(await ask()).toContain('no data in 30d')
    await beat()
    clock.move(60_000)
    expect(await ask('?window=24h')).toContain('>100% in 24h<')
  })

  test.each(['status', 'uptime'])(
    'EM1 S54 of %s that not everybody may know is missing at once',
    async (kind) => {
      const { inject, device, change, signUp, owner } = await setUp()
      const ask = (id = device.id) => inject({ url: `/badges/${id}/${kind}.svg` })
      const missing = await ask('00000000-0000-4000-8000-000000000000')
      expect([missing.statusCode, (await ask()).statusCode]).toEqual([404, 200])
      const expectMissing = async () => {
        const answer = await ask()
        expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
        // The owner gets no more than everybody.
        expect((await owner.inject({ url: `/badges/${device.id}/${kind}.svg` })).statusCode).toBe(
          404,
        )
      }
      await change({ visibility: 'private' })
      await expectMissing()
      await change({ visibility: 'public' })
      const operator = await signUp(`ada-${kind}`)
      await operator.inject({
        method: 'POST',
        url: `/api/operator/users/${owner.username}/disable`,
      })
      expect((await ask()).statusCode).toBe(404)
    },
  )

  test('EM1 counts no time in which the device was private', async () => {
    stopTicks()
    const { inject, device, beat, change, clock } = await setUp(createTestApp({}))
    await beat()
    clock.move(3_600_000)
    await change({ visibility: 'private' })
    await change({ visibility: 'public' })
    clock.move(1000)
    const { body } = await inject({ url: `/badges/${device.id}/uptime.svg?window=24h` })
    expect(body).toContain('>0% in 24h<')
  })

  test('EM1 shows whether an island is open if everybody may see it', async () => {
    const { owner, inject } = await setUp()
    const ask = (slug: string) => inject({ url: `/badges/islands/${slug}/status.svg` })
    const draft = await makeTestIsland(owner)
    const island = await publishTestIsland(owner, { access: 'public', isListed: true })
    expect((await ask(island.slug)).body).toMatch(/: (open|closed)<\/title>/)
    await owner.inject({ method: 'POST', url: `/api/islands/${island.id}/pause`, payload: {} })
    expect((await ask(island.slug)).body).toContain(': paused</title>')
    const [hidden, missing] = [await ask(draft.slug), await ask('nowhere')]
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})

async function setUpCheck() {
  const testApp = await createTestApp({})
  const { storage, clock, signUp, inject } = testApp
  const owner = await signUp()
  const { id } = await makeTestCheck(owner, { name: 'Web', visibility: 'public' })
  const { key } = await storage.db.selectFrom('checks').select('key').executeTakeFirstOrThrow()
  return {
    ...testApp,
    owner,
    id,
    ask: (path: string) => inject({ url: path }),
    become: (kind: CheckStatus) =>
      sqlChecksStore(storage).record([foundCheck(key, kind, { atMs: clock.now(), note: 'Why' })]),
    change: (changes: object) =>
      owner.inject({
        method: 'PATCH',
        url: updateCheck.path.replace(':id', id),
        payload: changes,
      }),
  }
}

describe('a check', () => {
  test('has badges of its status and uptime', async () => {
    stopTicks()
    const { id, ask, become, clock, change } = await setUpCheck()
    const status = async () => (await ask(embedPaths.checkStatusBadge(id))).body
    expect(await status()).toContain('>Web: not observed</title>')
    await become('up')
    clock.move(60_000)
    expect(await status()).toContain('>Web: up</title>')
    await become('down')
    clock.move(1000)
    expect(await status()).toContain('>Web: down</title>')
    clock.move(59_000)
    const uptime = (await ask(`${embedPaths.checkUptimeBadge(id)}?window=24h`)).body
    expect(uptime).toContain('>50% in 24h<')
    await change({ name: 'Site' })
    expect(await status()).toContain('>Site: down</title>')
  })

  test('has a feed of its flips since it became public', async () => {
    const { id, ask, become, clock, change } = await setUpCheck()
    await become('down')
    clock.move(60_000)
    await change({ visibility: 'private' })
    await change({ visibility: 'public' })
    for (const kind of ['up', 'unobserved', 'up', 'down'] as const) {
      clock.move(60_000)
      await become(kind)
    }
    const { body } = await ask(embedPaths.checkFeed(id))
    const { title, page, entries } = readAtom(body)
    expect([title, page]).toEqual(['Web: up and down', expect.stringContaining(`/checks/${id}`)])
    expect(entries.map((entry) => [entry.title, Date.parse(entry.updated)])).toEqual([
      ['Web went down', clock.now()],
      ['Web came up', clock.now() - 180_000],
    ])
    expect(body).not.toContain('Why')
  })

  test('EM1 S54 that is private is missing at once, for its owner too', async () => {
    const { id, ask, owner, change } = await setUpCheck()
    for (const pathOf of [
      embedPaths.checkStatusBadge,
      embedPaths.checkUptimeBadge,
      embedPaths.checkFeed,
    ]) {
      await change({ visibility: 'public' })
      const missing = await ask(pathOf('00000000-0000-4000-8000-000000000000'))
      expect((await ask(pathOf(id))).statusCode).toBe(200)
      await change({ visibility: 'private' })
      for (const answer of [await ask(pathOf(id)), await owner.inject({ url: pathOf(id) })]) {
        expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
      }
    }
  })

  test('EM4 has metrics for its owner', async () => {
    const { app, id, owner, become, change, signUp } = await setUpCheck()
    await change({ visibility: 'private' })
    const { key } = await createTestApiKey(owner, ['metrics'])
    const read = async (by: string) =>
      (await injectByKey(app, by)({ url: '/metrics/devices' })).body.split('\n')
    const labels = `{id="${id}",label="Web"}`
    const [up, took] = [
      `astropelago_check_up${labels}`,
      `astropelago_check_response_seconds${labels}`,
    ]
    expect((await read(key)).filter((line) => line.includes(id))).toEqual([])
    await become('up')
    expect(await read(key)).toEqual(expect.arrayContaining([`${up} 1`, `${took} 0.25`]))
    await become('down')
    expect(await read(key)).toContain(`${up} 0`)
    await become('unobserved')
    expect((await read(key)).some((line) => line.startsWith(up))).toBe(false)
    const { key: others } = await createTestApiKey(await signUp(), ['metrics'])
    expect((await read(others)).join()).not.toContain(id)
  })
})

describe('metrics of the user’s own devices', () => {
  test('EM4 need a key of their scope and cover no other devices', async () => {
    const { app, owner, beat, token, inject, signUp, device, clock } = await setUp()
    const other = await registerTestDevice(await signUp(), { label: 'Other' })
    await registerTestDevice(owner, { label: 'back\\slash', visibility: 'private' })
    await beat()
    await inject({
      method: 'POST',
      url: '/api/devices/heartbeat-token?status=fail',
      headers: { authorization: `Bearer ${token}` },
    })
    const { key } = await createTestApiKey(owner, ['metrics'])
    const answer = await injectByKey(app, key)({ url: '/metrics/devices' })
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const labels = `{id="${device.id}",label="Roof \\"1\\""}`
    expect(answer.body.split('\n')).toEqual(
      expect.arrayContaining([
        `astropelago_device_up${labels} 1`,
        `astropelago_device_last_seen_timestamp_seconds${labels} ${clock.now() / 1000}`,
        `astropelago_device_warning${labels} 1`,
        expect.stringMatching(/^astropelago_device_up\{id="[^"]+",label="back\\\\slash"\} 0$/),
      ]),
    )
    expect(answer.body).not.toContain(other.id)
    const { key: wrong } = await createTestApiKey(owner, ['devices:read'])
    expect((await injectByKey(app, wrong)({ url: '/metrics/devices' })).statusCode).toBe(403)
    expect((await injectByKey(app, key)({ url: '/api/me/devices' })).statusCode).toBe(403)
  })
})
