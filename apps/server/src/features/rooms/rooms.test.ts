import type { RuntimeAnswer } from '@astropelago/contract/island-runtime'
import { expect, test, vi } from 'vitest'
import { alone } from '../../cluster/cluster.ts'
import { InstanceNotices } from '../../cluster/instance-notices.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { createRooms } from './rooms.ts'
import { sqlRoomsStore } from './sql-rooms-store.ts'

test('S44 a room that could not be loaded keeps no other room from what other servers say', async () => {
  const storage = await openTestStorage()
  const { key: islandKey } = await insertIsland(storage.db)
  const stored = sqlRoomsStore(storage)
  const outage = Promise.withResolvers<never>()
  const notices = new InstanceNotices()
  const rooms = createRooms({
    clock: () => 0,
    cluster: { ...alone, size: () => 2 },
    schedule: { every: () => undefined, everyOnLeader: () => undefined },
    changes: { subscribe: () => undefined },
    log: { warn: () => undefined },
    store: {
      ...stored,
      find: (key: number, name: string) =>
        name === 'lost' ? outage.promise : stored.find(key, name),
    },
    notices,
    readRule: async () => 'anyone',
    isOfInstallation: () => false,
    isLoungeClosed: false,
  })
  const pushes: RuntimeAnswer[] = []
  const visitor = {
    islandKey,
    userKey: null,
    writer: null,
    isDemo: false,
    createdMs: 0,
    isModerator: false,
    network: 'n',
  }
  const reader = { visitor, push: (push: RuntimeAnswer) => void pushes.push(push) }
  const said = (room: string) =>
    notices.receive(2).take(JSON.stringify({ kind: 'room', islandKey, room, isBlock: false }))

  const joining = rooms.join({ room: 'lost' }, reader, () => undefined)
  said('lost')
  outage.reject(new StorageUnavailable('it is away'))
  await expect(joining).rejects.toThrow('away')
  await rooms.join({ room: 'chat' }, reader, () => undefined)
  const message = { islandKey, room: 'chat', clientId: 'the-first', value: '1', atMs: 0 }
  const by = { userKey: null, author: null, isModerator: false }
  await stored.append([{ kind: 'message', ...message, ...by }])
  said('chat')
  await vi.waitFor(() => expect(pushes).toMatchObject([{ push: 'events', room: 'chat' }]), 2500)
})

test('S63 signed-out visitors of an island send 200 messages in ten seconds, from however many networks', async () => {
  const storage = await openTestStorage()
  const { key: islandKey } = await insertIsland(storage.db)
  const rooms = createRooms({
    clock: () => 0,
    cluster: alone,
    schedule: { every: () => undefined, everyOnLeader: () => undefined },
    changes: { subscribe: () => undefined },
    log: { warn: () => undefined },
    store: sqlRoomsStore(storage),
    notices: new InstanceNotices(),
    readRule: async () => 'anyone',
    isOfInstallation: () => false,
    isLoungeClosed: false,
  })
  const nobody = { islandKey, userKey: null, writer: null, isDemo: false, createdMs: 0 }
  const outcomes = await Promise.all(
    Array.from({ length: 210 }, async (_, at) => {
      const visitor = { ...nobody, isModerator: false, network: `2001:db8:0:${at}::` }
      const message = { room: 'chat', clientId: `message-${at}`, value: '1' }
      return await rooms.send(visitor, message).catch((error: unknown) => String(error))
    }),
  )
  expect(outcomes.filter((outcome) => typeof outcome === 'string')).toHaveLength(10)
})

test('S70 whoever is blocked while they enter is shut out', async () => {
  const storage = await openTestStorage()
  const { key: islandKey } = await insertIsland(storage.db)
  const userKey = await insertUser(storage.db)
  const stored = sqlRoomsStore(storage)
  const rooms = createRooms({
    clock: () => 0,
    cluster: alone,
    schedule: { every: () => undefined, everyOnLeader: () => undefined },
    changes: { subscribe: () => undefined },
    log: { warn: () => undefined },
    store: {
      ...stored,
      find: async (...room) => {
        // The moderator is quicker than the reading of the room.
        await storage.db
          .insertInto('room_silences')
          .values({
            island_key: islandKey,
            user_key: userKey,
            visitor_id: 'v',
            name: 'Bob',
            kind: 'block',
            until_ms: null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return await stored.find(...room)
      },
    },
    notices: new InstanceNotices(),
    readRule: async () => 'anyone',
    isOfInstallation: () => false,
    isLoungeClosed: false,
  })
  const pushes: RuntimeAnswer[] = []
  const rights = { isDemo: false, createdMs: 0, isModerator: false }
  const visitor = { islandKey, userKey, writer: null, ...rights, network: 'n' }
  const reader = { visitor, push: (push: RuntimeAnswer) => void pushes.push(push) }
  await rooms.join({ room: 'chat' }, reader, () => undefined)
  expect(pushes).toEqual([{ push: 'closed', room: 'chat' }])
  expect(rooms.peopleIn(islandKey, 'chat')).toBe(0)
})
