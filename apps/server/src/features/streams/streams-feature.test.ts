import type { OwnIsland } from '@astropelago/contract/islands'
import { streamsPerAddress } from '@astropelago/contract/limits'
import { expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { joinTestIsland, publishTestIsland, sendTestSignal } from '../../test/api-islands.ts'
import {
  createTestApp,
  shareTestApp,
  type TestApp,
  type TestBrowser,
} from '../../test/create-test-app.ts'
import { testPassword } from '../../test/factories.ts'
import { portOf } from '../../test/listen.ts'
import { operatorOf, operatorOptions } from '../../test/operator-app.ts'
import { restMs } from './message-stream.ts'
import { readStream } from './testing/read-stream.ts'
import { inTime } from '../../test/in-time.ts'

const listed = { access: 'public', isListed: true } as const
const members = { access: 'members', isListed: false } as const
const own = '/api/me/stream'

/** A stream without the right to read has ended within this time. */
const soon = { timeout: 1000, interval: 20 }

async function setUp(opening: Promise<TestApp> = shareTestApp(operatorOptions)) {
  const app = await opening
  const { server } = app.app
  if (!server.listening) await app.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${portOf(server)}`
  const host = await app.signUp()
  const listen = (path: string, browser?: TestBrowser) => readStream(url, path, browser)
  const lookAt = ({ id }: Pick<OwnIsland, 'id'>, browser?: TestBrowser) =>
    listen(`/api/islands/${id}/stream`, browser)
  /** Another browser of a user. */
  const signIn = async ({ username }: TestBrowser): Promise<TestBrowser> => {
    const payload = { username, password: testPassword }
    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/password-login',
      payload,
    })
    const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
    return { username, cookies, inject: (request) => app.inject({ ...request, cookies }) }
  }
  return { ...app, operator: await operatorOf(app), host, signIn, listen, lookAt }
}

const post = (browser: TestBrowser, url: string, payload: object = {}) =>
  browser.inject({ method: 'POST', url, payload })

const publish = (browser: TestBrowser, { id }: OwnIsland, payload: object) =>
  post(browser, `/api/islands/${id}/publish`, payload)

/** Publishes an island and waits until memory has it too, so that later readers don’t receive that. */
async function publishKnown(host: TestBrowser): Promise<OwnIsland> {
  const island = await publishTestIsland(host, listed)
  await vi.waitFor(async () => {
    const { body } = await host.inject({ url: '/api/islands' })
    expect(body).toContain(island.id)
  }, inTime)
  return island
}

const change = (browser: TestBrowser, { id }: OwnIsland, payload: object) =>
  browser.inject({ method: 'PATCH', url: `/api/islands/${id}`, payload })

test('readers of an island receive within a second that it opened and that it changed', async () => {
  const { host, inject, lookAt } = await setUp()
  const device = await registerTestDevice(host, { visibility: 'private' })
  const { token } = await createTestToken(host, device.id)
  const island = await publishTestIsland(host, listed, { carrier: device.id })
  const { id } = island
  const stream = await lookAt(island)
  expect(stream.status).toBe(200)

  await sendHeartbeat({ inject }, token)
  // Readers that were there before may receive what publishing it changed.
  await vi.waitFor(
    () =>
      expect(stream.messages).toContainEqual({
        type: 'island-open',
        payload: { id, isOpen: true, since: expect.any(String) },
      }),
    inTime,
  )
  // A private carrier is never named.
  expect(JSON.stringify(stream.messages)).not.toContain(device.id)
  const toldBefore = stream.messages.length
  await host.inject({ method: 'PATCH', url: `/api/islands/${id}`, payload: { name: 'Harbor' } })
  await vi.waitFor(
    () =>
      expect(stream.messages.slice(toldBefore)).toEqual([
        { type: 'island-changed', payload: { id } },
      ]),
    inTime,
  )
})

test('S57 readers whom the access policy shuts out are disconnected; others stay', async () => {
  const { host, signUp, lookAt } = await setUp()
  const guest = await signUp()
  const island = await publishKnown(host)
  const gone = { type: 'island-gone', payload: { id: island.id } }
  const [stranger, signedIn, ofHost] = [
    await lookAt(island),
    await lookAt(island, guest),
    await lookAt(island, host),
  ]
  await publish(host, island, members)
  await vi.waitFor(() => expect(stranger.isOver()).toBe(true), inTime)
  expect(stranger.messages).toEqual([gone])
  await vi.waitFor(() => expect(signedIn.types()).toEqual(['island-changed']), inTime)
  expect((await lookAt(island)).status).toBe(404)

  await post(host, `/api/islands/${island.id}/close`, { slug: island.slug })
  await vi.waitFor(() => expect(signedIn.messages.at(-1)).toEqual(gone), inTime)
  await vi.waitFor(() => expect(ofHost.messages.at(-1)).toEqual(gone), inTime)
})

test('S57 an island that the user may not see is answered like a missing one', async () => {
  const { host, signUp, lookAt, inject } = await setUp()
  const stranger = await signUp()
  const island = await publishTestIsland(host, { access: 'invited', isListed: false })
  const streamOf = (id: string) => inject({ url: `/api/islands/${id}/stream` })
  const [refused, missing] = [await streamOf(island.id), await streamOf('missing')]
  expect([refused.statusCode, refused.body]).toEqual([404, missing.body])
  expect((await lookAt(island, stranger)).status).toBe(404)
  expect((await lookAt(island, host)).status).toBe(200)
})

test('S54 a reader who may see an island but not enter it receives nothing about its log', async () => {
  const { host, signUp, lookAt } = await setUp()
  const island = await publishTestIsland(host, { access: 'members', isListed: true })
  const [visitor, guest] = [await lookAt(island), await lookAt(island, await signUp())]
  expect(visitor.status).toBe(200)
  await sendTestSignal(host, island.id)
  await vi.waitFor(() => expect(guest.types()).toContain('island-log'), inTime)
  // The visitor’s next message would come after any about the log.
  await post(host, `/api/islands/${island.id}/close`, { slug: island.slug })
  await vi.waitFor(() => expect(visitor.isOver()).toBe(true), inTime)
  expect(visitor.types()).not.toContain('island-log')
})

test('a user’s own stream is about their devices and hosted islands, and about nobody else’s', async () => {
  const { host, signUp, inject, listen } = await setUp()
  const other = await signUp()
  const device = await registerTestDevice(host, { visibility: 'private' })
  const { token } = await createTestToken(host, device.id)
  const island = await publishTestIsland(host, members, { carrier: device.id })
  const [mine, theirs] = [await listen(own, host), await listen(own, other)]

  await sendHeartbeat({ inject }, token)
  const payload = { id: device.id, status: 'online' }
  await vi.waitFor(
    () =>
      expect(mine.messages).toEqual(
        expect.arrayContaining([
          { type: 'device', payload },
          {
            type: 'island-open',
            payload: { id: island.id, isOpen: true, since: expect.any(String) },
          },
        ]),
      ),
    inTime,
  )
  await registerTestDevice(host)
  await vi.waitFor(() => expect(mine.types()).toContain('devices'), inTime)
  const second = await publishTestIsland(host, listed)
  await vi.waitFor(() => expect(mine.types()).toContain('islands'), inTime)
  await host.inject({
    method: 'PATCH',
    url: `/api/islands/${second.id}`,
    payload: { tagline: 'New' },
  })
  await vi.waitFor(
    () =>
      expect(mine.messages.at(-1)).toEqual({ type: 'island-changed', payload: { id: second.id } }),
    inTime,
  )
  await post(host, `/api/islands/${second.id}/close`, { slug: second.slug })
  await vi.waitFor(
    () => expect(mine.types()).toEqual(expect.arrayContaining(['island-gone', 'islands'])),
    3000,
  )
  await host.inject({ method: 'DELETE', url: `/api/devices/${device.id}` })
  const changed = { type: 'island-changed', payload: { id: island.id } }
  await vi.waitFor(() => expect(mine.messages).toContainEqual(changed), inTime)
  expect(theirs.messages).toEqual([])
})

test('only operators receive that something was reported', async () => {
  const { operator, host, signUp, listen } = await setUp()
  const { id } = await registerTestDevice(await signUp())
  const [theirs, mine] = [await listen(own, operator), await listen(own, host)]
  const report = { kind: 'device', id, reason: 'spam', text: '' }
  expect((await post(host, '/api/reports', report)).statusCode).toBe(204)
  await vi.waitFor(() => expect(theirs.types()).toEqual(['reports']), inTime)
  expect(mine.messages).toEqual([])
})

test('S22 a user who has signed out receives nothing more', async () => {
  const { host, inject, listen, lookAt, clock } = await setUp()
  const device = await registerTestDevice(host)
  const { token } = await createTestToken(host, device.id)
  const island = await publishTestIsland(host, members, { carrier: device.id })
  const [mine, front] = [await listen(own, host), await lookAt(island, host)]
  const signOut = { url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } }
  expect((await host.inject(signOut)).statusCode).toBeLessThan(400)
  // Longer than a session is held in memory.
  clock.move(1000)
  await sendHeartbeat({ inject }, token)
  await vi.waitFor(() => expect([mine.isOver(), front.isOver()]).toEqual([true, true]), inTime)
  expect([mine.messages, front.messages]).toEqual([[], []])
})

test('S22 S57 the end of a session ends its streams without a message, and only its own', async () => {
  const { operator, host, inject, signUp, signIn, listen, lookAt } = await setUp()
  const guest = await signUp()
  const [laptop, phone] = [await signIn(host), await signIn(guest)]
  const island = await publishKnown(host)
  const both = async (browser: TestBrowser) => [
    await listen(own, browser),
    await lookAt(island, browser),
  ]
  const streams = {
    host: await both(host),
    laptop: await both(laptop),
    guest: await both(guest),
    phone: await both(phone),
    nobody: [await lookAt(island)],
  }
  const over = () =>
    Object.entries(streams)
      .filter(([, ofBrowser]) => ofBrowser.every((stream) => stream.isOver()))
      .map(([name]) => name)
  const received = () =>
    Object.values(streams).flatMap((all) => all.flatMap(({ types }) => types()))

  const signOut = { url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } }
  expect((await host.inject(signOut)).statusCode).toBeLessThan(400)
  await vi.waitFor(() => expect(over()).toEqual(['host']), soon)
  await guest.inject({ method: 'DELETE', url: '/api/me/sessions' })
  await vi.waitFor(() => expect(over()).toEqual(['host', 'phone']), soon)
  const newPassword = 'another horse'
  await post(guest, '/api/me/password', { password: testPassword, newPassword })
  await vi.waitFor(() => expect(over()).toEqual(['host', 'guest', 'phone']), soon)
  expect(received()).toEqual([])
  await post(operator, `/api/operator/users/${laptop.username}/disable`)
  await vi.waitFor(() => expect(over()).toContain('laptop'), soon)
  // Its host is turned off: it is gone for everybody.
  await vi.waitFor(() => expect(over()).toContain('nobody'), soon)
  expect(streams.laptop.flatMap(({ types }) => types())).toEqual([])
  expect((await inject({ url: `/api/islands/${island.id}/stream` })).statusCode).toBe(404)
})

test('S57 members receive at once that an island is hidden or its host disabled, and that it is shown again', async () => {
  const { operator, host, signUp, listen } = await setUp()
  const [member, stranger] = [await signUp(), await signUp()]
  const island = await publishTestIsland(host, listed)
  await joinTestIsland(member, island.id)
  const [theirs, nobodys] = [await listen(own, member), await listen(own, stranger)]
  const gone = { type: 'island-gone', payload: { id: island.id } }
  const hidden = `/api/operator/hidden/island/${island.id}`
  const user = `/api/operator/users/${host.username}`
  for (const [takeAway, giveBack] of [
    [
      () => post(operator, hidden, { reason: 'Spam' }),
      () => operator.inject({ method: 'DELETE', url: hidden }),
    ],
    [() => post(operator, `${user}/disable`), () => post(operator, `${user}/enable`)],
  ] as const) {
    const before = theirs.messages.length
    const since = () => theirs.messages.slice(before)
    expect((await takeAway()).statusCode).toBeLessThan(300)
    await vi.waitFor(() => expect(since()).toContainEqual(gone), soon)
    // Equal messages are a second apart.
    await vi.waitFor(() => expect(since()).toContainEqual({ type: 'islands' }), 3000)
    const asOfThen = theirs.messages.length
    expect((await giveBack()).statusCode).toBeLessThan(300)
    await vi.waitFor(
      () => expect(theirs.messages.slice(asOfThen)).toContainEqual({ type: 'islands' }),
      3000,
    )
  }
  expect(nobodys.messages).toEqual([])
})

test('S33 an address has a limited number of streams, of all kinds together', async () => {
  const { host, listen, lookAt } = await setUp(createTestApp({ config: { limitExempt: [] } }))
  const island = await publishTestIsland(host, listed)
  const [first] = await Promise.all(
    Array.from({ length: streamsPerAddress }, (_, i) =>
      i % 2 === 0 ? lookAt(island) : listen(own, host),
    ),
  )
  expect((await lookAt(island)).status).toBe(429)
  first?.close()
  await vi.waitFor(async () => expect((await lookAt(island)).status).toBe(200), inTime)
})

test('messages of one moment are sent together, and of equal ones only the last', async () => {
  const { host, lookAt } = await setUp()
  const island = await publishKnown(host)
  const stream = await lookAt(island)
  await Promise.all(['One', 'Two', 'Three'].map((tagline) => change(host, island, { tagline })))
  await vi.waitFor(() => expect(stream.types()).toEqual(['island-changed']), inTime)
})

test('S33 a host who keeps changing an island makes its readers load it once a second at most', async () => {
  const { host, lookAt } = await setUp()
  const island = await publishKnown(host)
  const stream = await lookAt(island)
  await change(host, island, { tagline: 'First' })
  await vi.waitFor(() => expect(stream.messages).toHaveLength(1), inTime)
  const startMs = performance.now()
  for (let n = 0; n < 20; n += 1) await change(host, island, { tagline: `Change ${n}` })
  // The last one comes, after its rest.
  await vi.waitFor(() => expect(stream.messages.length).toBeGreaterThan(1), 3000)
  // Timers and the network are not exact.
  const rests = (performance.now() - startMs) / (0.9 * restMs)
  expect(stream.messages.length - 1).toBeLessThanOrEqual(rests)
  // A reader who may no longer see it receives that at once.
  const gone = performance.now()
  await change(host, island, { tagline: 'Last' })
  await post(host, `/api/islands/${island.id}/close`, { slug: island.slug })
  await vi.waitFor(() => expect(stream.isOver()).toBe(true), inTime)
  expect(stream.types().at(-1)).toBe('island-gone')
  expect(performance.now() - gone).toBeLessThan(restMs)
})

test('S33 a change that changes nothing is not sent', async () => {
  const { host, lookAt } = await setUp()
  const [first, island] = [await publishTestIsland(host, listed), await publishKnown(host)]
  const { name, slug, access, isListed } = island
  const neighbours = [first.slug]
  const stream = await lookAt(island)
  await change(host, island, { neighbours })
  await vi.waitFor(() => expect(stream.types()).toEqual(['island-changed']), inTime)
  for (const { statusCode } of [
    await change(host, island, {}),
    await change(host, island, { name, carrier: null, neighbours }),
    await publish(host, island, { access, isListed }),
    await post(host, `/api/islands/${island.id}/slug`, { slug }),
  ]) {
    expect(statusCode).toBe(200)
  }
  await post(host, `/api/islands/${island.id}/close`, { slug })
  await vi.waitFor(() => expect(stream.types()).toEqual(['island-changed', 'island-gone']), inTime)
})

test('RP1 [P10] a device’s report goes to its owner at once, and to nobody else', async () => {
  const { host, inject, signUp, listen } = await setUp()
  const device = await registerTestDevice(host)
  const { token } = await createTestToken(host, device.id)
  const [streams, other] = [await listen(own, host), await listen(own, await signUp())]
  await sendHeartbeat({ inject }, token)
  await inject({
    method: 'POST',
    url: '/api/devices/heartbeat-token?status=fail',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    payload: 'disk full',
  })
  await vi.waitFor(
    () =>
      expect(streams.messages).toContainEqual({
        type: 'device-report',
        payload: {
          id: device.id,
          report: expect.objectContaining({ status: 'fail', text: 'disk full' }),
        },
      }),
    soon,
  )
  expect(other.messages).toEqual([])
})

test('a stream that begins within 10 s of a change tells the reader to load again', async () => {
  const { clock, host, inject, signUp, listen } = await setUp(createTestApp(operatorOptions))
  const tokenOfNew = async () =>
    (await createTestToken(host, (await registerTestDevice(host)).id)).token
  const [first, second] = [await tokenOfNew(), await tokenOfNew()]
  const other = await signUp()
  const hasChanged = async (browser: TestBrowser) => {
    const stream = await listen(own, browser)
    // A later message follows it.
    await registerTestDevice(browser)
    await vi.waitFor(() => expect(stream.types()).toContain('devices'), inTime)
    clock.move(10_000)
    return stream.hasChangedBefore()
  }
  expect(await hasChanged(host)).toBe(true)
  expect(await hasChanged(host)).toBe(false)

  await sendHeartbeat({ inject }, first)
  expect(await hasChanged(host)).toBe(true)
  // The flip of somebody else’s device.
  await sendHeartbeat({ inject }, second)
  expect(await hasChanged(other)).toBe(false)
})
