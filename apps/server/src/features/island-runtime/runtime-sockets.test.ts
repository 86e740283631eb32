import { describe, expect, test } from 'vitest'
import { testPassword } from '../../test/factories.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { openPage, publishPages } from './testing/island-page.ts'

type Files = Parameters<typeof publishPages>[1]

async function setUp(files?: Files, to?: Parameters<typeof publishPages>[2]) {
  const relay = await shareRelayApp()
  return { relay, ...(await publishPages(relay, files, to)) }
}

const setOne = (key: string) => ({ call: 'set', store: 'shared', key, value: '1' }) as const

const rules = (json: object): Files => ({
  'index.html': 'x',
  'astropelago.json': JSON.stringify(json),
})

describe('S49 the connection of an island’s page', () => {
  test.each([
    ['another island', 'http://other.localhost'],
    ['the site', 'http://localhost'],
    ['another scheme', 'https://'],
    ['nobody', ''],
  ])('is refused to pages of %s', async (_who, origin) => {
    const { relay, hostName } = await setUp()
    const page = await openPage(relay.port, {
      hostName,
      origin: origin === 'https://' ? `https://${hostName}:${relay.port}` : origin,
    })
    expect(page.refusedWith).toBe(403)
  })

  test('ends at once for whoever may not enter, as for an island that is not there', async () => {
    const { relay, openAs } = await setUp(undefined, { access: 'invited' })
    const shut = { code: 4003, reason: 'shut' }
    expect(await (await openAs()).closed).toEqual(shut)
    const unknown = await openPage(relay.port, { hostName: 'nobody.localhost' })
    expect(await unknown.closed).toEqual(shut)
    expect(await (await openAs(relay.host)).call({ call: 'user' })).toMatchObject({ isHost: true })
  })

  test('ends when the visitor may no longer enter', async () => {
    const { relay, openAs, island } = await setUp()
    const page = await openAs()
    const url = `/api/islands/${island.id}/publish`
    const payload = { access: 'invited', isListed: false }
    const changed = await relay.host.inject({ method: 'POST', url, payload })
    expect(changed.statusCode).toBe(200)
    expect(await page.closed).toMatchObject({ code: 4003 })
    expect(await (await openAs()).closed).toMatchObject({ code: 4003 })
  })

  test('a page that calls more than 500 times in a second has to go', async () => {
    const { openAs } = await setUp()
    const page = await openAs()
    // The server counts by the second, and one may end in between.
    for (let id = 1; id <= 2 * 501; id += 1) page.socket.send(JSON.stringify({ id, call: 'user' }))
    expect(await page.closed).toMatchObject({ code: 4029 })
  })

  test.each([['no JSON'], ['{"call":"user"}'], ['[]'], ['{"id":"1"}']])(
    'ends with what no page of ours sends: %s',
    async (text) => {
      const { openAs } = await setUp()
      const page = await openAs()
      page.socket.send(text)
      expect(await page.closed).toMatchObject({ code: 1008 })
    },
  )

  test('a call that makes no sense is refused', async () => {
    const { openAs } = await setUp()
    const page = await openAs()
    expect(await page.call({ call: 'get', store: 'kv', key: '' })).toBe('invalid_input')
    // No address of the API could name these rooms.
    for (const room of ['', '.', '..', 'a/b', 'ä']) {
      expect([room, await page.join(room)]).toEqual([room, 'invalid_input'])
    }
  })

  test('a call with what a database can’t store is refused', async () => {
    const { relay, openAs } = await setUp()
    const host = await openAs(relay.host)
    const moderate = { call: 'moderate', room: 'chat' } as const
    const outcomes = [
      await host.send('chat', 'Hi', 'a client\0'),
      await host.call({ call: 'entries', store: 'shared', prefix: 'a\0' }),
      await host.call({ ...moderate, action: { kind: 'erase', visitor: 'a\0' } }),
      await host.call({ ...moderate, action: { kind: 'delete', message: 2 ** 31 } }),
    ]
    expect(new Set(outcomes)).toEqual(new Set(['invalid_input']))
  })
})

describe('S69 who a visitor is', () => {
  test('is unknown until the visitor says it, and ends when that is taken back', async () => {
    const { relay, island, openAs } = await setUp()
    const user = await relay.signUp()
    const unnamed = await openAs(user, false)
    expect(await unnamed.call({ call: 'user' })).toBeNull()
    expect(await unnamed.call({ call: 'set', store: 'kv', key: 'a', value: '1' })).toBe(
      'not_agreed',
    )
    expect(await unnamed.send('chat', 'Hi')).toBe('not_agreed')
    const named = await openAs(user)
    const said = { id: expect.any(String), name: user.username, isHost: false }
    expect(await named.call({ call: 'user' })).toEqual(said)
    await user.inject({ method: 'DELETE', url: `/api/relay/access/${island.slug}/answer` })
    expect(await named.closed).toMatchObject({ code: 4000 })
  })

  test('is another one on each island', async () => {
    const { relay, openAs } = await setUp()
    const other = await setUp()
    const user = await relay.signUp()
    const here = await (await openAs(user)).call({ call: 'user' })
    const there = await (await other.openAs(user)).call({ call: 'user' })
    expect(here.id).not.toBe(there.id)
  })

  test('the host is the host', async () => {
    const { relay, openAs } = await setUp()
    expect(await (await openAs(relay.host)).call({ call: 'user' })).toMatchObject({ isHost: true })
  })
})

describe('S69 values', () => {
  test('kv is each visitor’s own', async () => {
    const { relay, openAs } = await setUp()
    const [ada, bob] = [await openAs(await relay.signUp()), await openAs(await relay.signUp())]
    await ada.call({ call: 'set', store: 'kv', key: 'a', value: '{"x":1}' })
    expect(await ada.call({ call: 'get', store: 'kv', key: 'a' })).toBe('{"x":1}')
    expect(await ada.call({ call: 'keys', store: 'kv' })).toEqual(['a'])
    expect(await bob.call({ call: 'get', store: 'kv', key: 'a' })).toBeNull()
    expect(await bob.call({ call: 'keys', store: 'kv' })).toEqual([])
  })

  test('another island has values of its own', async () => {
    const here = await setUp()
    const there = await setUp()
    const host = await here.openAs(here.relay.host)
    await host.call({ call: 'set', store: 'host', key: 'news', value: '"soon"' })
    expect(
      await (await there.openAs()).call({ call: 'get', store: 'host', key: 'news' }),
    ).toBeNull()
    expect(await (await here.openAs()).call({ call: 'get', store: 'host', key: 'news' })).toBe(
      '"soon"',
    )
  })

  test('shared ones are read by all, and changed by their authors and the host', async () => {
    const { relay, openAs } = await setUp()
    const [ada, bob] = [await openAs(await relay.signUp()), await openAs(await relay.signUp())]
    const host = await openAs(relay.host)
    const anybody = await openAs()
    const set = { call: 'set', store: 'shared', key: 'a' } as const
    expect(await ada.call({ ...set, value: '1' })).toBeNull()
    expect(await bob.call({ ...set, value: '2' })).toBe('not_yours')
    expect(await bob.call({ call: 'delete', store: 'shared', key: 'a' })).toBe('not_yours')
    expect(await anybody.call({ ...set, value: '2' })).toBe('not_agreed')
    expect(await anybody.call({ call: 'get', store: 'shared', key: 'a' })).toBe('1')
    expect(await ada.call({ ...set, value: '3' })).toBeNull()
    expect(await host.call({ call: 'delete', store: 'shared', key: 'a' })).toBeNull()
    expect(await bob.call({ call: 'set', store: 'host', key: 'a', value: '1' })).toBe('read_only')
  })

  test('the rules of the pages say who writes', async () => {
    const { relay, openAs } = await setUp(
      rules({
        shared: { 'wall/': 'anyone', 'log/': 'append', 'log/own/': 'own', 'news/': 'host' },
      }),
    )
    const [ada, bob] = [await openAs(await relay.signUp()), await openAs(await relay.signUp())]
    for (const key of ['wall/a', 'log/a', 'log/own/a'])
      expect(await ada.call(setOne(key))).toBeNull()
    expect(await bob.call(setOne('wall/a'))).toBeNull()
    expect(await ada.call({ ...setOne('log/a'), value: '2' })).toBe('not_yours')
    // One whose answer was lost comes again.
    expect(await ada.call(setOne('log/a'))).toBeNull()
    expect(await ada.call(setOne('log/own/a'))).toBeNull()
    expect(await bob.call(setOne('log/own/a'))).toBe('not_yours')
    expect(await ada.call(setOne('news/a'))).toBe('read_only')
  })

  test('a visitor fills no more than the share of one', async () => {
    const { relay, openAs } = await setUp()
    const ada = await openAs(await relay.signUp())
    const value = JSON.stringify('x'.repeat(120 * 1024))
    for (const key of ['a', 'b']) {
      expect(await ada.call({ call: 'set', store: 'kv', key, value })).toBeNull()
    }
    expect(await ada.call({ call: 'set', store: 'shared', key: 'c', value })).toBe('quota_exceeded')
    expect(await ada.call({ call: 'set', store: 'kv', key: 'a', value: '1' })).toBeNull()
    expect(await ada.call({ call: 'set', store: 'shared', key: 'c', value })).toBeNull()
  })

  test('a visitor writes at most 60 times in a minute', async () => {
    const { relay, openAs } = await setUp()
    const ada = await openAs(await relay.signUp())
    const outcomes = []
    for (let at = 0; at < 61; at += 1) {
      outcomes.push(await ada.call({ call: 'set', store: 'kv', key: 'a', value: String(at) }))
    }
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(60)
    expect(outcomes.at(-1)).toBe('rate_limited')
  })

  test('whoever watches gets what is there and what changes', async () => {
    const { relay, openAs } = await setUp()
    const ada = await openAs(await relay.signUp())
    const reader = await openAs()
    const set = (key: string, value: string) =>
      ada.call({ call: 'set', store: 'shared', key, value })
    await set('a/1', '1')
    const { id, name } = await ada.call({ call: 'user' })
    const author = { id, name }
    expect(await reader.call({ call: 'watch', store: 'shared', prefix: 'a/' })).toEqual({
      entries: [{ key: 'a/1', value: '1', author }],
      isWhole: true,
    })
    await set('b/1', '1')
    await set('a/2', '2')
    await ada.call({ call: 'delete', store: 'shared', key: 'a/1' })
    await reader.pushed((push): push is typeof push => changesIn(reader).length === 2)
    expect(changesIn(reader)).toEqual([
      { key: 'a/2', value: '2', author },
      { key: 'a/1', value: null, author },
    ])
    await reader.call({ call: 'unwatch', store: 'shared', prefix: 'a/' })
    await set('a/3', '3')
    expect(await reader.call({ call: 'user' })).toBeNull()
    expect(changesIn(reader)).toHaveLength(2)
  })
})

function changesIn({ pushes }: Awaited<ReturnType<typeof openPage>>) {
  return pushes.flatMap((push) => (push.push === 'changed' ? push.entries : []))
}

describe('S70 rooms', () => {
  test('show the last messages and each new one, in order and once', async () => {
    const { relay, openAs } = await setUp()
    const [ada, bob] = [await openAs(await relay.signUp()), await openAs(await relay.signUp())]
    expect(await ada.join('chat')).toMatchObject({
      last: 0,
      isReset: true,
      events: [],
      roomId: null,
    })
    await bob.join('chat')
    const first = await ada.send('chat', { text: 'Hi' }, 'the-same-one')
    expect(first).toMatchObject({ n: 1, kind: 'message', value: { text: 'Hi' } })
    expect(await ada.send('chat', { text: 'Hi' }, 'the-same-one')).toEqual(first)
    await bob.send('chat', 'Hello')
    expect((await bob.eventsOf('chat', 2)).map(({ n }) => n)).toEqual([1, 2])
    const late = await openAs()
    const { events, last, roomId } = await late.join('chat')
    expect(events.map(({ n }) => n)).toEqual([1, 2])
    expect([last, typeof roomId]).toEqual([2, 'string'])
    await ada.send('chat', 'Third')
    expect(await late.join('chat', 2)).toMatchObject({ isReset: false, events: [{ n: 3 }] })
  })

  test('say who is there', async () => {
    const { relay, openAs } = await setUp()
    const [ada, somebody] = [await openAs(await relay.signUp()), await openAs()]
    await ada.join('chat')
    await somebody.join('chat')
    const people = await ada.pushed(
      (push): push is Extract<typeof push, { push: 'people' }> =>
        push.push === 'people' && push.count === 2,
    )
    expect(people.people).toHaveLength(1)
  })

  test('say who is there to whoever comes again at once, as after saying who they are', async () => {
    const { openAs } = await setUp()
    const before = await openAs()
    await before.join('chat')
    before.socket.close()
    await before.closed
    const page = await openAs()
    expect(await page.join('chat')).toMatchObject({ attendance: { count: 1 } })
    expect(await page.pushed((push): push is typeof push => push.push === 'people')).toMatchObject({
      count: 1,
    })
  })

  test('obey their moderators, and nobody else', async () => {
    const { relay, openAs } = await setUp()
    const adaUser = await relay.signUp()
    const [ada, bob] = [await openAs(adaUser), await openAs(await relay.signUp())]
    const host = await openAs(relay.host)
    for (const page of [ada, bob, host]) await page.join('chat')
    await ada.send('chat', 'one')
    await ada.send('chat', 'two')
    await bob.send('chat', 'three')
    const { id: visitor } = await ada.call({ call: 'user' })
    const moderate = { call: 'moderate', room: 'chat' } as const
    const mute = { kind: 'mute', visitor, minutes: 5 } as const
    expect(await bob.call({ ...moderate, action: mute })).toBe('read_only')
    expect(await bob.call({ ...moderate, action: { kind: 'delete', message: 1 } })).toBe(
      'not_yours',
    )
    expect(await host.call({ ...moderate, action: { kind: 'delete', message: 1 } })).toBeNull()
    expect(await host.call({ ...moderate, action: mute })).toBeNull()
    expect(await ada.send('chat', 'four')).toBe('muted')
    expect(await ada.send('other', 'four')).toBe('muted')
    expect(await host.call({ ...moderate, action: { kind: 'unmute', visitor } })).toBeNull()
    expect(await ada.send('chat', 'five')).toMatchObject({ n: 7 })
    await host.call({ ...moderate, action: { kind: 'read-only', isOn: true } })
    expect(await bob.send('chat', 'six')).toBe('read_only')
    expect(await host.send('chat', 'seven')).toMatchObject({ n: 9 })
    await host.call({ ...moderate, action: { kind: 'erase', visitor } })
    expect((await bob.eventsOf('chat', 10)).map(({ n, kind }) => `${n} ${kind}`)).toEqual([
      '1 message',
      '2 message',
      '3 message',
      '4 delete',
      '5 mute',
      '6 unmute',
      '7 message',
      '8 read-only',
      '9 message',
      '10 erase',
    ])
    const { events } = await (await openAs()).join('chat')
    expect(events.map(({ n }) => n)).toEqual([3, 9])

    await host.call({ ...moderate, action: { kind: 'block', visitor } })
    await ada.pushed((push): push is typeof push => push.push === 'closed')
    expect(await ada.join('chat')).toBe('muted')
    expect(await (await openAs(adaUser)).join('chat')).toBe('muted')
  })

  test('let visitors delete their own messages', async () => {
    const { relay, openAs } = await setUp()
    const ada = await openAs(await relay.signUp())
    const reader = await openAs()
    await reader.join('chat')
    await ada.send('chat', 'Hi')
    const action = { kind: 'delete', message: 1 } as const
    expect(await ada.call({ call: 'moderate', room: 'chat', action })).toBeNull()
    // Its answer may have been lost.
    expect(await ada.call({ call: 'moderate', room: 'chat', action })).toBeNull()
    expect((await reader.eventsOf('chat', 2)).at(-1)).toMatchObject(action)
    expect((await (await openAs()).join('chat')).events).toEqual([])
  })

  test('keep a muted visitor silent who takes the name back', async () => {
    const { relay, island, openAs } = await setUp(rules({ rooms: { guests: 'anyone' } }))
    const user = await relay.signUp()
    const ada = await openAs(user)
    await ada.send('guests', 'Hi')
    const { id: visitor } = await ada.call({ call: 'user' })
    const action = { kind: 'mute', visitor } as const
    await (await openAs(relay.host)).call({ call: 'moderate', room: 'guests', action })
    await user.inject({ method: 'DELETE', url: `/api/relay/access/${island.slug}/answer` })
    expect(await (await openAs(user, false)).send('guests', 'Hi')).toBe('muted')
    expect(await (await openAs(await relay.signUp(), false)).send('guests', 'Hi')).toMatchObject({
      from: null,
    })
  })

  test('let write whom the pages let', async () => {
    const { relay, openAs } = await setUp(rules({ rooms: { guests: 'anyone', news: 'host' } }))
    const [ada, somebody] = [await openAs(await relay.signUp()), await openAs()]
    expect(await somebody.send('guests', 'Hi')).toMatchObject({ from: null })
    expect(await somebody.send('chat', 'Hi')).toBe('not_agreed')
    expect(await ada.send('news', 'Hi')).toBe('read_only')
    expect(await (await openAs(relay.host)).send('news', 'Hi')).toMatchObject({ n: 1 })
    expect(await ada.join('news')).toMatchObject({ rights: { mayWrite: false } })
  })

  test('take 20 messages of a visitor in ten seconds', async () => {
    const { relay, openAs } = await setUp()
    const ada = await openAs(await relay.signUp())
    const outcomes = await Promise.all(Array.from({ length: 21 }, (_, at) => ada.send('chat', at)))
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(1)
  })

  test('take messages of 4 kB', async () => {
    const { relay, openAs } = await setUp()
    const ada = await openAs(await relay.signUp())
    expect(await ada.send('chat', 'x'.repeat(4094))).toMatchObject({ n: 1 })
    expect(await ada.send('chat', 'x'.repeat(4095))).toBe('invalid_input')
  })

  test('forget the messages of a deleted account at once', async () => {
    const { relay, openAs } = await setUp()
    const user = await relay.signUp()
    const ada = await openAs(user)
    const reader = await openAs()
    await reader.join('chat')
    await ada.send('chat', 'Hi')
    await reader.eventsOf('chat', 1)
    await user.inject({
      method: 'POST',
      url: '/api/me/delete',
      payload: { password: testPassword },
    })
    const reset = await reader.pushed(
      (push): push is Extract<typeof push, { push: 'reset' }> => push.push === 'reset',
    )
    expect(reset.joined.events).toEqual([])
  })
})
