import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { runtimeSocketPath } from '@astropelago/contract/island-runtime'
import { roomsPerIsland } from '@astropelago/contract/limits'
import { expect, onTestFinished, test } from 'vitest'
import { publishTestPages } from '../../test/api-pages.ts'
import type { TestBrowser } from '../../test/create-test-app.ts'
import { operatorOf, operatorOptions } from '../../test/operator-app.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { visitorOf } from '../../test/relay-visitor.ts'
import { openPage } from './testing/island-page.ts'

type Files = Parameters<typeof publishTestPages>[1]

async function setUp(rules: object = {}, to?: Parameters<typeof publishTestPages>[2]) {
  const relay = await shareRelayApp(operatorOptions)
  const files: Files = { 'index.html': 'x', 'astropelago.json': JSON.stringify(rules) }
  const island = await publishTestPages(relay.host, files, to)
  const hostName = `${island.slug}.localhost`
  const cookieOf = async (user: TestBrowser, tellsName = true) => {
    const visitor = visitorOf(relay, island.slug, user)
    await visitor.enter(tellsName)
    return visitor.cookie()
  }
  const openAs = async (user?: TestBrowser, tellsName = true) =>
    await openPage(relay.port, {
      hostName,
      ...(user !== undefined && { cookie: await cookieOf(user, tellsName) }),
    })
  const takeBack = (user: TestBrowser) =>
    user.inject({ method: 'DELETE', url: `/api/relay/access/${island.slug}/answer` })
  return { relay, island, hostName, cookieOf, openAs, takeBack }
}

/** A masked frame of a text of less than 64 KiB. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = Buffer.from([0x81, 0xfe, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

/** A client that answers no close. */
async function openStubborn(port: number, hostName: string, cookie: string) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined).resume()
  const host = `${hostName}:${port}`
  const headers = [
    `Host: ${host}`,
    `Origin: http://${host}`,
    `Cookie: ${cookie}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  socket.write(`GET ${runtimeSocketPath} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  return { say: (call: object) => socket.write(textFrame(JSON.stringify(call))) }
}

test('S57 a client that ignores the close writes nothing more, and is in no room', async () => {
  const { relay, hostName, cookieOf, openAs, takeBack } = await setUp()
  const user = await relay.signUp()
  const reader = await openAs()
  await reader.join('chat')
  const stubborn = await openStubborn(relay.port, hostName, await cookieOf(user))
  const send = { call: 'send', room: 'chat', value: '1' }
  stubborn.say({ id: 1, call: 'join', room: 'chat' })
  stubborn.say({ id: 2, ...send, clientId: 'the-first' })
  await reader.eventsOf('chat', 1)
  await takeBack(user)
  await wait(500)
  stubborn.say({ id: 3, ...send, clientId: 'the-second' })
  stubborn.say({ id: 4, call: 'set', store: 'shared', key: 'a', value: '1' })
  await wait(300)
  expect(reader.events('chat')).toHaveLength(1)
  expect(await reader.call({ call: 'get', store: 'shared', key: 'a' })).toBeNull()
  expect(await reader.join('chat')).toMatchObject({ attendance: { count: 1 } })
})

test('S57 an island that an operator stops has no pages any more', async () => {
  const { relay, island, openAs } = await setUp()
  const operator = await operatorOf(relay)
  const page = await openAs()
  const url = `/api/operator/islands/${island.id}/stop-relay`
  await operator.inject({ method: 'POST', url, payload: { reason: 'Phishing.' } })
  expect(await page.closed).toMatchObject({ code: 4003 })
  expect(await (await openAs()).closed).toMatchObject({ code: 4003 })
})

test('S70 a blocked visitor can’t write without a name either', async () => {
  const { relay, openAs, takeBack } = await setUp({ rooms: { guests: 'anyone' } })
  const user = await relay.signUp()
  const named = await openAs(user)
  const { id: visitor } = await named.call({ call: 'user' })
  await named.send('guests', 'Hi')
  const host = await openAs(relay.host)
  const action = { kind: 'block', visitor } as const
  expect(await host.call({ call: 'moderate', room: 'guests', action })).toBeNull()
  await takeBack(user)
  await named.closed
  const unnamed = await openAs(user, false)
  expect(await unnamed.send('guests', 'Hi again')).toBe('muted')
  const again = await openAs(user)
  expect(await again.send('guests', 'Hi again')).toBe('muted')
})

test('S70 nobody silences a moderator', async () => {
  const { relay, openAs } = await setUp()
  const operator = await openAs(await operatorOf(relay))
  const host = await openAs(relay.host)
  await operator.send('chat', 'Hi')
  const { id: visitor } = await operator.call({ call: 'user' })
  const action = { kind: 'mute', visitor } as const
  await host.call({ call: 'moderate', room: 'chat', action })
  expect(await operator.send('chat', 'Hi again')).toMatchObject({ n: 3 })
})

test('S70 a message with another visitor’s client id is one of its own', async () => {
  const { relay, openAs } = await setUp()
  const [ada, bob] = [await openAs(await relay.signUp()), await openAs(await relay.signUp())]
  await ada.send('chat', 'from Ada', 'the-same-one')
  expect(await bob.send('chat', 'from Bob', 'the-same-one')).toMatchObject({ value: 'from Bob' })
})

test.each([
  ['a NUL in a client id', 'send', { clientId: '\0-------', value: '1' }],
  ['half a character in a client id', 'send', { clientId: '\ud800-------', value: '1' }],
  ['a large number', 'moderate', { action: { kind: 'delete', message: 2 ** 53 - 1 } }],
  ['a NUL in a visitor', 'moderate', { action: { kind: 'erase', visitor: '\0' } }],
])('S70 what no database takes fails no message of others: %s', async (_what, call, asked) => {
  const { relay, openAs } = await setUp()
  const host = await openAs(relay.host)
  const bob = await openAs(await relay.signUp())
  await bob.send('chat', 'first')
  const [refused, taken] = await Promise.all([
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    host.call({ call, room: 'chat', ...asked } as Parameters<typeof host.call>[0]),
    bob.send('chat', 'second'),
  ])
  expect(refused).toBe('invalid_input')
  expect(taken).toMatchObject({ value: 'second' })
})

test('S69 two keys are never one, and a prefix misses none', async () => {
  const { relay, openAs } = await setUp({ shared: { 'log/': 'append' } })
  const [ada, bob] = [await openAs(await relay.signUp()), await openAs(await relay.signUp())]
  const set = { call: 'set', store: 'shared' } as const
  await ada.call({ ...set, key: 'log/\ufffd', value: '1' })
  expect(await bob.call({ ...set, key: 'log/\ud800', value: '2' })).toBe('invalid_input')
  for (const prefix of ['\ud800', '\0']) {
    const entries = { call: 'entries', store: 'shared', prefix } as const
    expect(await ada.call(entries)).toBe('invalid_input')
  }
  await ada.call({ ...set, key: 'log/\u{10ffff}x', value: '3' })
  const { entries: listed } = await bob.call({ call: 'entries', store: 'shared', prefix: 'log/' })
  expect(listed.map(({ value }: { value: string }) => value)).toEqual(['1', '3'])
})

test('S70 visitors can’t take the last rooms of an island from its moderators', async () => {
  const { relay, openAs } = await setUp()
  const pages = await Promise.all(
    Array.from({ length: 4 }, async () => await openAs(await relay.signUp())),
  )
  const sent = await Promise.all(
    pages.flatMap((page, at) =>
      Array.from({ length: 20 }, (_, room) => page.send(`room-${at}-${room}`, 'Mine')),
    ),
  )
  expect(sent.filter((outcome) => outcome !== 'quota_exceeded')).toHaveLength(roomsPerIsland)
  const late = await openAs(await relay.signUp())
  expect(await late.send('real', 'Hi')).toBe('quota_exceeded')
  const host = await openAs(relay.host)
  expect(await host.send('real', 'Hi')).toMatchObject({ n: 1 })
  expect(await late.join('real')).toMatchObject({ events: [{ n: 1 }] })
})

test('S70 the moderators of an island do 120 things in a minute', async () => {
  const { relay, island, openAs } = await setUp()
  const page = await openAs(relay.host)
  await page.send('chat', 'Hi')
  const action = { kind: 'delete', message: 1 } as const
  const url = `/api/islands/${island.id}/rooms/chat/moderation`
  const outcomes = await Promise.all(
    Array.from({ length: 121 }, async () => {
      return (await relay.host.inject({ method: 'POST', url, payload: action })).statusCode
    }),
  )
  expect(outcomes.filter((status) => status === 204)).toHaveLength(120)
  expect(await page.call({ call: 'moderate', room: 'chat', action })).toBe('rate_limited')
})

async function seenBy({ inject }: Pick<TestBrowser, 'inject'>) {
  return (await inject({ url: '/api/islands/attendance' })).json()
}

test('S54 attendance names no island that strangers know by its link alone', async () => {
  const { relay, island, openAs } = await setUp()
  const listed = await setUp({}, { isListed: true })
  await (await openAs()).join('chat')
  await (await listed.openAs()).join('chat')
  expect(await seenBy(relay)).toMatchObject({ [listed.island.id]: 1 })
  for (const stranger of [relay, await relay.signUp()]) {
    expect(await seenBy(stranger)).not.toHaveProperty(island.id)
  }
  expect(await seenBy(relay.host)).toMatchObject({ [island.id]: 1 })
})

test('S70 a page is in 20 rooms at most, and in none that it left while it came', async () => {
  const { openAs } = await setUp()
  const page = await openAs()
  const joined = await Promise.all(Array.from({ length: 40 }, (_, at) => page.join(`room-${at}`)))
  expect(joined.filter((outcome) => Object.is(outcome, 'quota_exceeded'))).toHaveLength(20)
  const other = await openAs()
  await Promise.all([other.join('chat'), other.call({ call: 'leave', room: 'chat' })])
  expect(await (await openAs()).join('chat')).toMatchObject({ attendance: { count: 1 } })
})

test('S69 what a visitor has deleted is told to those who watch', async () => {
  const { relay, island, openAs } = await setUp()
  const ada = await relay.signUp()
  const page = await openAs(ada)
  const host = await openAs(relay.host)
  const set = { call: 'set', store: 'shared', value: '1' } as const
  await page.call({ ...set, key: 'a' })
  await host.call({ ...set, key: 'b' })
  const reader = await openAs()
  await reader.call({ call: 'watch', store: 'shared', prefix: '' })
  await ada.inject({ method: 'DELETE', url: `/api/me/islands-data/${island.id}` })
  const told = await reader.pushed(
    (push): push is Extract<typeof push, { push: 'entries' }> => push.push === 'entries',
  )
  expect(told.entries.map(({ key }) => key)).toEqual(['b'])
})

test('S47 an answer lists four megabytes of the newest values', async () => {
  const { relay, openAs } = await setUp()
  const host = await openAs(relay.host)
  const value = JSON.stringify('x'.repeat(100 * 1024))
  for (let at = 10; at < 60; at += 1) {
    await host.call({ call: 'set', store: 'host', key: `k${at}`, value })
    relay.clock.move(1000)
  }
  const { entries: listed, isWhole } = await host.call({
    call: 'entries',
    store: 'host',
    prefix: '',
  })
  expect(isWhole).toBe(false)
  expect(listed.map(({ key }: { key: string }) => key)).toEqual(
    Array.from({ length: 40 }, (_, at) => `k${at + 20}`),
  )
})

test('S31 a report of a message with an id that no database takes is refused', async () => {
  const { relay, openAs } = await setUp()
  const page = await openAs(await relay.signUp())
  await page.send('chat', 'Hi')
  const { roomId } = await page.join('chat')
  const reporter = await relay.signUp()
  const report = async (id: string) => {
    const payload = { kind: 'room-message', id, reason: 'spam' }
    return (await reporter.inject({ method: 'POST', url: '/api/reports', payload })).statusCode
  }
  expect(await report(`${roomId}-999999999999999`)).toBe(404)
  expect(await report('\0-1')).toBe(404)
  expect(await report(`${roomId}-1`)).toBe(204)
})

test('S35 a visitor asks for the language model 60 times in a minute at most', async () => {
  const { openAs } = await setUp()
  const page = await openAs()
  const request = {
    messages: [{ role: 'user', content: 'Hi' }],
    model: 'any',
    max_tokens: 1,
  } as const
  const outcomes = []
  for (let at = 0; at < 61; at += 1)
    outcomes.push(
      await page.call({ call: 'llm', request: { ...request, messages: [...request.messages] } }),
    )
  expect(outcomes.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 'llm_off'))
  expect(outcomes.at(-1)).toBe('rate_limited')
})

test('S63 pages of one network count as ten people at most, and as one if they are one user’s', async () => {
  const { relay, openAs } = await setUp()
  const user = await relay.signUp()
  const pages = await Promise.all([
    ...Array.from({ length: 15 }, () => openAs()),
    openAs(user, false),
    openAs(user, false),
  ])
  for (const page of pages) await page.join('chat')
  expect(await (await openAs()).join('chat')).toMatchObject({ attendance: { count: 11 } })
})

test('S47 a page that sends more than eight megabytes in a second has to go', async () => {
  const { openAs } = await setUp()
  const page = await openAs()
  const large = JSON.stringify({ id: 1, call: 'user', x: 'x'.repeat(256 * 1024) })
  // The server counts by the second, and one may end in between.
  for (let at = 0; at < 2 * 33; at += 1) page.socket.send(large)
  expect(await page.closed).toMatchObject({ code: 4029 })
})
