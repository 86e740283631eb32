import { roomsPerIsland } from '@astropelago/contract/limits'
import type { Moderation } from '@astropelago/contract/rooms'
import { expect, test } from 'vitest'
import { insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import type { AppendOutcome, NewMessage } from './rooms-store.ts'
import { sqlRoomsStore } from './sql-rooms-store.ts'

let sent = 0

async function setUp() {
  const storage = await openTestStorage()
  const { db } = storage
  const { key: islandKey } = await insertIsland(db)
  const ada = { userKey: await insertUser(db), id: 'ada', name: 'Ada' }
  const say = (details: Partial<NewMessage> = {}): NewMessage => {
    sent += 1
    return {
      kind: 'message',
      islandKey,
      room: 'chat',
      userKey: ada.userKey,
      author: ada,
      clientId: `message-${sent}`,
      value: String(sent),
      isModerator: false,
      atMs: 1000 + sent,
      ...details,
    }
  }
  const store = sqlRoomsStore(storage)
  const moderate = async (action: Moderation) => {
    const moderation = { kind: 'moderation', islandKey, room: 'chat', action, atMs: 1 } as const
    return await store.append([{ ...moderation, authorKey: null }])
  }
  const roomKey = async () => (await store.find(islandKey, 'chat'))?.key ?? 0
  return { db, store, islandKey, ada, say, moderate, roomKey }
}

const numbers = (outcomes: readonly AppendOutcome[]) =>
  outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.stored.event.n))

test('events are numbered without gaps, and one that is sent again keeps its number', async () => {
  const { store, islandKey, say, moderate } = await setUp()
  const again = say()
  expect(numbers(await store.append([say(), again, say(), again]))).toEqual([1, 2, 3, 2])
  expect(numbers(await store.append([again, say({ room: 'other' }), say()]))).toEqual([2, 1, 4])
  expect(numbers(await moderate({ kind: 'delete', message: 2 }))).toEqual([5])
  expect(numbers(await store.append([again]))).toEqual([2])
  expect(await store.list(islandKey)).toMatchObject([
    { name: 'other', last: 1, messageCount: 1, isReadOnly: false },
    { name: 'chat', last: 5, messageCount: 3, isReadOnly: false },
  ])
})

test('what comes after a number is read whole, or said to be gone', async () => {
  const { store, say, moderate, roomKey } = await setUp()
  await store.append([say(), say(), say(), say()])
  await moderate({ kind: 'delete', message: 3 })
  const key = await roomKey()
  const after = async (n: number) => {
    const { events, ...range } = await store.readAfter(key, n)
    return { ...range, events: events.map(({ event }) => event.n) }
  }
  expect(await after(1)).toEqual({ first: 1, last: 5, events: [2, 4, 5] })
  expect(await after(5)).toEqual({ first: 1, last: 5, events: [] })
  expect(await store.prune(3, 1)).toBe(1)
  expect(await store.prune(3, 10)).toBe(1)
  expect(await store.prune(3, 10)).toBe(0)
  expect(await after(0)).toEqual({ first: 3, last: 5, events: [4, 5] })
  expect((await store.readLast(key, 10)).map(({ event }) => event.n)).toEqual([4])
  expect(await store.readLastNumbers([key, 0])).toEqual(new Map([[key, 5]]))
  expect(await store.readAfter(0, 0)).toEqual({ first: 0, last: 0, events: [] })
})

test('an island has a number of rooms, however many are made at once', async () => {
  const { store, islandKey, say } = await setUp()
  const many = Array.from({ length: roomsPerIsland + 5 }, (_, at) => say({ room: `room-${at}` }))
  const outcomes = numbers(await store.append(many))
  expect(outcomes.filter((outcome) => outcome === 'rooms_full')).toHaveLength(5)
  expect(await store.list(islandKey)).toHaveLength(roomsPerIsland)
  const [first] = many
  expect(numbers(await store.append([say({ room: first?.room ?? '' })]))).toEqual([2])
  expect(numbers(await store.append([say({ room: 'news', isModerator: true })]))).toEqual([1])
})

test('a mute and a block last as long as they are for, and messages are judged in their order', async () => {
  const { db, store, islandKey, ada, say } = await setUp()
  const answer = { user_key: ada.userKey, visitor_id: ada.id, shares_name: 1, answered_ms: 0 }
  await db
    .insertInto('relay_answers')
    .values({ ...answer, island_key: islandKey })
    .execute()
  const action = { kind: 'mute', visitor: ada.id, minutes: 1 } as const
  const mute = { kind: 'moderation', islandKey, room: 'chat', action, authorKey: null } as const
  const at = (atMs: number) => say({ atMs })
  const outcomes = await store.append([at(0), { ...mute, atMs: 0 }, at(59_999), at(60_000)])
  expect(numbers(outcomes)).toEqual([1, 2, 'muted', 3])
  expect(await store.listSilenced(islandKey, 59_999)).toEqual([
    {
      userKey: ada.userKey,
      visitorId: ada.id,
      name: expect.any(String),
      kind: 'mute',
      untilMs: 60_000,
    },
  ])
  expect(await store.listSilenced(islandKey, 60_000)).toEqual([])
  expect(await store.listBlocked([islandKey], 0)).toEqual([])
  const block = { ...mute, action: { kind: 'block', visitor: ada.id } } as const
  await store.append([{ ...block, atMs: 60_000 }])
  expect(await store.listBlocked([islandKey], Number.MAX_SAFE_INTEGER)).toEqual([
    { islandKey, userKey: ada.userKey },
  ])
})

test('nobody writes for a user who is gone, or on an island that is', async () => {
  const { db, store, islandKey, ada, say, roomKey } = await setUp()
  await store.append([say(), say({ userKey: null, author: null })])
  await db.deleteFrom('users').where('key', '=', ada.userKey).execute()
  const stranger = () => say({ userKey: null, author: null })
  expect(numbers(await store.append([say(), stranger()]))).toEqual(['signed_out', 3])
  const left = await store.readLast(await roomKey(), 10)
  expect(left.map(({ event }) => event.n)).toEqual([2, 3])
  await db.deleteFrom('islands').where('key', '=', islandKey).execute()
  expect(numbers(await store.append([stranger()]))).toEqual(['rooms_full'])
})
