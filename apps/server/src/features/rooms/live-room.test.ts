import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { RuntimeAnswer } from '@astropelago/contract/island-runtime'
import { expect, test } from 'vitest'
import { insertIsland } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { LiveRoom, type RoomReader, type Visitor } from './live-room.ts'
import { sqlRoomsStore } from './sql-rooms-store.ts'

test('S47 readers with the same rights share one message when their room is read anew', async () => {
  const room = new LiveRoom(
    { islandKey: 1, name: 'chat' },
    {
      store: sqlRoomsStore(await openTestStorage()),
      readRule: async () => 'visitors',
      people: () => ({ count: 0, people: [] }),
      broadcast: (readers, push) => {
        for (const reader of readers) reader.push(push)
      },
    },
  )
  const enter = async (rights: Partial<Visitor> = {}) => {
    const pushes: RuntimeAnswer[] = []
    const visitor: Visitor = {
      islandKey: 1,
      userKey: null,
      writer: null,
      isDemo: false,
      createdMs: 0,
      isModerator: false,
      network: 'n',
      ...rights,
    }
    const reader: RoomReader = { visitor, push: (push) => void pushes.push(push) }
    await room.enter(reader, undefined, () => undefined)
    return pushes
  }
  await room.ready()
  const [ada, bob] = [await enter(), await enter()]
  const [moderator, demo] = [await enter({ isModerator: true }), await enter({ isDemo: true })]
  await room.reload()
  expect(ada).toMatchObject([{ push: 'reset', joined: { rights: { mayWrite: true } } }])
  expect(bob[0]).toBe(ada[0])
  expect(moderator).toMatchObject([{ push: 'reset', joined: { rights: { isModerator: true } } }])
  expect(demo).toMatchObject([{ push: 'reset', joined: { rights: { mayWrite: false } } }])
})

test('S63 messages of many small objects take little more memory than their text', async () => {
  setFlagsFromString('--expose_gc')
  const collect: () => void = runInNewContext('gc')
  const usedBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const storage = await openTestStorage()
  const store = sqlRoomsStore(storage)
  const { key: islandKey } = await insertIsland(storage.db)
  const value = `[${'[],'.repeat(1360)}1]`
  const by = { kind: 'message', userKey: null, author: null, isModerator: false, atMs: 0 } as const
  const names = ['a', 'b', 'c', 'd']
  for (const room of names) {
    const messages = Array.from({ length: 200 }, (_, at) => {
      return { ...by, islandKey, room, clientId: `message-${at}`, value }
    })
    await store.append(messages)
  }
  const before = usedBytes()
  const rooms = names.map((name) => {
    return new LiveRoom(
      { islandKey, name },
      {
        store,
        readRule: async () => 'visitors',
        people: () => ({ count: 0, people: [] }),
        broadcast: () => undefined,
      },
    )
  })
  for (const room of rooms) await room.ready()
  // As objects they take 42 MB.
  expect(usedBytes() - before).toBeLessThan(15_000_000)
  expect(rooms.map(({ last }) => last)).toEqual([200, 200, 200, 200])
})
