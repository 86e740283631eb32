import { loungeSlug } from '@astropelago/contract/pages'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { makeTestIsland, viewIsland } from '../../test/api-islands.ts'
import {
  createTestApp,
  shareTestApp,
  type TestApp,
  type TestAppOptions,
} from '../../test/create-test-app.ts'
import { makeWebDir } from '../../test/make-web-dir.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { createRelayApp } from '../../test/relay-app.ts'
import { visitorOf } from '../../test/relay-visitor.ts'

const publicUrl = 'https://sky.example'
const webDir = await makeWebDir({}, afterAll)
const withRelay: TestAppOptions = { webDir, config: { publicUrl, relayDomain: 'islands.example' } }

test('every installation starts with the Community Lounge, a page that belongs to no user', async () => {
  const relay = await createRelayApp({ makesLounge: true })
  const lounge = { role: 'visitor', name: 'Community Lounge', access: 'public', isListed: true }
  expect(await viewIsland(relay, loungeSlug)).toMatchObject({
    ...lounge,
    host: null,
    address: `http://${loungeSlug}.localhost:3000/`,
    isHosted: true,
    isOpen: true,
  })
  expect(await viewIsland(await relay.signUp(), loungeSlug)).toMatchObject({ role: 'guest' })
  const page = await visitorOf(relay, loungeSlug).open('/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
})

test('a server that hosts no pages starts with an empty one', async () => {
  const relay = await createRelayApp({ makesLounge: true, config: { hostsPages: false } })
  expect(await viewIsland(relay, loungeSlug)).toMatchObject({ address: null, isOpen: false })
})

test('a server without room for its pages starts all the same', async () => {
  const pages = { ...readConfig({}).pages, totalBytes: 1 }
  const { inject, logged } = await createTestApp({ makesLounge: true, config: { pages } })
  expect(await viewIsland({ inject }, loungeSlug)).toMatchObject({ address: null, isOpen: false })
  expect(logged()).toContain('the Community Lounge got no pages')
})

test('a lounge that leads elsewhere, or has another host, keeps what it has', async () => {
  const storage = await openTestStorage()
  await createTestApp({ storage, makesLounge: true, config: { hostsPages: false } })
  const link = 'https://tavern.example/'
  await storage.db.updateTable('islands').set({ address: link }).execute()
  const { inject } = await createTestApp({ storage, makesLounge: true })
  expect(await viewIsland({ inject }, loungeSlug)).toMatchObject({ address: link, isHosted: false })
})

async function loungeId(app: Pick<TestApp, 'inject'>): Promise<string | undefined> {
  return (await viewIsland(app, loungeSlug))?.id
}

test('another start makes no second one, even if the first was closed', async () => {
  const storage = await openTestStorage()
  const { inject } = await createTestApp({ storage, makesLounge: true })
  const first = await loungeId({ inject })
  expect(first).toBeDefined()
  const second = await createTestApp({ storage, makesLounge: true })
  expect(await loungeId(second)).toBe(first)
  await storage.db.deleteFrom('islands').execute()
  const third = await createTestApp({ storage, makesLounge: true })
  expect(await loungeId(third)).toBeUndefined()
})

test('S60 nobody else has its address, or one like it', async () => {
  const { signUp } = await shareTestApp(withRelay)
  const host = await signUp()
  for (const slug of [loungeSlug, 'the-trave1ers-tavern']) {
    await expect(makeTestIsland(host, { slug })).rejects.toThrow('one of the site’s own')
  }
})

describe('its address leads straight to its page', () => {
  test.each([
    [
      'by the host name that the relay gives it',
      withRelay,
      'https://thetravelerstavern.islands.example/',
    ],
    [
      'without a relay',
      { webDir, config: { publicUrl, relayDomain: undefined } },
      '/islands/thetravelerstavern',
    ],
    [
      'where the community meets elsewhere',
      { webDir, config: { ...withRelay.config, tavernUrl: 'https://tavern.example/hall' } },
      'https://tavern.example/hall',
    ],
  ])('%s', async (_, options, to) => {
    const { inject } = await shareTestApp(options)
    for (const path of ['/thetravelerstavern', '/TheTravelersTavern']) {
      const { statusCode, headers } = await inject({ url: path, headers: { host: 'sky.example' } })
      expect([statusCode, headers.location]).toEqual([302, to])
    }
  })

  test.each(['192.168.1.20:3000', '[2001:db8::1]:3000', 'pi.lan'])(
    'for a visitor who used %s, from where its host name may not resolve',
    async (host) => {
      const { inject } = await shareTestApp(withRelay)
      const { headers } = await inject({ url: '/thetravelerstavern', headers: { host } })
      expect(headers.location).toBe('/islands/thetravelerstavern')
    },
  )

  test('at its host name too, for which a proxy gets a certificate, until somebody hosts it', async () => {
    const relay = await createRelayApp()
    const atPage = 'http://localhost:3000/islands/thetravelerstavern'
    const { status, headers } = await visitorOf(relay, loungeSlug).open('/any/path')
    expect([status, headers.location]).toEqual([302, atPage])
    const proxy = { host: 'server:3000' }
    const asked = await relay.inject({
      url: `/relay/tls-allowed?domain=${loungeSlug}.localhost`,
      headers: proxy,
    })
    expect(asked.statusCode).toBe(200)

    await relay.storage.db
      .updateTable('islands')
      .set({ slug: loungeSlug })
      .where('id', '=', relay.island.id)
      .execute()
    const hosting = await createRelayApp({ storage: relay.storage })
    const atHome = await visitorOf(hosting, loungeSlug).open('/any/path')
    expect(atHome.headers.location).not.toBe(atPage)
  })
})
