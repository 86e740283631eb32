import type { IslandHolding } from '@astropelago/contract/island-data'
import { describe, expect, test } from 'vitest'
import { testPassword } from '../../test/factories.ts'
import type { TestBrowser } from '../../test/create-test-app.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { sqlRoomsStore } from '../rooms/sql-rooms-store.ts'
import { publishPages } from './testing/island-page.ts'

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof publishPages>>['openAs']>>

const set = (page: Page, store: 'kv' | 'shared' | 'host', key: string, value: unknown) =>
  page.call({ call: 'set', store, key, value: JSON.stringify(value) })

/** An island that holds something of Ada and of Bob, and a reader who watches it. */
async function setUp() {
  const relay = await shareRelayApp()
  const pages = await publishPages(relay)
  const [ada, bob] = [await relay.signUp(), await relay.signUp()]
  const [adasPage, bobsPage] = [await pages.openAs(ada), await pages.openAs(bob)]
  await set(adasPage, 'kv', 'own', 'ä')
  await set(adasPage, 'shared', 'a', { by: 'Ada' })
  await set(bobsPage, 'shared', 'b', { by: 'Bob' })
  await adasPage.send('chat', 'Hi')
  await bobsPage.send('chat', 'Hello')
  const reader = await pages.openAs()
  await reader.call({ call: 'watch', store: 'shared', prefix: '' })
  await reader.join('chat')
  const { id } = pages.island
  const url = `/api/me/islands-data/${id}`
  return {
    ...relay,
    ...pages,
    ada,
    bob,
    adasPage,
    reader,
    url,
    holdings: async (by: TestBrowser) =>
      (await by.inject({ url: '/api/me/islands-data' })).json<IslandHolding[]>(),
    /** What is left of everybody, as it is told to the reader. */
    leftFor: async (page: Page) => {
      const { entries } = await page.pushed(
        (push): push is Extract<typeof push, { push: 'entries' }> => push.push === 'entries',
      )
      return entries.map(({ key }) => key)
    },
  }
}

describe('S69 what an island holds of a user', () => {
  test('is listed and exported for that user alone', async () => {
    const { ada, bob, signUp, inject, island, url, holdings } = await setUp()
    const { id, slug, name } = island
    const listed = { island: { id, slug, name }, values: 2, valueBytes: 16, messages: 1 }
    expect(await holdings(ada)).toEqual([listed])
    expect(await holdings(bob)).toEqual([{ ...listed, values: 1, valueBytes: 12 }])
    const stranger = await signUp()
    expect(await holdings(stranger)).toEqual([])
    const exported = await ada.inject({ url })
    expect(exported.headers['content-disposition']).toMatch(/^attachment; filename="/)
    const at = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(exported.json()).toEqual({
      values: [
        { store: 'kv', key: 'own', value: 'ä', changedAt: at },
        { store: 'shared', key: 'a', value: { by: 'Ada' }, changedAt: at },
      ],
      messages: [{ room: 'chat', at, value: 'Hi' }],
    })
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await stranger.inject({ method, url })).statusCode).toBe(404)
      expect((await inject({ method, url })).statusCode).toBe(401)
    }
  })

  test('is deleted for all who see it, and other people’s stays', async () => {
    const { ada, bob, adasPage, openAs, reader, url, holdings, leftFor } = await setUp()
    const { id: visitor } = await adasPage.call({ call: 'user' })
    expect((await ada.inject({ method: 'DELETE', url })).statusCode).toBe(204)
    expect(await leftFor(reader)).toEqual(['b'])
    expect(await reader.eventsOf('chat', 1)).toMatchObject([{ kind: 'erase', visitor }])
    expect((await (await openAs()).join('chat')).events).toMatchObject([{ value: 'Hello' }])
    expect(await adasPage.call({ call: 'get', store: 'kv', key: 'own' })).toBeNull()
    expect(await holdings(ada)).toEqual([])
    expect((await ada.inject({ method: 'DELETE', url })).statusCode).toBe(404)
    expect(await holdings(bob)).toMatchObject([{ values: 1, messages: 1 }])
  })

  test('is known to a user who may no longer see the island, but not the island’s name', async () => {
    const { ada, bob, host, island, url, holdings } = await setUp()
    const payload = { access: 'invited', isListed: false }
    await host.inject({ method: 'POST', url: `/api/islands/${island.id}/publish`, payload })
    expect(await holdings(ada)).toMatchObject([
      { island: { id: island.id, slug: null, name: null }, values: 2, messages: 1 },
    ])
    expect((await ada.inject({ url })).json()).toMatchObject({ messages: [{ value: 'Hi' }] })
    expect((await ada.inject({ method: 'DELETE', url })).statusCode).toBe(204)
    expect(await holdings(bob)).toMatchObject([{ values: 1, messages: 1 }])
  })

  test('is part of the account’s export and goes with the account, at once for all who see it', async () => {
    const { ada, reader, island, leftFor } = await setUp()
    const own = (await ada.inject({ url: '/api/me/data' })).json<{ kind: string }[]>()
    expect(own).toEqual(
      expect.arrayContaining([
        { kind: 'islandValues', count: 2, text: '2 values that islands hold' },
        { kind: 'roomMessages', count: 1, text: '1 message in a room' },
      ]),
    )
    expect((await ada.inject({ url: '/api/me/export' })).json()).toMatchObject({
      islandValues: [
        { island: island.id, store: 'kv', key: 'own', value: 'ä' },
        { island: island.id, store: 'shared', key: 'a', value: { by: 'Ada' } },
      ],
      roomMessages: [{ island: island.id, room: 'chat', atMs: expect.any(Number), value: 'Hi' }],
    })
    const payload = { password: testPassword }
    await ada.inject({ method: 'POST', url: '/api/me/delete', payload })
    expect(await leftFor(reader)).toEqual(['b'])
    const { joined } = await reader.pushed(
      (push): push is Extract<typeof push, { push: 'reset' }> => push.push === 'reset',
    )
    expect(joined.events).toMatchObject([{ value: 'Hello' }])
  })

  test('is exported with the account in whole, page after page', async () => {
    const { ada, storage } = await setUp()
    const [hi] = await storage.db
      .selectFrom('room_events')
      .innerJoin('rooms', 'rooms.key', 'room_events.room_key')
      .select(['rooms.island_key as islandKey', 'user_key as userKey', 'at_ms as atMs'])
      .where('value', '=', '"Hi"')
      .orderBy('room_key', 'desc')
      .execute()
    if (hi === undefined) throw new Error('Ada’s message is not stored')
    const sent = Array.from({ length: 1200 }, (_, n) => ({
      ...hi,
      kind: 'message' as const,
      room: n % 2 === 0 ? 'chat' : 'games',
      author: { userKey: hi.userKey ?? 0, id: 'ada', name: 'Ada' },
      clientId: `exported-${n}`,
      value: String(n),
      isModerator: false,
    }))
    await sqlRoomsStore(storage).append(sent)
    const exported = (await ada.inject({ url: '/api/me/export' })).json<{
      roomMessages: { room: string; value: unknown }[]
    }>()
    const valuesIn = (name: string) =>
      exported.roomMessages.filter(({ room }) => room === name).map(({ value }) => value)
    const evens = Array.from({ length: 600 }, (_, n) => 2 * n)
    expect(valuesIn('chat')).toEqual(['Hi', ...evens].toReversed())
    expect(valuesIn('games')).toEqual(evens.map((n) => n + 1).toReversed())
  })

  test('is not told anew when the user signs out', async () => {
    const { ada, bob, openAs, reader } = await setUp()
    await ada.inject({ url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } })
    await (await openAs(bob)).send('chat', 'Who was that?')
    await reader.eventsOf('chat', 1)
    expect(reader.pushes.map(({ push }) => push)).not.toContain('reset')
  })
})

describe('what an island’s pages use', () => {
  test('is known to its host, who sets the budget of the language model', async () => {
    const { host, ada, inject, island } = await setUp()
    const url = `/api/islands/${island.id}/runtime`
    const change = (by: TestBrowser, llmDailyTokens: number) =>
      by.inject({ method: 'PATCH', url, payload: { llmDailyTokens } })
    const used = {
      llm: { isConfigured: false, dailyTokens: 0, usedToday: 0 },
      values: { keys: 3, bytes: 28 },
    }
    expect((await host.inject({ url })).json()).toEqual(used)
    expect((await change(host, 5000)).json()).toEqual({
      ...used,
      llm: { ...used.llm, dailyTokens: 5000 },
    })
    expect((await change(host, 0)).json()).toEqual(used)
    for (const wrong of [-1, 0.5, 10_000_001]) {
      expect((await change(host, wrong)).json()).toMatchObject({ code: 'invalid_input' })
    }
    expect((await ada.inject({ url })).statusCode).toBe(404)
    expect((await change(ada, 1)).statusCode).toBe(404)
    expect((await inject({ url })).statusCode).toBe(401)
  })
})
