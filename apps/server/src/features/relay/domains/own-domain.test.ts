import { once } from 'node:events'
import type { AccessPolicy } from '@astropelago/contract/islands'
import { IslandDomain } from '@astropelago/contract/island-domain'
import { certifiedDomainsPerDay } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { operatorOf, operatorOptions } from '../../../test/operator-app.ts'
import { createRelayApp } from '../../../test/relay-app.ts'
import { echo, openIsland, opensPage, visitorOf } from '../../../test/relay-visitor.ts'
import { openDnsServer } from './testing/dns-server.ts'

const name = 'bar.example'
const hourMs = 3_600_000

const grantOf = (jar: ReadonlyMap<string, string>) => jar.get('astropelago_visit') ?? ''

/** A relayed island, whose host claims domains at a name server of the test. */
async function setUp(access: AccessPolicy = 'public', config = {}) {
  const dns = await openDnsServer()
  const relay = await createRelayApp({
    config: { ...operatorOptions.config, ...config, relayDnsServers: [dns.address] },
  })
  const isle = await openIsland(
    relay,
    { access, isListed: access === 'public' },
    (request, response) => {
      if (request.url === '/endless') response.flushHeaders()
      else echo(request, response)
    },
  )
  const domainOf = (islandId: string, by = relay.host) => {
    const url = `/api/islands/${islandId}/domain`
    const ask = (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) =>
      by.inject({ method, url: url + path, ...(payload && { payload }) })
    const read = async (answering: ReturnType<typeof ask>) => {
      const { statusCode, body } = await answering
      expect([statusCode, body]).toEqual([200, body])
      return v.parse(v.object({ domain: v.nullable(IslandDomain) }), JSON.parse(body)).domain
    }
    const claim = (to = name, isInLogs = true) => read(ask('POST', '', { name: to, isInLogs }))
    const check = () => read(ask('POST', '/check'))
    const prove = async (to = name, isInLogs = true) => {
      const { proof } = (await claim(to, isInLogs))?.records ?? {}
      dns.zone.txt.set(proof?.name ?? '', [proof?.value ?? ''])
      return await check()
    }
    return { ask, claim, check, prove, get: () => read(ask('GET')), remove: () => ask('DELETE') }
  }
  const own = domainOf(isle.island.id)
  const at = (host = name) => `${host}:${relay.port}`
  const allowed = async (domain = name) => {
    const headers = { host: 'server:3000' }
    const asked = await relay.inject({ url: `/relay/tls-allowed?domain=${domain}`, headers })
    return asked.statusCode
  }
  return { ...relay, ...isle, relay, dns: dns.zone, own, domainOf, at, allowed }
}

test('R57 a TXT record with the code proves a domain, and the check says what it found', async () => {
  const { own, dns, visit, at, slug } = await setUp()
  expect(await own.get()).toBeNull()
  dns.a.set('domains.localhost', '127.0.0.1')
  const claimed = await own.claim('Bar.Example.')
  expect(claimed).toMatchObject({
    name,
    address: `http://${name}:3000/`,
    status: { state: 'unproven' },
    records: {
      proof: { name: `_astropelago.${name}`, value: expect.stringMatching(/^[\da-f]{32}$/) },
      target: { name: 'domains.localhost', addresses: ['127.0.0.1', '::1'] },
    },
    seen: null,
  })
  const found = async () => {
    const { status, seen } = (await own.check()) ?? {}
    return [status?.state, seen?.proof, seen?.target, seen?.values]
  }
  const proof = `_astropelago.${name}`
  expect(await found()).toEqual(['unproven', 'missing', 'missing', []])
  dns.a.set(name, '192.0.2.7')
  dns.txt.set(proof, ['another code', 'v=spf1 -all'])
  expect(await found()).toEqual(['unproven', 'other', 'other', ['192.0.2.7']])
  dns.broken.add(proof).add(name)
  expect(await found()).toEqual(['unproven', 'unanswered', 'unanswered', []])
  dns.broken.clear()
  dns.a.set(name, '127.0.0.1')
  // Nothing of the island is there yet.
  const unknown = await visit({ host: at('x.example') })
  expect((await visit({ host: at() })).body).toBe(unknown.body)
  dns.txt.set(proof, ['another code', claimed?.records.proof.value ?? ''])
  expect(await found()).toEqual(['proven', 'found', 'found', []])
  expect((await own.get())?.seen).toMatchObject({ proof: 'found' })
  const { status, body } = await visit({ host: at(), path: '/menu?a=b' })
  expect([status, JSON.parse(body)]).toMatchObject([200, { url: '/menu?a=b', host: at() }])
  expect((await visit({ host: `${slug}.localhost` })).status).toBe(307)
})

test('R57 R59 a newer proof wins at once, and the older one gets a new code', async () => {
  const { relay, own, domainOf, visit, at, host } = await setUp()
  const first = await own.prove()
  const eve = await openIsland(relay, { access: 'public', isListed: true })
  const other = domainOf(eve.island.id, host)
  await other.claim()
  expect((await visit({ host: at() })).status).toBe(200)
  expect((await own.get())?.status.state).toBe('proven')
  expect((await other.prove())?.status.state).toBe('proven')
  const lost = await own.get()
  expect(lost?.status).toMatchObject({ state: 'lost', why: 'taken' })
  expect(lost?.records.proof.value).not.toBe(first?.records.proof.value)
})

test('R58 only its host can name a domain for an island, and none of the site’s', async () => {
  const { own, island, domainOf, signUp, inject } = await setUp()
  const stranger = domainOf(island.id, await signUp())
  for (const [method, path, payload] of [
    ['GET', '', undefined],
    ['POST', '', { name, isInLogs: true }],
    ['POST', '/check', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    expect((await stranger.ask(method, path, payload)).statusCode).toBe(404)
    const url = `/api/islands/${island.id}/domain${path}`
    expect((await inject({ method, url, ...(payload && { payload }) })).statusCode).toBe(401)
  }
  for (const refused of ['co.uk', 'localhost', 'bar.localhost', '127.0.0.1', 'bär.example']) {
    const answer = await own.ask('POST', '', { name: refused, isInLogs: true })
    expect(answer.json()).toMatchObject({
      code: 'invalid_domain',
      fields: { name: expect.any(String) },
    })
  }
  expect(await own.get()).toBeNull()
})

test('R61 the old address leads those who may enter to the domain, and others as ever', async () => {
  const { relay, own, slug, signUp, port, island, host } = await setUp('members')
  const ada = await signUp()
  const old = visitorOf(relay, slug, ada)
  await old.enter()
  const before = await visitorOf(relay, slug).open('/a')
  const missing = await visitorOf(relay, slug).open('/a', {})
  await own.prove()
  for (const method of ['GET', 'POST']) {
    const moved = await old.open(
      '/deep/page?q=a%20b',
      { ...opensPage, 'sec-fetch-site': 'same-origin' },
      method,
    )
    expect([moved.status, moved.headers.location, moved.headers['cache-control']]).toEqual([
      307,
      `http://${name}:3000/deep/page?q=a%20b`,
      'no-store',
    ])
  }
  const stranger = await visitorOf(relay, slug).open('/a')
  expect(stranger.status).toBe(302)
  expect(new URL(stranger.headers.location ?? '').pathname).toBe(
    new URL(before.headers.location ?? '').pathname,
  )
  expect((await visitorOf(relay, slug).open('/a', {})).body).toBe(missing.body)

  const pause = (payload: object) =>
    host.inject({ method: 'POST', url: `/api/islands/${island.id}/pause`, payload })
  await pause({ text: '', until: null })
  expect((await old.open('/')).status).toBe(503)
  await host.inject({ method: 'POST', url: `/api/islands/${island.id}/continue` })
  expect((await old.open('/')).status).toBe(307)

  // The site knows the way from there.
  const { state } = await visitorOf(relay, slug).beginAt('/.astropelago/enter')
  expect((await old.askTicket(state)).statusCode).toBe(404)
  const doorway = async (at: string) =>
    (await ada.inject({ url: `/api/relay/access/${at}` })).json<{
      wayIn: string
      isHere: boolean
    }>()
  const wayIn = `http://${name}:3000/.astropelago/enter`
  expect(await doorway(slug)).toMatchObject({ wayIn, isHere: false })
  expect(await doorway(name)).toMatchObject({ slug, wayIn, isHere: true })

  // A state, a ticket and a grant are for one host name, whoever presents them.
  const there = visitorOf(relay, name, ada)
  const begun = await there.beginAt('/deep')
  expect(begun.site.pathname).toBe(`/islands/${name}/enter`)
  const { ticket } = (await there.askTicket(begun.state)).json<{ ticket: string }>()
  const thief = visitorOf(relay, slug)
  thief.jar.set('astropelago_door', there.jar.get('astropelago_door') ?? '')
  expect((await thief.bring(ticket)).status).toBe(403)
  expect((await there.open('/', {})).status).toBe(404)
  const back = await there.bring(ticket, '/deep')
  expect([back.status, back.headers.location]).toEqual([302, `http://${name}:${port}/deep`])
  expect((await there.open('/deep')).status).toBe(200)
  const swapped = visitorOf(relay, name)
  swapped.jar.set('astropelago_visit', grantOf(old.jar))
  expect((await swapped.open('/', {})).status).toBe(404)
  await own.remove()
  expect((await old.open('/')).status).toBe(200)
  swapped.jar.set('astropelago_visit', grantOf(there.jar))
  expect((await visitorOf(relay, name).open('/', {})).status).not.toBe(307)
  expect((await host.inject({ url: `/api/islands/${island.id}/domain` })).json()).toEqual({
    domain: null,
  })
})

test('R59 S57 what ends the proof ends grants and running answers there within a second', async () => {
  const { relay, own, begin, at, slug, signUp, visit } = await setUp('members')
  const ada = await signUp()
  const stay = async () => {
    const browser = visitorOf(relay, name, ada)
    expect((await browser.enter()).status).toBe(302)
    const headers = { 'user-agent': 'curl/8', cookie: browser.cookie() }
    const endless = await begin({ path: '/endless', host: at(), headers })
    return { ended: once(endless.resume(), 'error'), browser }
  }
  const unknown = (await visit({ host: at('x.example') })).body
  for (const end of [own.remove, () => own.prove('other.example')]) {
    await own.prove()
    const { ended, browser } = await stay()
    const startedMs = performance.now()
    await end()
    await ended
    expect(performance.now() - startedMs).toBeLessThan(1000)
    expect((await browser.open('/', {})).body).toBe(unknown)
    // A new proof brings no old grant back.
    await own.prove()
    expect((await browser.open('/', {})).status).toBe(404)
  }
  // The domain leads to the island, and nothing else of the relay changed.
  expect((await visit({ host: `${slug}.localhost` })).status).toBe(404)
})

test('R62 a domain whose island is hidden, or not relayed, is like any other host', async () => {
  const { relay, own, island, slug, visit, at, host, domainOf } = await setUp()
  await own.prove()
  const unknown = await visit({ host: at('x.example') })
  const shown = async () => {
    const { status, body } = await visit({ host: at() })
    return status === unknown.status && body === unknown.body ? 'unknown' : status
  }
  const operator = await operatorOf(relay)
  const hide = (method: 'POST' | 'DELETE') =>
    operator.inject({
      method,
      url: `/api/operator/hidden/island/${island.id}`,
      ...(method === 'POST' && { payload: { reason: 'spam' } }),
    })
  expect(await shown()).toBe(200)
  await hide('POST')
  await expect.poll(shown).toBe('unknown')
  await hide('DELETE')
  await expect.poll(shown).toBe(200)
  const change = (changes: object) =>
    host.inject({ method: 'PATCH', url: `/api/islands/${island.id}`, payload: changes })
  expect((await change({ isRelayed: false })).statusCode).toBe(200)
  await expect.poll(shown).toBe('unknown')
  expect((await own.ask('GET')).statusCode).toBe(404)
  expect((await change({ isRelayed: true })).statusCode).toBe(200)
  // Its agent is gone.
  await expect.poll(shown).toBe(503)

  const exported = (await host.inject({ url: '/api/me/export' })).json<{
    islandDomains: unknown[]
  }>()
  expect(exported.islandDomains).toMatchObject([
    { domain: name, isInLogs: true, status: { state: 'proven' } },
  ])
  const close = {
    method: 'POST',
    url: `/api/islands/${island.id}/close`,
    payload: { slug },
  } as const
  expect((await host.inject(close)).statusCode).toBe(204)
  await expect.poll(shown).toBe('unknown')
  expect((await domainOf(island.id).ask('GET')).statusCode).toBe(404)
})

test('R60 a proxy may get a certificate while the proof holds and the host agreed to the logs', async () => {
  const config = { publicUrl: 'https://localhost', relayDomain: 'localhost' }
  const { own, allowed, slug, visit, relay, domainOf, clock } = await setUp('public', config)
  await own.claim()
  expect(await allowed()).toBe(404)
  await own.prove(name, false)
  expect(await allowed()).toBe(404)
  // Until then, the domain would be of no use to visitors.
  expect((await visit({ host: `${slug}.localhost` })).status).toBe(200)
  await own.claim(name, true)
  expect([await allowed(), await allowed('BAR.example'), await allowed(`www.${name}`)]).toEqual([
    200, 200, 404,
  ])
  const moved = await visit({ host: `${slug}.localhost` })
  expect([moved.status, moved.headers.location]).toEqual([307, `https://${name}/`])
  await own.remove()
  expect(await allowed()).toBe(404)

  for (let at = 1; at <= certifiedDomainsPerDay; at += 1) {
    const { island } = await openIsland(relay, { access: 'public', isListed: true })
    await domainOf(island.id).prove(`x${at}.example`)
    expect(await allowed(`x${at}.example`)).toBe(at < certifiedDomainsPerDay ? 200 : 429)
  }
  clock.move(24 * hourMs + 60_000)
  expect(await allowed(`x${certifiedDomainsPerDay}.example`)).toBe(200)
})

test('over https, cookies at the domain are its own', async () => {
  const config = { publicUrl: 'https://localhost', relayDomain: 'localhost' }
  const { relay, own } = await setUp('members', config)
  await own.prove()
  const { headers } = await visitorOf(relay, name).open('/')
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-astropelago_door=.*; Secure(?!.*Domain)/),
  ])
})
