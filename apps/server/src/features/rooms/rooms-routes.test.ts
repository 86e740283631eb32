import type { Room, RoomContents } from '@astropelago/contract/rooms'
import { describe, expect, test } from 'vitest'
import { createTestInvitation, joinTestIsland } from '../../test/api-islands.ts'
import { deploy, makeHostedDraft } from '../../test/api-pages.ts'
import type { TestBrowser } from '../../test/create-test-app.ts'
import { operatorOptions, shareOperatorApp } from '../../test/operator-app.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { pagesAt, publishPages } from '../island-runtime/testing/island-page.ts'

type Access = Parameters<typeof publishPages>[2]

const post = (by: TestBrowser, url: string, payload: object) =>
  by.inject({ method: 'POST', url, payload })

async function setUp(to?: Access) {
  const { operator } = await shareOperatorApp()
  const relay = await shareRelayApp(operatorOptions)
  const pages = await publishPages(relay, undefined, to)
  const { id } = pages.island
  const own = `/api/islands/${id}/rooms`
  const asOperator = `/api/operator/islands/${id}/rooms`
  return {
    ...relay,
    ...pages,
    operator,
    own,
    asOperator,
    moderate: async (by: TestBrowser, payload: object, at = own) =>
      (await post(by, `${at}/chat/moderation`, payload)).statusCode,
    list: async (by: TestBrowser, at = own) => (await by.inject({ url: at })).json<Room[]>(),
    read: async (by: TestBrowser, at = own) =>
      (await by.inject({ url: `${at}/chat` })).json<RoomContents>(),
    /** How many are there, as this browser is told; undefined if it is not. */
    there: async ({ inject }: Pick<TestBrowser, 'inject'>) =>
      (await inject({ url: '/api/islands/attendance' })).json<Record<string, number>>()[id],
  }
}

describe('S70 rooms of an island', () => {
  test('are listed, read and moderated by its host', async () => {
    const { host, clock, signUp, openAs, list, read, moderate } = await setUp()
    const user = await signUp()
    const ada = await openAs(user)
    await ada.join('chat')
    await ada.send('chat', 'Hi')
    await ada.send('chat', { text: 'Hello', color: 'red' })
    await ada.send('chat', { color: 'red' })
    clock.move(1000)
    await ada.send('late', 'Hi')
    const { id, name } = await ada.call({ call: 'user' })
    expect(await list(host)).toEqual([
      expect.objectContaining({ name: 'late', messageCount: 1, peopleCount: 0 }),
      expect.objectContaining({
        name: 'chat',
        messageCount: 3,
        peopleCount: 1,
        isReadOnly: false,
      }),
    ])
    expect(await moderate(host, { kind: 'delete', message: 1 })).toBe(204)
    expect(await moderate(host, { kind: 'mute', visitor: id, minutes: 5 })).toBe(204)
    expect(await ada.send('chat', 'More')).toBe('muted')
    const at = expect.stringMatching(/^\d{4}-.*Z$/)
    const from = { id, name }
    expect(await read(host)).toMatchObject({
      messageCount: 2,
      messages: [
        { n: 2, at, from, isByHost: false, text: 'Hello' },
        { n: 3, at, from, isByHost: false, text: '{"color":"red"}' },
      ],
      silenced: [{ id, name: user.username, kind: 'mute', until: at }],
    })
    expect(await moderate(host, { kind: 'unmute', visitor: id })).toBe(204)
    await (await openAs(host)).send('chat', 'Welcome')
    expect((await read(host)).messages.at(-1)).toMatchObject({ isByHost: true, text: 'Welcome' })
    expect(await moderate(host, { kind: 'read-only', isOn: true })).toBe(204)
    expect(await read(host)).toMatchObject({ isReadOnly: true, silenced: [] })
    expect(await moderate(host, { kind: 'mute', visitor: 'nobody' })).toBe(404)
    for (const message of [0, 2 ** 31]) {
      expect(await moderate(host, { kind: 'delete', message })).toBe(400)
    }
    expect(await moderate(host, { kind: 'delete', message: 1000 })).toBe(204)
  })

  test('are not there for anybody else', async () => {
    const { host, inject, signUp, openAs, island, own, asOperator, moderate } = await setUp()
    const [member, stranger] = [await signUp(), await signUp()]
    await joinTestIsland(member, island.id)
    await (await openAs(host)).send('chat', 'Hi')
    for (const by of [member, stranger]) {
      for (const at of [own, asOperator]) {
        for (const url of [at, `${at}/chat`])
          expect((await by.inject({ url })).statusCode).toBe(404)
        expect(await moderate(by, { kind: 'delete', message: 1 }, at)).toBe(404)
      }
    }
    expect((await inject({ url: own })).statusCode).toBe(401)
    expect((await host.inject({ url: `${own}/none` })).statusCode).toBe(404)
    expect((await host.inject({ url: asOperator })).statusCode).toBe(404)
  })

  test('S59 are moderated by operators, and the audit log says how but not what was said', async () => {
    const { signUp, operator, openAs, island, asOperator, ...calls } = await setUp()
    const ada = await openAs(await signUp())
    await ada.join('chat')
    await ada.send('chat', 'a secret word')
    const { id: visitor } = await ada.call({ call: 'user' })
    expect(await calls.list(operator, asOperator)).toMatchObject([{ name: 'chat' }])
    expect(await calls.read(operator, asOperator)).toMatchObject({
      messages: [{ text: 'a secret word' }],
    })
    const mute = { kind: 'mute', visitor, minutes: 5 }
    expect(await calls.moderate(operator, mute, asOperator)).toBe(204)
    expect(await calls.moderate(operator, { kind: 'erase', visitor }, asOperator)).toBe(204)
    expect((await ada.eventsOf('chat', 3)).map(({ kind }) => kind)).toEqual([
      'message',
      'mute',
      'erase',
    ])
    expect(await calls.read(operator, asOperator)).toMatchObject({ messages: [] })
    const subject = `island:${island.id}`
    const audit = await operator.inject({ url: `/api/operator/audit?subject=${subject}` })
    const by = { actor: `operator:${operator.username}`, subject, outcome: 'done' }
    expect(audit.json()).toMatchObject({
      entries: [
        { ...by, action: 'room.erase', details: { room: 'chat', kind: 'erase', visitor } },
        { ...by, action: 'room.mute', details: { room: 'chat', ...mute } },
      ],
    })
    expect(audit.body).not.toContain('secret')
  })
})

describe('S54 how many people are in rooms', () => {
  test('of an island in the directory is told to everybody, each person once', async () => {
    const { inject, signUp, openAs, there } = await setUp({ isListed: true })
    expect(await there({ inject })).toBeUndefined()
    const user = await signUp()
    for (const page of [await openAs(user), await openAs(user), await openAs()]) {
      await page.join('chat')
      await page.join('other')
    }
    // Nobody knows whether whoever did not say it is the same in both rooms.
    expect(await there({ inject })).toBe(3)
    expect(await there(await signUp())).toBe(3)
  })

  test.each(['public', 'members', 'invited'] as const)(
    'of an island for %s that is in no directory is told to its host and members',
    async (access) => {
      const { host, inject, signUp, openAs, there, island } = await setUp({ access })
      const [member, stranger] = [await signUp(), await signUp()]
      const { code } = await createTestInvitation(host, island.id)
      expect((await post(member, '/api/invitations/accept', { code })).statusCode).toBe(200)
      const page = await openAs(member)
      await page.join('chat')
      for (const by of [host, member]) expect(await there(by)).toBe(1)
      for (const by of [stranger, { inject }]) expect(await there(by)).toBeUndefined()
      await page.call({ call: 'leave', room: 'chat' })
      expect(await there(host)).toBeUndefined()
    },
  )

  test('of an island in the directory that only members enter is told to them', async () => {
    const { host, inject, signUp, openAs, there } = await setUp({
      access: 'invited',
      isListed: true,
    })
    await (await openAs(host)).join('chat')
    expect(await there(host)).toBe(1)
    for (const by of [await signUp(), { inject }]) expect(await there(by)).toBeUndefined()
  })

  test.each(['paused', 'hidden'])('of an island that is %s is told to nobody', async (state) => {
    const { host, inject, signUp, openAs, there, operator, island } = await setUp({
      isListed: true,
    })
    await (await openAs(host)).join('chat')
    expect(await there({ inject })).toBe(1)
    const closed =
      state === 'paused'
        ? await post(host, `/api/islands/${island.id}/pause`, {})
        : await post(operator, `/api/operator/hidden/island/${island.id}`, { reason: 'Rude' })
    expect(closed.statusCode).toBeLessThan(300)
    // Its host may still be inside.
    await (await openAs(host)).join('chat')
    for (const by of [{ inject }, await signUp(), host, operator]) {
      expect(await there(by)).toBeUndefined()
    }
  })

  test('of a draft is told to nobody', async () => {
    const relay = await shareRelayApp(operatorOptions)
    const { id, slug } = await makeHostedDraft(relay.host)
    await deploy(relay.host, id)
    const page = await pagesAt(relay, slug).openAs(relay.host)
    expect(await page.join('chat')).toMatchObject({ last: 0 })
    const told = await relay.host.inject({ url: '/api/islands/attendance' })
    expect(told.json()).not.toHaveProperty(id)
  })
})
