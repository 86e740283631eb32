import { expect, test, vi } from 'vitest'
import { ada, joined, message, scriptedServer } from './testing/scripted-server.ts'

/** A page in a room with these messages, and all that its listeners get. */
async function setUp(numbers: readonly number[] = [1, 2]) {
  const server = await scriptedServer()
  const room = server.spark.room('chat')
  const log: unknown[] = []
  room.onMessage(({ id }) => log.push(id))
  room.onRemove((id) => log.push(`-${id}`))
  room.onReset(() => log.push('reset'))
  const first = await server.next()
  first.hello(ada)
  const { id } = await first.take('join')
  first.send({ id, result: joined(numbers.map((n) => message(n))) })
  await vi.waitFor(() => expect(log).toEqual(numbers))
  const push = (...events: Parameters<typeof joined>[0]) =>
    first.send({ push: 'events', room: 'chat', roomId: 'r1', events })
  return { ...server, room, log, first, push }
}

test('a room has its last messages and each new one, in order, each once', async () => {
  const { log, push } = await setUp()
  push(message(3))
  push(message(3), message(4))
  push(message(2))
  push(message(5))
  await vi.waitFor(() => expect(log).toEqual([1, 2, 3, 4, 5]))
})

test('after a lost connection, the page asks for what it missed', async () => {
  const { log, first, next, room } = await setUp()
  const states: string[] = []
  room.onState((state) => states.push(state))
  first.close()
  const second = await next()
  second.hello(ada)
  const { id, after } = await second.take('join')
  expect(after).toBe(2)
  // What is said meanwhile comes before the answer, and is in it or not.
  second.send({ push: 'events', room: 'chat', roomId: 'r1', events: [message(4)] })
  second.send({ push: 'events', room: 'chat', roomId: 'r1', events: [message(5)] })
  second.send({ id, result: joined([message(3), message(4)], { isReset: false }) })
  second.send({ push: 'events', room: 'chat', roomId: 'r1', events: [message(6)] })
  await vi.waitFor(() => expect(log).toEqual([1, 2, 3, 4, 5, 6]))
  expect(states).toEqual(['live', 'connecting', 'live'])
})

test('if too much was missed, the page starts anew', async () => {
  const { log, first, next, room } = await setUp()
  first.close()
  const second = await next()
  second.hello(ada)
  const { id } = await second.take('join')
  second.send({ id, result: joined([message(800), message(802)]) })
  await vi.waitFor(() => expect(log).toEqual([1, 2, 'reset', 800, 802]))
  second.send({ push: 'reset', room: 'chat', joined: joined([message(900)], { last: 901 }) })
  second.send({ push: 'events', room: 'chat', roomId: 'r1', events: [message(902)] })
  await vi.waitFor(() => expect(log.slice(5)).toEqual(['reset', 900, 902]))
  const late: number[] = []
  room.onMessage((one) => late.push(one.id))
  await vi.waitFor(() => expect(late).toEqual([900, 902]))
  // A server whose database is from a backup has lower numbers.
  second.send({ push: 'reset', room: 'chat', joined: joined([message(7)]) })
  await vi.waitFor(() => expect(log.slice(8)).toEqual(['reset', 7]))
})

test('a gap between messages is filled before the later ones', async () => {
  const { log, first, push } = await setUp()
  push(message(5))
  const { id, after } = await first.take('join')
  expect(after).toBe(2)
  push(message(6))
  // Number 3 is deleted.
  first.send({ id, result: joined([message(4), message(5)], { isReset: false }) })
  await vi.waitFor(() => expect(log).toEqual([1, 2, 4, 5, 6]))
})

test('a room without an id gets one with its first message', async () => {
  const { spark, next } = await scriptedServer()
  const room = spark.room('new')
  const log: number[] = []
  room.onMessage(({ id }) => log.push(id))
  const connection = await next()
  connection.hello()
  const empty = await connection.take('join')
  connection.send({ id: empty.id, result: joined([], { roomId: null }) })
  connection.send({ push: 'events', room: 'new', roomId: 'r1', events: [message(1)] })
  await vi.waitFor(() => expect(log).toEqual([1]))
  const open = vi.fn<(url: string) => void>()
  vi.stubGlobal('window', { open })
  room.report(1)
  expect(open.mock.calls[0]?.[0]).toBe('https://sky.example/islands/lounge?report=r1-1')
  vi.unstubAllGlobals()
})

test('deleted messages are removed, also those of one visitor', async () => {
  const { log, push, room } = await setUp([])
  push(message(1, ada), message(2), message(3, ada))
  push(
    { kind: 'delete', n: 4, atMs: 0, message: 2 },
    { kind: 'erase', n: 5, atMs: 0, visitor: 'a1' },
  )
  push(message(6))
  await vi.waitFor(() => expect(log).toEqual([1, 2, 3, '-2', '-1', '-3', 6]))
  const late: number[] = []
  room.onMessage(({ id }) => late.push(id))
  await vi.waitFor(() => expect(late).toEqual([6]))
})

test('a message that was sent before the connection was lost is sent again, with the same id', async () => {
  const { first, next, room } = await setUp()
  const sending = [room.send('ahoy'), room.send({ text: 'you' })]
  const sent = [await first.take('send'), await first.take('send')]
  expect(sent.map(({ value }) => value)).toEqual(['"ahoy"', '{"text":"you"}'])
  first.close()
  const second = await next()
  second.hello(ada)
  const again = [await second.take('send'), await second.take('send')]
  expect(again).toEqual(sent)
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(2)
  for (const [index, { id }] of again.entries()) {
    second.send({ id, result: message(3 + index, ada) })
  }
  const messages = await Promise.all(sending)
  expect(messages.map(({ id }) => id)).toEqual([3, 4])
  expect(messages[0]).toEqual({
    id: 3,
    value: 'm3',
    from: { id: 'a1', name: 'Ada' },
    time: new Date(3000),
    isMine: true,
  })
})

test('people, rights and whose a message is come to listeners, also late ones', async () => {
  const { first, push, room } = await setUp([])
  const people = [{ id: 'b2', name: 'Bo' }]
  first.send({ push: 'people', room: 'chat', count: 3, people })
  first.send({ push: 'rights', room: 'chat', mayWrite: false, isModerator: true })
  push(message(1, ada), message(2, { id: 'b2', name: 'Bo' }), message(3))
  const onMessage = vi.fn<(message: unknown) => void>()
  room.onMessage(onMessage)
  await vi.waitFor(() => expect(onMessage).toHaveBeenCalledTimes(3))
  expect(onMessage.mock.calls).toMatchObject([
    [{ isMine: true, from: { name: 'Ada' } }],
    [{ isMine: false, from: { id: 'b2', name: 'Bo' } }],
    [{ isMine: false, from: { id: null, name: 'somebody' } }],
  ])
  const got: unknown[] = []
  room.onPeople((value) => got.push(value))
  room.onRights((value) => got.push(value))
  room.onState((value) => got.push(value))
  await vi.waitFor(() => expect(got).toHaveLength(3))
  expect(got).toEqual([{ count: 3, people }, { mayWrite: false, isModerator: true }, 'live'])
})

test('a listener that throws, or that was stopped, keeps nothing from others', async () => {
  const { push, room, log } = await setUp([])
  const thrown = vi.fn<(error: unknown) => void>()
  const throwers = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', thrown)
  try {
    room.onMessage(() => {
      throw new Error('The page’s own')
    })
    const after: number[] = []
    const stop = room.onMessage(({ id }) => {
      after.push(id)
      if (id === 2) stop()
    })
    await Promise.resolve()
    push(message(1), message(2), message(3))
    await vi.waitFor(() => expect(log).toEqual([1, 2, 3]))
    expect(after).toEqual([1, 2])
    await vi.waitFor(() => expect(thrown).toHaveBeenCalledTimes(3))
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of throwers) process.on('uncaughtException', listener)
  }
})

test('a late listener gets the last 200 messages, until it is stopped', async () => {
  const { room } = await setUp(Array.from({ length: 250 }, (_, index) => index + 1))
  const got: number[] = []
  const stop = room.onMessage(({ id }) => {
    got.push(id)
    if (id === 53) stop()
  })
  await vi.waitFor(() => expect(got).toEqual([51, 52, 53]))
  const all: number[] = []
  room.onMessage(({ id }) => all.push(id))
  await vi.waitFor(() => expect(all).toHaveLength(200))
})

test('a room whose answer is lost with the connection is asked for once more', async () => {
  const { spark, next } = await scriptedServer()
  const states: string[] = []
  spark.room('chat').onState((state) => states.push(state))
  const first = await next()
  first.hello()
  await first.take('join')
  first.close()
  const second = await next()
  second.hello()
  const { id } = await second.take('join')
  second.send({ id, result: joined([]) })
  await vi.waitFor(() => expect(states).toEqual(['connecting', 'live']))
  expect(second.received).toHaveLength(1)
  second.close(4003)
  await vi.waitFor(() => expect(states).toEqual(['connecting', 'live', 'connecting', 'closed']))
})

test('a room that was left gets nothing, and can be entered again', async () => {
  const { first, push, room, log, spark } = await setUp([])
  expect(spark.room('chat')).toBe(room)
  room.leave()
  expect(await first.take('leave')).toMatchObject({ room: 'chat' })
  push(message(1))
  const again = spark.room('chat')
  expect(again).not.toBe(room)
  room.leave()
  const { id, after } = await first.take('join')
  expect(after).toBeUndefined()
  first.send({ id, result: joined([message(1)]) })
  const got: number[] = []
  again.onMessage((one) => got.push(one.id))
  await vi.waitFor(() => expect(got).toEqual([1]))
  expect(log).toEqual([])
  expect(first.received.filter(({ call }) => call === 'leave')).toHaveLength(1)
})

test('a room that is refused is closed, and asked for again on the next connection', async () => {
  const { spark, next } = await scriptedServer()
  const states: string[] = []
  spark.room('chat').onState((state) => states.push(state))
  const first = await next()
  first.hello()
  const refused = await first.take('join')
  first.send({ id: refused.id, error: { code: 'muted', message: 'Blocked' } })
  await vi.waitFor(() => expect(states).toEqual(['connecting', 'closed']))
  first.close()
  const second = await next()
  second.hello()
  const { id } = await second.take('join')
  second.send({ id, result: joined([]) })
  await vi.waitFor(() => expect(states.at(-1)).toBe('live'))
})

test('moderators’ calls are sent as actions', async () => {
  const { first, room } = await setUp()
  const calls = [
    room.remove(2),
    room.removeAllOf('b2'),
    room.mute('b2', 60),
    room.block('b2'),
    room.unmute('b2'),
    room.setReadOnly(true),
  ]
  for (const action of [
    { kind: 'delete', message: 2 },
    { kind: 'erase', visitor: 'b2' },
    { kind: 'mute', visitor: 'b2', minutes: 60 },
    { kind: 'block', visitor: 'b2' },
    { kind: 'unmute', visitor: 'b2' },
    { kind: 'read-only', isOn: true },
  ]) {
    const call = await first.take('moderate')
    expect(call).toEqual({ id: call.id, call: 'moderate', room: 'chat', action })
    first.send({ id: call.id, result: null })
  }
  expect(await Promise.all(calls)).toEqual(calls.map(() => undefined))
})

test('whoever is shut out of a room sees nothing of it any more', async () => {
  const { spark, next } = await scriptedServer()
  const room = spark.room('chat')
  const states: string[] = []
  const reset = vi.fn<() => void>()
  room.onState((state) => states.push(state))
  room.onReset(reset)
  const connection = await next()
  connection.hello(ada)
  connection.send({ id: (await connection.take('join')).id, result: joined([message(1)]) })
  connection.send({ push: 'closed', room: 'chat' })
  await vi.waitFor(() => expect(states).toEqual(['connecting', 'live', 'closed']))
  expect(reset).toHaveBeenCalledOnce()
  const late: number[] = []
  room.onMessage(({ id }) => late.push(id))
  await Promise.resolve()
  expect(late).toEqual([])
})
