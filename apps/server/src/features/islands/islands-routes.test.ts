import type { IslandView, OwnIsland } from '@astropelago/contract/islands'
import { islandsPerUser } from '@astropelago/contract/limits'
import { seedOf } from '@astropelago/island-picture/seeded-random'
import { describe, expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import {
  islandDetails,
  makeTestIsland,
  newSlug,
  publishTestIsland,
  viewIsland,
} from '../../test/api-islands.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'
import { inTime } from '../../test/in-time.ts'
import { shareOperatorApp } from '../../test/operator-app.ts'

const openly = { access: 'public', isListed: true } as const

const post = ({ inject }: TestBrowser, path: string, payload: object) =>
  inject({ method: 'POST', url: `/api/islands${path}`, payload })
const change = ({ inject }: TestBrowser, id: string, payload: object) =>
  inject({ method: 'PATCH', url: `/api/islands/${id}`, payload })

const own = async ({ inject }: TestBrowser) =>
  (await inject({ url: '/api/me/islands' })).json<OwnIsland[]>()

const listOpen = async ({ inject }: Pick<TestBrowser, 'inject'>) =>
  (await inject({ url: '/api/islands?state=open' }))
    .json<{ islands: { slug: string }[] }>()
    .islands.map(({ slug }) => slug)

async function setUp() {
  const testApp = await shareOperatorApp()
  const [host, guest] = [await testApp.signUp(), await testApp.signUp()]
  /** A device of the host, and a function that sends its heartbeat. */
  const makeCarrier = async (visibility: 'public' | 'private') => {
    const { id } = await registerTestDevice(host, { visibility })
    const { token } = await createTestToken(host, id)
    return { id, beat: () => sendHeartbeat(testApp, token) }
  }
  return { ...testApp, host, guest, makeCarrier }
}

describe('making an island', () => {
  test('S54 makes a draft with a random slug, which only its host may see', async () => {
    const { host, guest, inject } = await setUp()
    const slug = newSlug()
    const island = await makeTestIsland(host, { slug })
    expect(island).toMatchObject({
      ...islandDetails,
      access: 'invited',
      isListed: false,
      publishedAt: null,
      host: host.username,
      isOpen: true,
      isWatched: false,
    })
    expect(island.slug).toMatch(new RegExp(`^${slug}-[a-z0-9]{6}$`))
    expect(await viewIsland(host, island.slug)).toMatchObject({ role: 'host', mayEnter: true })
    for (const one of [guest, { inject }]) {
      expect(await viewIsland(one, island.slug)).toBeUndefined()
      expect(await viewIsland(one, slug)).toBeUndefined()
    }
  })

  test('needs only a name and a kind: slug and picture come from the name', async () => {
    const { host } = await setUp()
    const made = await post(host, '', { name: 'Blog', kind: 'lab' })
    expect(made.statusCode).toBe(201)
    const island = made.json<OwnIsland>()
    expect(island.slug).toMatch(/^isle-blog-[a-z0-9]{6}$/)
    expect(island.picture).toBe(seedOf('Blog'))
  })

  test('makes a picture from its slug unless one is chosen, which stays if the slug changes', async () => {
    const { host, inject } = await setUp()
    const slug = newSlug()
    const { id, picture } = await publishTestIsland(host, openly, { slug })
    expect(picture).toBe(seedOf(slug))
    const [chosen, renamed] = [2 ** 32 - 1, newSlug()]
    await change(host, id, { picture: chosen })
    await post(host, `/${id}/slug`, { slug: renamed })
    expect(await viewIsland({ inject }, renamed)).toMatchObject({ slug: renamed, picture: chosen })
    for (const wrong of [-1, 1.5, 2 ** 32, '7', null]) {
      const { statusCode } = await change(host, id, { picture: wrong })
      expect([wrong, statusCode]).toEqual([wrong, 400])
    }
  })

  test('S17 refuses an address that is an API call of this site, now and when it is changed', async () => {
    const { host } = await setUp()
    const { id } = await makeTestIsland(host)
    const send = async (address: string) => {
      const made = await post(host, '', { ...islandDetails, slug: newSlug(), address })
      return [made, await change(host, id, { address })]
    }
    for (const path of ['/api/me/export', '/%61pi/auth/logout', '/_spark/user']) {
      for (const refused of await send(`http://localhost:3000${path}`)) {
        expect(refused.statusCode).toBe(400)
        expect(refused.json()).toMatchObject({
          code: 'invalid_island',
          fields: { address: 'Programs call this address. Enter one that visitors can open.' },
        })
      }
    }
    for (const address of ['http://localhost:3000/harbor', 'https://harbor.example/api/']) {
      const statusCodes = (await send(address)).map(({ statusCode }) => statusCode)
      expect([address, statusCodes]).toEqual([address, [201, 200]])
    }
  })

  test('S60 S29 refuses misleading names and removes bidi controls', async () => {
    const { host } = await setUp()
    const wrong = {
      name: ['', ' ', '\u200B', 'a\u0000', 'a'.repeat(65)],
      tagline: ['a'.repeat(121), 'two\nlines'],
      about: ['a'.repeat(4001)],
      rules: ['a'.repeat(2001), 'a\u0000'],
      kind: ['harbor'],
      address: ['javascript:alert(1)', 'ftp://a.example'],
      slug: ['api', 'is1ands', 'a', 'bar-x1y2z3', 'Ünder'],
      carrier: ['unknown'],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const payload = { ...islandDetails, slug: newSlug(), [field]: value }
        const response = await post(host, '', payload)
        const { code, fields } = response.json<{ code: string; fields: object }>()
        expect([response.statusCode, code]).toEqual([400, 'invalid_island'])
        expect(Object.keys(fields)).toEqual([field])
      }
    }
    const { name, tagline } = await makeTestIsland(host, { name: 'e\u0301\u202E!', tagline: '' })
    expect({ name, tagline }).toEqual({ name: 'é!', tagline: '' })
  })

  test('S52 is limited for a user, including drafts', async () => {
    const { host } = await setUp()
    for (let at = 0; at < islandsPerUser; at += 1) await makeTestIsland(host)
    const refused = await post(host, '', { ...islandDetails, slug: newSlug() })
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ code: 'island_limit' })
  })

  test('S52 is refused past MAX_ISLANDS', async () => {
    const { signUp } = await createTestApp({ config: { maxIslands: 1 } })
    await makeTestIsland(await signUp())
    await expect(makeTestIsland(await signUp())).rejects.toThrow('server_full')
  })

  test('S9 publishing is refused for demo accounts', async () => {
    const { host, storage } = await setUp()
    const { id } = await makeTestIsland(host)
    await storage.db
      .updateTable('users')
      .set({ is_demo: 1 })
      .where('username', '=', host.username)
      .execute()
    // Sessions are cached. A change of the user drops them from the cache.
    await host.inject({ method: 'PATCH', url: '/api/me', payload: { hue: 9 } })
    const refused = await post(host, `/${id}/publish`, { ...openly, slug: newSlug() })
    expect(refused.json()).toMatchObject({ code: 'demo_account' })
  })
})

describe('whether an island is open', () => {
  test('follows its carrier, which is named only if it is public', async () => {
    const { host, guest, inject, makeCarrier, clock } = await setUp()
    for (const visibility of ['public', 'private'] as const) {
      const { id, beat } = await makeCarrier(visibility)
      const { slug } = await publishTestIsland(host, openly, { carrier: id })
      const deviceId = visibility === 'public' ? id : null
      expect(await viewIsland({ inject }, slug)).toMatchObject({
        isOpen: false,
        isWatched: true,
        since: null,
        deviceId,
      })
      const since = new Date(clock.now()).toISOString()
      await beat()
      for (const one of [host, guest, { inject }]) {
        expect(await viewIsland(one, slug)).toMatchObject({ isOpen: true, deviceId })
        // Others see the time once it is on record since when they may see the island.
        await vi.waitFor(async () => expect(await viewIsland(one, slug)).toMatchObject({ since }), {
          timeout: 10_000,
          interval: 200,
        })
      }
    }
  })

  test('is not watched without a carrier, and false without an address', async () => {
    const { host, inject, makeCarrier } = await setUp()
    const unwatched = await publishTestIsland(host, openly)
    expect(await viewIsland({ inject }, unwatched.slug)).toMatchObject({
      isOpen: true,
      isWatched: false,
      since: null,
      address: islandDetails.address,
    })
    const { id, beat } = await makeCarrier('public')
    await beat()
    const nowhere = await publishTestIsland(host, openly, { carrier: id, address: null })
    expect(await viewIsland({ inject }, nowhere.slug)).toMatchObject({
      isOpen: false,
      since: null,
      address: null,
    })
  })
})

describe('a pause', () => {
  test('closes an island for all but its host, says why and until when, and ends by itself', async () => {
    const { host, guest, inject, clock } = await setUp()
    const { id, slug } = await publishTestIsland(host, openly)
    const since = new Date(clock.now()).toISOString()
    const until = new Date(clock.now() + 60_000).toISOString()
    const pause = { text: 'A new disk', until }
    const answer = await post(host, `/${id}/pause`, { text: ' A new\u202E disk ', until })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { isOpen: false, pause, since, address: islandDetails.address },
    ])
    for (const by of [guest, { inject }]) {
      const view = await viewIsland(by, slug)
      // A pause does not affect its log and members.
      expect(view).toMatchObject({ isOpen: false, pause, address: null, mayEnter: true })
    }
    expect(await viewIsland(host, slug)).toMatchObject({ address: islandDetails.address, since })
    const listed = await inject({ url: `/api/islands?slug=${slug}` })
    expect(listed.json()).toMatchObject({ islands: [{ isOpen: false, pause }] })
    expect(await listOpen({ inject })).not.toContain(slug)

    // The text and the end can change. The pause still counts from its start.
    clock.move(30_000)
    const later = new Date(clock.now() + 60_000).toISOString()
    const again = await post(host, `/${id}/pause`, { until: later })
    expect(again.json()).toMatchObject({ pause: { text: '', until: later }, since })
    clock.move(59_999)
    expect(await viewIsland(guest, slug)).toMatchObject({ isOpen: false })
    clock.move(1)
    expect(await viewIsland(guest, slug)).toMatchObject({
      isOpen: true,
      pause: null,
      address: islandDetails.address,
    })
    await vi.waitFor(async () => expect(await listOpen({ inject })).toContain(slug), inTime)
  })

  test('ends when its host continues, even twice', async () => {
    const { host, guest, inject } = await setUp()
    const { id, slug } = await publishTestIsland(host, openly)
    await post(host, `/${id}/pause`, {})
    expect(await viewIsland(guest, slug)).toMatchObject({ pause: { text: '', until: null } })
    for (const _again of [1, 2]) {
      const ended = await host.inject({ method: 'POST', url: `/api/islands/${id}/continue` })
      expect([ended.statusCode, ended.json()]).toMatchObject([200, { isOpen: true, pause: null }])
    }
    expect(await listOpen({ inject })).toContain(slug)
  })

  test('S60 S29 is refused with an end that is past or too far, or more than a sentence', async () => {
    const { host, guest, clock, inject } = await setUp()
    const { id, slug } = await publishTestIsland(host, openly)
    const inMs = (ms: number) => new Date(clock.now() + ms).toISOString()
    const wrong = {
      until: [inMs(0), inMs(-1000), inMs(365 * 86_400_000 + 1), 'tomorrow'],
      text: ['a'.repeat(201), 'two\nlines', 'a\u0000'],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const refused = await post(host, `/${id}/pause`, { [field]: value })
        expect([refused.statusCode, refused.json()]).toMatchObject([
          400,
          { code: 'invalid_island', fields: { [field]: expect.any(String) } },
        ])
      }
    }
    for (const what of ['pause', 'continue']) {
      expect((await post(guest, `/${id}/${what}`, {})).statusCode).toBe(404)
      const request = { method: 'POST', url: `/api/islands/${id}/${what}`, payload: {} } as const
      expect((await inject(request)).statusCode).toBe(401)
    }
    expect(await viewIsland(guest, slug)).toMatchObject({ isOpen: true, pause: null })
  })
})

describe('changing an island', () => {
  test('changes only the given fields, at once for everybody', async () => {
    const { host, inject, makeCarrier } = await setUp()
    const { id, slug } = await publishTestIsland(host, openly)
    const carrier = await makeCarrier('private')
    const answer = await change(host, id, { name: 'Pub', carrier: carrier.id })
    expect(answer.json<OwnIsland>()).toMatchObject({
      name: 'Pub',
      tagline: islandDetails.tagline,
      carrier: { id: carrier.id, label: 'Pi' },
    })
    expect(await viewIsland({ inject }, slug)).toMatchObject({ name: 'Pub', isWatched: true })
    expect((await change(host, id, { carrier: null })).json()).toMatchObject({ carrier: null })
  })

  test('rules keep their lines, with the time of their last change after publication', async () => {
    const { host, guest, inject, clock } = await setUp()
    const rules = 'Be\u202E kind.\r\n\r\n\r\nNo spam.'
    const { id } = await makeTestIsland(host, { rules: 'None yet' })
    await change(host, id, { rules })
    const { slug } = (await post(host, `/${id}/publish`, openly)).json<OwnIsland>()
    const read = async (by: Pick<TestBrowser, 'inject'> = { inject }) => {
      const view = await viewIsland(by, slug)
      return [view?.rules, view?.rulesChangedAt]
    }
    expect(await read()).toEqual(['Be kind.\n\nNo spam.', null])
    clock.move(1000)
    const changedAt = new Date(clock.now()).toISOString()
    expect((await change(host, id, { rules: 'Be kinder.' })).json()).toMatchObject({
      rules: 'Be kinder.',
      rulesChangedAt: changedAt,
    })
    clock.move(1000)
    // The same rules, or a change of something else, do not count as a change.
    for (const same of [{ rules: 'Be kinder.' }, { rules: 'Be kinder.', name: 'Pub' }]) {
      await change(host, id, same)
    }
    for (const by of [host, guest, { inject }]) {
      expect(await read(by)).toEqual(['Be kinder.', changedAt])
    }
    await change(host, id, { rules: '' })
    expect(await read()).toEqual(['', new Date(clock.now()).toISOString()])
  })

  test('S23 another user’s device can’t carry it, like a missing one', async () => {
    const { host, guest } = await setUp()
    const { id } = await makeTestIsland(host)
    const device = await registerTestDevice(guest)
    const bodies = [device.id, 'unknown'].map(
      async (carrier) => (await change(host, id, { carrier })).body,
    )
    const [theirs, missing] = await Promise.all(bodies)
    expect(theirs).toBe(missing)
    expect(theirs).toContain('This is not one of your devices.')
  })

  test('S54 neighbours are islands that its host may see, and readers get those that they may see', async () => {
    const { host, guest, inject } = await setUp()
    const { id, slug } = await publishTestIsland(host, openly)
    const known = await publishTestIsland(guest, openly)
    const draft = await makeTestIsland(guest)
    const draftOfHost = await makeTestIsland(host)
    const refuse = async (neighbour: string) => {
      const response = await change(host, id, { neighbours: [neighbour] })
      expect(response.statusCode).toBe(400)
      return response.body.replace(neighbour, '…')
    }
    const missing = `${newSlug()}-x1y2z3`
    expect(await refuse(draft.slug)).toBe(await refuse(missing))
    expect(await refuse(slug)).toContain('can’t be its own neighbour')

    const { neighbours } = (
      await change(host, id, { neighbours: [draftOfHost.slug, known.slug] })
    ).json<OwnIsland>()
    expect(neighbours).toEqual([draftOfHost.slug, known.slug])
    const seenBy = async (one: Pick<TestBrowser, 'inject'>) =>
      (await viewIsland(one, slug))?.neighbours.map((neighbour) => neighbour.slug)
    expect(await seenBy(host)).toEqual([draftOfHost.slug, known.slug])
    expect(await seenBy(guest)).toEqual([known.slug])
    expect(await seenBy({ inject })).toEqual([known.slug])
  })
})

describe('access policies', () => {
  test.each([
    ['public', false, 'entered', 'entered'],
    ['members', false, 'entered', 'missing'],
    ['invited', false, 'missing', 'missing'],
    ['members', true, 'entered', 'known'],
    ['invited', true, 'known', 'known'],
  ] as const)(
    'S54 S57 of %s, listed: %s: a guest finds it %s, a visitor %s, with the next request',
    async (access, isListed, forGuest, forVisitor) => {
      const { host, guest, inject } = await setUp()
      const { id, slug } = await publishTestIsland(host, openly)
      await post(host, `/${id}/publish`, { access, isListed })
      const found = async (one: Pick<TestBrowser, 'inject'>) => {
        const view = await viewIsland(one, slug)
        if (view === undefined) return 'missing'
        expect(view.address !== null).toBe(view.mayEnter)
        return view.mayEnter ? 'entered' : 'known'
      }
      expect(await found(host)).toBe('entered')
      expect(await found(guest)).toBe(forGuest)
      expect(await found({ inject })).toBe(forVisitor)
    },
  )

  test('S54 an island that the user may not see is answered like a missing one', async () => {
    const { host, guest, inject } = await setUp()
    const draft = await makeTestIsland(host)
    const { id, slug } = await publishTestIsland(host, openly)
    await post(host, `/${id}/publish`, { access: 'invited', isListed: false })
    for (const one of [guest, { inject }]) {
      const answers = []
      for (const hidden of [draft.slug, slug, newSlug(), 'not a slug', 'api']) {
        const url = `/api/islands/by-slug/${encodeURIComponent(hidden)}`
        const { statusCode, headers, body } = await one.inject({ url })
        answers.push({ statusCode, headers: { ...headers, date: '' }, body })
      }
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    }
  })

  test('S57 nobody sees the islands of a disabled user until the user is enabled again', async () => {
    const { operator, host, guest, inject } = await setUp()
    const { slug } = await publishTestIsland(host, openly)
    const turn = (what: string) =>
      operator.inject({ method: 'POST', url: `/api/operator/users/${host.username}/${what}` })
    await turn('disable')
    for (const one of [guest, { inject }]) expect(await viewIsland(one, slug)).toBeUndefined()
    await turn('enable')
    expect(await viewIsland(guest, slug)).toBeDefined()
  })
})

test('users list their own islands, and those that they have joined while they may see them', async () => {
  const { host, guest, storage } = await setUp()
  const { id, slug } = await publishTestIsland(host, openly)
  const { db } = storage
  const island = await db
    .selectFrom('islands')
    .select('key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const user = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', guest.username)
    .executeTakeFirstOrThrow()
  const row = { island_key: island.key, user_key: user.key, joined_ms: 1 }
  await db.insertInto('island_members').values(row).execute()
  const joined = async () =>
    (await guest.inject({ url: '/api/me/memberships' })).json<IslandView[]>()

  expect(await own(host)).toMatchObject([{ id, memberCount: 1, requestCount: 0, noteCount: 0 }])
  expect(await own(guest)).toEqual([])
  expect(await joined()).toMatchObject([{ slug }])
  await post(host, `/${id}/publish`, { access: 'invited', isListed: false })
  expect(await joined()).toMatchObject([{ slug }])
  expect(await viewIsland(guest, slug)).toMatchObject({ role: 'member', mayEnter: true })
  await db
    .updateTable('islands')
    .set({ hidden_ms: 1, hidden_reason: 'spam' })
    .where('id', '=', id)
    .execute()
  expect(await joined()).toEqual([])
  const hidden = { at: new Date(1).toISOString(), reason: 'spam' }
  expect(await own(host)).toMatchObject([{ id, hidden }])
})

test('S33 a user changes islands 240 times an hour, counting each call, without affecting others', async () => {
  const { host, guest } = await setUp()
  const [{ id, slug }, other] = [await makeTestIsland(host), await makeTestIsland(guest)]
  for (let n = 0; n < 240; n += 1) expect((await change(host, id, {})).statusCode).toBe(200)
  for (const refused of [
    await change(host, id, { tagline: 'Once more' }),
    await post(host, `/${id}/publish`, openly),
    await post(host, `/${id}/slug`, { slug }),
  ]) {
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  }
  expect((await change(guest, other.id, {})).statusCode).toBe(200)
})

describe('an island through the relay', () => {
  const relayed = { address: null, isRelayed: true }

  test('has its host name as the address for visitors', async () => {
    const { host, guest, makeCarrier } = await setUp()
    const carrier = await makeCarrier('public')
    const island = await publishTestIsland(host, openly, { ...relayed, carrier: carrier.id })
    const address = `http://${island.slug}.localhost:3000/`
    expect(island).toMatchObject({ address: null, isRelayed: true, relayAddress: address })
    // Only its agent opens it. Heartbeats of its device do not.
    await carrier.beat()
    expect(await viewIsland(guest, island.slug)).toMatchObject({ address, isOpen: false })
  })

  test('needs a device to be watched', async () => {
    const { host, makeCarrier } = await setUp()
    const refused = await post(host, '', { ...islandDetails, ...relayed, slug: newSlug() })
    expect(refused.json()).toMatchObject({
      code: 'invalid_island',
      fields: { carrier: expect.any(String) },
    })
    const carrier = await makeCarrier('public')
    const { id, slug } = await makeTestIsland(host, { ...relayed, carrier: carrier.id })
    expect(await viewIsland(host, slug)).toMatchObject({ isOpen: false, isWatched: true })
    const without = await change(host, id, { carrier: null })
    expect(without.json()).toMatchObject({
      code: 'invalid_island',
      fields: { carrier: expect.any(String) },
    })
    await host.inject({ method: 'DELETE', url: `/api/devices/${carrier.id}` })
    expect(await viewIsland(host, slug)).toMatchObject({ isOpen: false, isWatched: false })
    expect((await change(host, id, { tagline: 'Soon' })).statusCode).toBe(400)
  })

  test('has no link: each replaces the other, and both at once are refused', async () => {
    const { host, makeCarrier } = await setUp()
    const { id: carrier } = await makeCarrier('public')
    const { id } = await makeTestIsland(host, { carrier })
    const changed = async (payload: object) => (await change(host, id, payload)).json<OwnIsland>()
    expect(await changed({ isRelayed: true })).toMatchObject(relayed)
    expect(await changed({ address: null })).toMatchObject(relayed)
    const link = { address: 'https://b.example/', isRelayed: false, relayAddress: null }
    expect(await changed({ address: 'https://b.example/' })).toMatchObject(link)
    const both = await change(host, id, { address: 'https://b.example/', isRelayed: true })
    expect(both.json()).toMatchObject({
      code: 'invalid_island',
      fields: { address: expect.any(String) },
    })
    expect(await changed({ isRelayed: false })).toMatchObject(link)
  })

  test('is refused by a server without a relay', async () => {
    const { signUp } = await createTestApp({ config: { relayDomain: undefined } })
    const host = await signUp()
    const { id: carrier } = await registerTestDevice(host)
    const refused = await post(host, '', { ...islandDetails, ...relayed, carrier, slug: newSlug() })
    expect(refused.json()).toMatchObject({
      code: 'invalid_island',
      fields: { isRelayed: expect.any(String) },
    })
  })
})

test('[F4] a host chooses whether other installations show an island; by default they do not', async () => {
  const { host } = await setUp()
  const { id, isShared } = await publishTestIsland(host, openly)
  expect(isShared).toBe(false)
  const publish = async (choice: object) =>
    (await post(host, `/${id}/publish`, { ...openly, ...choice })).json<OwnIsland>().isShared
  expect(await publish({ isShared: true })).toBe(true)
  expect(await publish({})).toBe(true)
  expect((await change(host, id, { isShared: false })).json<OwnIsland>().isShared).toBe(false)
  expect(await publish({})).toBe(false)
})
