import { certificatesPerHostAndDay } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import { createTestApp, shareTestApp, type TestAppOptions } from '../../test/create-test-app.ts'
import { operatorOf, operatorOptions } from '../../test/operator-app.ts'
import { makeServedIsland } from '../../test/relay-app.ts'

const publicUrl = 'https://sky.example'
const relayDomain = 'islands.example'
const proxy = '10.1.2.3'

const options: TestAppOptions = {
  config: { ...operatorOptions.config, publicUrl, relayDomain, trustProxy: ['10.1.0.0/16'] },
}

async function setUp(opening = shareTestApp(options)) {
  const testApp = await opening
  const { inject, signUp } = testApp
  interface Asking {
    readonly from?: string
    readonly headers?: Record<string, string>
  }
  const ask = (domain: string, { from = '127.0.0.1', headers = {} }: Asking = {}) =>
    inject({
      url: `/relay/tls-allowed?domain=${encodeURIComponent(domain)}`,
      remoteAddress: from,
      headers: { host: 'server:3000', ...headers },
    })
  const statusOf = async (domain: string, asking?: Asking) => (await ask(domain, asking)).statusCode
  return { ...testApp, host: await signUp(), operator: await operatorOf(testApp), ask, statusOf }
}

test('R32 S34 a proxy’s own questions are answered, those that it passes on are not', async () => {
  const { host, ask, statusOf } = await setUp()
  const { slug } = await makeServedIsland(host)
  const domain = `${slug}.${relayDomain}`
  await expect.poll(() => statusOf(domain)).toBe(200)
  for (const from of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', proxy]) {
    expect([from, await statusOf(domain, { from })]).toEqual([from, 200])
  }
  const nothing = await ask('nobody.example')
  const strangers = ['10.2.0.1', '203.0.113.5', '2001:db8::1', '::ffff:10.2.0.1']
  for (const from of strangers) {
    const answer = await ask(domain, { from })
    expect([from, answer.statusCode, answer.body]).toEqual([from, 404, nothing.body])
  }
  // Requests that a proxy passes on come from its address too.
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
    expect(await statusOf(domain, { headers: { [name]: '127.0.0.1' } })).toBe(404)
  }
  for (const site of ['sky.example', 'SKY.example', 'sky.example.', 'sky.example:443']) {
    expect([site, await statusOf(domain, { headers: { host: site } })]).toEqual([site, 404])
  }
})

test('R32 the site may have a certificate, as when a proxy asks for every name', async () => {
  const { statusOf } = await setUp()
  expect([await statusOf('sky.example'), await statusOf('SKY.example')]).toEqual([200, 200])
  expect(await statusOf('www.sky.example')).toBe(404)
})

test('R32 a question without a name, or with one that is too long, is answered like any other', async () => {
  const { inject, ask, statusOf } = await setUp()
  const nothing = await ask('nobody.example')
  for (const query of ['', '?domain', '?domain=', '?domain=a&domain=b', '?name=a']) {
    const { statusCode, body } = await inject({ url: `/relay/tls-allowed${query}` })
    expect([query, statusCode]).toEqual([query, 404])
    expect(body).toBe(nothing.body)
  }
  expect(await statusOf('x'.repeat(300))).toBe(404)
})

test('R32 strangers who make a proxy ask do not use up its address’s calls', async () => {
  const { inject, statusOf } = await setUp(
    createTestApp({ config: { ...options.config, limitExempt: [] } }),
  )
  for (let at = 0; at < 700; at += 1) await statusOf(`x${at}.${relayDomain}`)
  expect((await inject({ url: '/readyz' })).statusCode).toBe(200)
})

test('R33 S54 only islands that everybody may know of get certificates, under their current name', async () => {
  const { host, operator, statusOf } = await setUp()
  const { slug, island } = await makeServedIsland(host)
  const domain = `${slug}.${relayDomain}`
  await expect.poll(() => statusOf(domain)).toBe(200)
  expect(await statusOf(domain.toUpperCase())).toBe(200)
  const others = [
    relayDomain,
    slug,
    `${slug}.other.example`,
    `a.${domain}`,
    `${domain}.`,
    `nobody.${relayDomain}`,
    `*.${relayDomain}`,
    '127.0.0.1',
  ]
  for (const other of others) expect([other, await statusOf(other)]).toEqual([other, 404])

  const listed = await makeServedIsland(host, { access: 'invited', isListed: true })
  await expect.poll(() => statusOf(`${listed.slug}.${relayDomain}`)).toBe(200)
  for (const access of ['members', 'invited'] as const) {
    const { slug: secret } = await makeServedIsland(host, { access })
    expect(await statusOf(`${secret}.${relayDomain}`)).toBe(404)
  }

  const set = async (method: 'POST' | 'DELETE', path: string, payload?: object) => {
    const url = `/api/operator/${path}`
    const answer = await operator.inject({ method, url, ...(payload && { payload }) })
    expect(answer.statusCode).toBeLessThan(300)
  }
  const reason = { reason: 'Phishing.' }
  await set('POST', `hidden/island/${island.id}`, reason)
  await expect.poll(() => statusOf(domain)).toBe(404)
  await set('DELETE', `hidden/island/${island.id}`)
  await expect.poll(() => statusOf(domain)).toBe(200)
  await set('POST', `islands/${island.id}/stop-relay`, reason)
  await expect.poll(() => statusOf(domain)).toBe(404)
  await set('POST', `islands/${island.id}/start-relay`)
  await expect.poll(() => statusOf(domain)).toBe(200)
})

test('R33 a host gets a limited number of new names a day and keeps the ones it has', async () => {
  const app = await setUp(createTestApp(options))
  const { host, signUp, ask, statusOf, clock, storage } = app
  const domains: string[] = []
  while (domains.length < certificatesPerHostAndDay + 1) {
    const { slug } = await makeServedIsland(host)
    domains.push(`${slug}.${relayDomain}`)
  }
  const last = domains.pop() ?? ''
  for (const domain of domains) await expect.poll(() => statusOf(domain)).toBe(200)
  await expect.poll(() => statusOf(last)).toBe(429)
  const refused = await ask(last)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
  for (const domain of domains) expect(await statusOf(domain)).toBe(200)
  const other = await makeServedIsland(await signUp())
  await expect.poll(() => statusOf(`${other.slug}.${relayDomain}`)).toBe(200)

  // The count survives a restart.
  const again = await createTestApp({ storage, clock, config: { publicUrl, relayDomain } })
  const url = `/relay/tls-allowed?domain=${last}`
  expect((await again.inject({ url })).statusCode).toBe(429)

  clock.move(23 * 3_600_000)
  expect(await statusOf(last)).toBe(429)
  clock.move(3_600_000 + 60_000)
  expect(await statusOf(last)).toBe(200)
  for (const domain of domains) expect(await statusOf(domain)).toBe(200)
})

test('a server without a relay allows no names', async () => {
  const { host, storage, clock } = await setUp()
  const { slug } = await makeServedIsland(host)
  const config = { publicUrl, relayDomain: undefined }
  const { inject } = await createTestApp({ storage, clock, config })
  for (const domain of [`${slug}.${relayDomain}`, `${slug}.`, slug]) {
    const answer = await inject({ url: `/relay/tls-allowed?domain=${domain}` })
    expect(answer.statusCode).toBe(404)
  }
})
