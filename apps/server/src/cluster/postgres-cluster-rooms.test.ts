import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openPage, type IslandPage } from '../features/island-runtime/testing/island-page.ts'
import {
  startRelayServer,
  visit,
  type RelayServer,
} from '../features/relay/instances/testing/relay-cluster.ts'
import { publishTestPages } from '../test/api-pages.ts'
import type { TestBrowser } from '../test/create-test-app.ts'
import { freePort } from '../test/listen.ts'
import { makeTempDir, openTestDatabase } from '../test/open-test-storage.ts'
import { visitorOf } from '../test/relay-visitor.ts'
import { runServer } from '../test/run-server.ts'

vi.setConfig({ testTimeout: 60_000 })

/** All servers know of a change within a second if the machine is not busy. */
const soonMs = 3000
const soon = { timeout: soonMs, interval: 5 }
/** How long the people of a server that is gone still count. */
const goneMs = 10_000

/** Two servers, and pages that live on both. */
async function setUp(config: Parameters<typeof startRelayServer>[1] = {}) {
  const databaseUrl = await openTestDatabase()
  const one = await startRelayServer(databaseUrl, config)
  const other = await startRelayServer(databaseUrl, config)
  const host = await one.signUp()
  const island = await publishTestPages(host)
  const openAs = openerOf(island.slug)
  await openAs(portOf(other))
  return { databaseUrl, one, other, host, island, openAs }
}

const portOf = ({ url }: Pick<RelayServer, 'url'>) => Number(new URL(url).port)

/** Opens pages of an island as soon as the server knows the island. */
function openerOf(slug: string) {
  const hostName = `${slug}.localhost`
  return async (port: number, user?: TestBrowser): Promise<IslandPage> => {
    const way = {
      port,
      visit: ({ host = '', ...asked } = {}) => visit(`http://127.0.0.1:${port}`, host, asked),
    }
    const visitor = visitorOf(way, slug, user)
    if (user !== undefined) await visitor.enter(true)
    return await vi.waitFor(
      async () => {
        const page = await openPage(port, { hostName, cookie: visitor.cookie() })
        // Whoever may not enter is let in to read why.
        const first = await Promise.race([page.closed, page.pushed(isHello)])
        expect(first).toHaveProperty('push')
        return page
      },
      { timeout: soonMs, interval: 50 },
    )
  }
}

type Push = IslandPage['pushes'][number]
const isHello = (push: Push): push is Extract<Push, { push: 'hello' }> => push.push === 'hello'

const valuesOf = (page: IslandPage, room = 'chat') =>
  page.events(room).map((event) => (event.kind === 'message' ? event.value : event.kind))

async function took(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

test.each([
  // A poll comes every 700 ms.
  ['connected', {}, 500],
  ['not connected', { instanceUrl: undefined }, soonMs],
] as const)(
  'S70 two servers that are %s show one room, its messages in one order and once',
  async (_how, config, withinMs) => {
    const { one, other, openAs } = await setUp(config)
    const [ada, bob] = [
      await openAs(portOf(one), await one.signUp()),
      await openAs(portOf(other), await one.signUp()),
    ]
    await ada.join('chat')
    await bob.join('chat')
    const times: number[] = []
    for (const at of [1, 2, 3, 4]) {
      await ada.send('chat', at)
      times.push(await took(() => bob.eventsOf('chat', at)))
    }
    // A poll may follow the first message at once, and then none of the others.
    expect(Math.min(...times.slice(1))).toBeLessThan(withinMs)
    const sent = [5, 6, 7, 8].flatMap((at) => [ada.send('chat', at), bob.send('chat', `${at}`)])
    await Promise.all(sent)
    await ada.eventsOf('chat', 12)
    await bob.eventsOf('chat', 12)
    expect(ada.events('chat')).toEqual(bob.events('chat'))
    expect(ada.events('chat').map(({ n }) => n)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    )
    expect(valuesOf(ada).slice(0, 4)).toEqual([1, 2, 3, 4])
    expect(new Set(valuesOf(ada))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, '5', '6', '7', '8']))
    await ada.send('other', 'Hi')
    const keys = await one.storage.db.selectFrom('rooms').select('key').orderBy('key').execute()
    expect(keys).toEqual([{ key: 1 }, { key: 2 }])
  },
)

test.each([
  ['connected', {}],
  ['not connected', { instanceUrl: undefined }],
] as const)(
  'S70 a visitor who is blocked on one of two servers that are %s is shut out on the other',
  async (_how, config) => {
    const { one, other, host, openAs } = await setUp(config)
    const bobUser = await one.signUp()
    const moderator = await openAs(portOf(one), host)
    const bob = await openAs(portOf(other), bobUser)
    await moderator.join('chat')
    await bob.join('chat')
    await bob.send('chat', 'Hi')
    const { id: visitor } = await bob.call({ call: 'user' })
    await moderator.call({ call: 'moderate', room: 'chat', action: { kind: 'block', visitor } })
    const shutOutMs = await took(() =>
      bob.pushed((push): push is typeof push => push.push === 'closed'),
    )
    expect(shutOutMs).toBeLessThan(soonMs)
    expect(await bob.join('chat')).toBe('muted')
    expect(await bob.send('chat', 'Hi')).toBe('muted')
  },
)

test.each([
  ['connected', {}],
  ['not connected', { instanceUrl: undefined }],
] as const)(
  'values that are watched on one of two servers that are %s change there',
  async (_how, config) => {
    const { one, other, openAs } = await setUp(config)
    const ada = await openAs(portOf(one), await one.signUp())
    const reader = await openAs(portOf(other))
    expect(await reader.call({ call: 'watch', store: 'shared', prefix: '' })).toEqual({
      entries: [],
      isWhole: true,
    })
    await setValue(ada, 1)
    await expect.poll(() => toldOf(reader), soon).toBe('1')
  },
)

test('values that are watched change there while the servers are cut off from one another', async () => {
  const { one, other, openAs } = await setUp()
  const ada = await openAs(portOf(other), await one.signUp())
  const reader = await openAs(portOf(one))
  await reader.call({ call: 'watch', store: 'shared', prefix: '' })
  await setValue(ada, 1)
  await expect.poll(() => toldOf(reader), soon).toBe('1')
  // The other server can’t reach this one any more, and this one still reaches the other.
  one.hops.cut()
  await setValue(ada, 2)
  await expect.poll(() => toldOf(reader), soon).toBe('2')
  one.hops.mend()
  await setValue(ada, 3)
  await expect.poll(() => toldOf(reader), soon).toBe('3')
})

test('S70 when one of two servers is killed, its readers go on on the other and miss nothing', async () => {
  const databaseUrl = await openTestDatabase()
  const one = await startRelayServer(databaseUrl)
  const port = await freePort()
  const killed = await runServer({
    dataDir: await makeTempDir(),
    env: {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      INSTANCE_URL: `http://127.0.0.1:${port}`,
      LIMIT_EXEMPT: '127.0.0.1',
    },
  })
  const { slug } = await publishTestPages(await one.signUp())
  const openAs = openerOf(slug)
  const here = portOf(one)
  const ada = await openAs(here, await one.signUp('ada'))
  const writers = [
    ada,
    await openAs(here, await one.signUp()),
    await openAs(here, await one.signUp()),
  ]
  const bobUser = await one.signUp('bob')
  const [bob, carol, reader] = [
    await openAs(port, bobUser),
    await openAs(port, await one.signUp('carol')),
    await openAs(port),
  ]
  for (const page of [...writers, bob, carol, reader]) await page.join('chat')
  const people = () => {
    const last = ada.pushes.findLast((push) => push.push === 'people')
    return last?.people.map(({ name }) => name)
  }
  await expect.poll(people, soon).toContain('carol')

  const acknowledged: number[] = []
  const sending = writers.map(async (page, at) => {
    for (let sent = 0; sent < 8; sent += 1) {
      await wait(120)
      const { value } = await page.send('chat', sent * writers.length + at)
      acknowledged.push(value)
    }
  })
  // The last of these may be stored without an answer.
  const unsure = Array.from({ length: 8 }, (_, at) => ({ at: 100 + at, clientId: `of-bob-${at}` }))
  for (const { at, clientId } of unsure) {
    void wait((at - 100) * 50)
      .then(() => bob.send('chat', at, clientId))
      .then(() => acknowledged.push(at))
  }
  await reader.eventsOf('chat', 12)
  killed.kill('SIGKILL')
  const killedMs = performance.now()
  await Promise.all([killed.exited, reader.closed])

  const before = reader.events('chat')
  await ada.eventsOf('chat', before.length + 3)
  const [bobAgain, readerAgain] = [await openAs(here, bobUser), await openAs(here)]
  const joined = await readerAgain.join('chat', before.at(-1)?.n)
  expect(joined.isReset).toBe(false)
  await bobAgain.join('chat', bob.events('chat').at(-1)?.n)
  for (const { at, clientId } of unsure) await bobAgain.send('chat', at, clientId)
  await Promise.all(sending)
  const seen = () => [...before, ...joined.events, ...readerAgain.events('chat')]
  const numbers = Array.from({ length: 32 }, (_, at) => at + 1)
  await expect.poll(() => seen().map(({ n }) => n), soon).toEqual(numbers)
  const values = new Set(seen().map((event) => event.kind === 'message' && event.value))
  expect(values.size).toBe(32)
  for (const value of acknowledged) expect(values).toContain(value)

  expect(people()).toContain('carol')
  await expect.poll(people, { timeout: goneMs + soonMs }).not.toContain('carol')
  expect(performance.now() - killedMs).toBeGreaterThan(goneMs - 100)
  expect(people()).toContain('bob')
})

async function setValue(page: IslandPage, value: number): Promise<void> {
  const set = { call: 'set', store: 'shared', key: 'a', value: String(value) } as const
  expect(await page.call(set)).toBeNull()
}

/** The last value that the page was told. */
function toldOf({ pushes }: IslandPage): string | null | undefined {
  const told = pushes.flatMap((push) =>
    push.push === 'changed' || push.push === 'entries' ? push.entries : [],
  )
  return told.at(-1)?.value
}

test('S57 S69 a name that is taken back on one server is unknown on the other within a second', async () => {
  const { one, other, island, openAs } = await setUp()
  const user = await one.signUp('ada')
  const page = await openAs(portOf(other), user)
  expect(await page.call({ call: 'user' })).toMatchObject({ name: 'ada' })
  const ended = took(async () => expect(await page.closed).toMatchObject({ code: 4000 }))
  await user.inject({ method: 'DELETE', url: `/api/relay/access/${island.slug}/answer` })
  expect(await ended).toBeLessThan(soonMs)
})
