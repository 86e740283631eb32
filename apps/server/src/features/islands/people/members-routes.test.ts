import { randomUUID } from 'node:crypto'
import { membersPerIsland, requestsPerIsland } from '@astropelago/contract/limits'
import type { AccessPolicy } from '@astropelago/contract/islands'
import { describe, expect, test } from 'vitest'
import { joinTestIsland, publishTestIsland, viewIsland } from '../../../test/api-islands.ts'
import { createTestApp, type TestBrowser } from '../../../test/create-test-app.ts'

async function setUp(access: AccessPolicy = 'public', isListed = true) {
  const testApp = await createTestApp()
  const { inject, clock, storage, signUp } = testApp
  const [host, ada, bob] = [await signUp(), await signUp(), await signUp()]
  const island = await publishTestIsland(host, { access, isListed })
  const url = `/api/islands/${island.id}`
  const send = (by: TestBrowser, method: 'POST' | 'DELETE', path: string, payload: object = {}) =>
    by.inject({ method, url: `${url}/${path}`, ...(method === 'POST' && { payload }) })
  const read = async (by: TestBrowser, path: string) =>
    (await by.inject({ url: `${url}/${path}` })).json()
  return {
    ...testApp,
    host,
    ada,
    bob,
    island,
    now: () => new Date(clock.now()).toISOString(),
    join: (by: TestBrowser, text?: string) => joinTestIsland(by, island.id, text),
    send,
    read,
    members: async (by: TestBrowser) => {
      const { members } = await read(by, 'members')
      return members?.map(({ username }: { username: string }) => username)
    },
    role: async (by: TestBrowser) => (await viewIsland(by, island.slug))?.role,
    /** The answer for an island that does not exist. */
    missing: async () => {
      const gone = `/api/islands/${crypto.randomUUID()}/members`
      return (await ada.inject({ url: gone })).body
    },
    /** Adds members or requests of users that only have to be many, and returns the first one's name. */
    fill: async (table: 'island_members' | 'island_requests', count: number) => {
      const { db } = storage
      const crew = `crew-${randomUUID().slice(0, 8)}`
      const { key } = await db
        .selectFrom('islands')
        .select('key')
        .where('id', '=', island.id)
        .executeTakeFirstOrThrow()
      const users = await db
        .insertInto('users')
        .values(
          Array.from({ length: count }, (_, at) => ({
            username: `${crew}-${at}`,
            username_folded: `${crew}-${at}`,
            password_hash: null,
            name: null,
            avatar: null,
            is_demo: 0,
            created_ms: 0,
            expires_ms: null,
          })),
        )
        .returning('key')
        .execute()
      const people = users.map((user) => ({ island_key: key, user_key: user.key }))
      await (
        table === 'island_members'
          ? db.insertInto(table).values(people.map((one) => Object.assign(one, { joined_ms: 0 })))
          : db
              .insertInto(table)
              .values(people.map((one) => Object.assign(one, { at_ms: 0, text: '' })))
      ).execute()
      return `${crew}-0`
    },
    inject,
  }
}

describe('members', () => {
  test('a user who joins a public island is a member at once; members and the host see the members', async () => {
    const { host, ada, bob, now, join, read, role, missing, inject, island } = await setUp()
    expect(await join(ada)).toBe('member')
    expect(await join(ada)).toBe('member')
    expect(await join(host)).toBe('host')
    const all = {
      members: [{ username: ada.username, name: null, avatar: null, joinedAt: now() }],
      total: 1,
      hasMore: false,
    }
    expect(await read(host, 'members')).toEqual(all)
    expect(await read(ada, 'members')).toEqual(all)
    expect(await role(ada)).toBe('member')
    const refused = await bob.inject({ url: `/api/islands/${island.id}/members` })
    expect(refused.body).toBe(await missing())
    const url = `/api/islands/${island.id}/join`
    expect((await inject({ method: 'POST', url, payload: {} })).statusCode).toBe(401)
  })

  test('a user who leaves or is removed is no longer a member, and may join again', async () => {
    const { host, ada, bob, send, join, members, role } = await setUp('members')
    await join(ada)
    await join(bob)
    expect((await send(ada, 'POST', 'leave')).statusCode).toBe(204)
    expect((await send(ada, 'POST', 'leave')).statusCode).toBe(404)
    expect((await send(ada, 'DELETE', `members/${bob.username}`)).statusCode).toBe(404)
    expect((await send(host, 'DELETE', `members/${bob.username.toUpperCase()}`)).statusCode).toBe(
      204,
    )
    expect((await send(host, 'DELETE', `members/${bob.username}`)).statusCode).toBe(404)
    expect(await members(host)).toEqual([])
    expect(await role(bob)).toBe('guest')
    expect(await join(bob)).toBe('member')
  })

  test('they come a page at a time, after the last user of the page before', async () => {
    const { host, ada, join, fill, read } = await setUp()
    await fill('island_members', 50)
    await join(ada)
    const first = await read(host, 'members')
    expect(first).toMatchObject({ total: 51, hasMore: true })
    expect(first.members).toHaveLength(50)
    const after = first.members.at(-1).username
    const rest = await read(host, `members?after=${after}`)
    expect(rest).toMatchObject({ total: 51, hasMore: false })
    expect(rest.members).toHaveLength(1)
    expect(await read(host, 'members?after=nobody')).toMatchObject({ members: [], hasMore: false })
  })

  test('S52 the members of an island and its requests are limited', async () => {
    const full = await setUp()
    await full.fill('island_members', membersPerIsland)
    const refused = await full.send(full.ada, 'POST', 'join')
    expect(refused.json()).toMatchObject({ code: 'member_limit' })
    const asked = await setUp('invited')
    const first = await asked.fill('island_requests', requestsPerIsland)
    const unanswered = await asked.send(asked.ada, 'POST', 'join')
    expect(unanswered.json()).toMatchObject({
      code: 'request_limit',
      error: expect.stringContaining('already waiting for an answer'),
    })
    await asked.send(asked.host, 'POST', `requests/${first}`, { isLetIn: false })
    expect((await asked.send(asked.ada, 'POST', 'join')).statusCode).toBe(200)
  })

  test('S52 joining and leaving is limited', async () => {
    const { ada, send } = await setUp()
    const statuses = []
    for (let tried = 0; tried < 61; tried += 1) {
      statuses.push((await send(ada, 'POST', 'join')).statusCode)
    }
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200]))
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('requests', () => {
  test('a user who asks waits until the host answers', async () => {
    const { host, ada, bob, now, send, read, join, role, members } = await setUp('invited')
    expect(await join(ada, ' It\u202E’s me ')).toBe('asked')
    expect(await join(bob)).toBe('asked')
    expect(await role(ada)).toBe('asked')
    expect(await read(host, 'requests')).toEqual([
      { username: ada.username, name: null, avatar: null, text: 'It’s me', at: now() },
      { username: bob.username, name: null, avatar: null, text: '', at: now() },
    ])
    expect(
      (await send(ada, 'POST', `requests/${ada.username}`, { isLetIn: true })).statusCode,
    ).toBe(404)
    expect(
      (await send(host, 'POST', `requests/${ada.username.toUpperCase()}`, { isLetIn: true }))
        .statusCode,
    ).toBe(204)
    expect(
      (await send(host, 'POST', `requests/${bob.username}`, { isLetIn: false })).statusCode,
    ).toBe(204)
    expect(
      (await send(host, 'POST', `requests/${bob.username}`, { isLetIn: true })).statusCode,
    ).toBe(404)
    expect((await send(host, 'POST', 'requests/nobody', { isLetIn: true })).statusCode).toBe(404)
    expect(await members(host)).toEqual([ada.username])
    expect([await role(ada), await role(bob)]).toEqual(['member', 'guest'])
  })

  test('a request can be withdrawn, and a user who asked can join once the access policy allows it', async () => {
    const { host, ada, island, send, read, join } = await setUp('invited')
    await join(ada)
    expect((await send(ada, 'POST', 'leave')).statusCode).toBe(204)
    expect(await read(host, 'requests')).toEqual([])
    await join(ada)
    const payload = { access: 'public', isListed: true }
    await host.inject({ method: 'POST', url: `/api/islands/${island.id}/publish`, payload })
    expect(await join(ada)).toBe('member')
    expect(await read(host, 'requests')).toEqual([])
  })

  test('the text of a request has a maximum length', async () => {
    const { ada, send } = await setUp('invited')
    for (const text of ['a'.repeat(281), 'a\u0007']) {
      const refused = await send(ada, 'POST', 'join', { text })
      expect(refused.json()).toMatchObject({ code: 'invalid_input' })
    }
  })
})

describe('blocks', () => {
  test('S57 a user whom the host blocks is at once like a stranger', async () => {
    const { host, ada, send, read, join, role, members, missing } = await setUp()
    await join(ada)
    expect((await send(host, 'POST', `blocks/${ada.username}`)).statusCode).toBe(204)
    expect((await send(host, 'POST', `blocks/${ada.username}`)).statusCode).toBe(204)
    expect(await members(host)).toEqual([])
    expect(await read(host, 'blocks')).toMatchObject([{ username: ada.username }])
    expect(await role(ada)).toBe('visitor')
    for (const [path, payload] of [
      ['join', {}],
      ['notes', { text: 'Hi' }],
      ['leave', {}],
    ] as const) {
      const refused = await send(ada, 'POST', path, payload)
      expect(refused.body).toBe(await missing())
    }
    expect((await send(host, 'DELETE', `blocks/${ada.username}`)).statusCode).toBe(204)
    expect((await send(host, 'DELETE', `blocks/${ada.username}`)).statusCode).toBe(404)
    expect(await join(ada)).toBe('member')
  })

  test('S57 a blocked user gets the answer for a missing island if it is for members', async () => {
    const { host, ada, island, send } = await setUp('members', false)
    expect(await viewIsland(ada, island.slug)).toBeDefined()
    await send(host, 'POST', `blocks/${ada.username}`)
    expect(await viewIsland(ada, island.slug)).toBeUndefined()
  })

  test('a host can’t block themselves or a user who does not exist', async () => {
    const { host, send } = await setUp()
    expect((await send(host, 'POST', `blocks/${host.username}`)).statusCode).toBe(404)
    expect((await send(host, 'POST', 'blocks/nobody')).statusCode).toBe(404)
  })
})

test('an account’s export has memberships and requests, with names only of islands that the user may see', async () => {
  const { host, ada, island, join } = await setUp('invited')
  await join(ada, 'Please')
  const own = async () => (await ada.inject({ url: '/api/me/export' })).json().memberships
  expect(await own()).toMatchObject([
    { island: { slug: island.slug, name: island.name }, state: 'asked', text: 'Please' },
  ])
  const payload = { access: 'invited', isListed: false }
  await host.inject({ method: 'POST', url: `/api/islands/${island.id}/publish`, payload })
  expect(await own()).toMatchObject([{ island: null, state: 'asked' }])
  const kinds: { kind: string }[] = (await ada.inject({ url: '/api/me/data' })).json()
  expect(kinds.find(({ kind }) => kind === 'memberships')).toMatchObject({
    count: 1,
    text: '1 island joined or asked to join',
  })
})
