import type { RuntimeAnswer } from '@astropelago/contract/island-runtime'
import { expect, test } from 'vitest'
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
