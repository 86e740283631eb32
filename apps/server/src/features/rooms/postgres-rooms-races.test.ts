import { expect, test } from 'vitest'
import { insertIsland, insertUser } from '../../test/factories.ts'
import { makeTempDir, openTestStorage } from '../../test/open-test-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import { sqlAccountsStore } from '../accounts/sql-accounts-store.ts'
import { sqlIslandValuesStore } from '../island-runtime/sql-island-values-store.ts'
import type { NewEvent, Writer } from './rooms-store.ts'
import { sqlRoomsStore } from './sql-rooms-store.ts'

/** An island whose host and visitor have written in two rooms. */
async function setUp(here: Storage, there: Storage) {
  const { db } = here
  const island = await insertIsland(db)
  const visitorKey = await insertUser(db)
  const [host, visitor] = [
    { userKey: island.hostKey, id: crypto.randomUUID(), name: 'Host' },
    { userKey: visitorKey, id: crypto.randomUUID(), name: 'Visitor' },
  ]
  await db
    .insertInto('relay_answers')
    .values(
      [host, visitor].map(({ userKey, id }) => ({
        user_key: userKey,
        island_key: island.key,
        visitor_id: id,
        shares_name: 1,
        answered_ms: 0,
      })),
    )
    .execute()
  const at = { islandKey: island.key, atMs: 1 }
  const said = (author: Writer | null, room: string): NewEvent => ({
    ...at,
    room,
    kind: 'message',
    userKey: author?.userKey ?? null,
    author,
    clientId: crypto.randomUUID(),
    value: '1',
    isModerator: false,
  })
  const rooms = [sqlRoomsStore(here), sqlRoomsStore(there)] as const
  const many = Array.from({ length: 20 }, () => [said(visitor, 'a'), said(host, 'b')]).flat()
  await rooms[0].append(many)
  const muted = ({ id }: Writer, room: string): NewEvent => ({
    ...at,
    room,
    kind: 'moderation',
    authorKey: null,
    action: { kind: 'mute', visitor: id },
  })
  return { here, there, island, host, visitor, rooms, said, muted }
}

type World = Awaited<ReturnType<typeof setUp>>

test.each<[string, (world: World) => Promise<readonly unknown[]>]>([
  [
    'its host writes while the host’s account is deleted',
    async ({ there, rooms, said, host }) => [
      rooms[0].append([said(host, 'a'), said(host, 'b')]),
      sqlAccountsStore(there).deleteUser(host.userKey),
    ],
  ],
  [
    'an operator mutes its host, whose account is deleted',
    async ({ there, rooms, muted, host }) => [
      rooms[0].append([muted(host, 'a')]),
      sqlAccountsStore(there).deleteUser(host.userKey),
    ],
  ],
  [
    'strangers write in several rooms in any order',
    async ({ rooms, said }) => {
      const names = Array.from({ length: 40 }, (_one, at) => `room-${at}`)
      // The others have yet to be made.
      await rooms[0].append(names.slice(0, 20).map((room) => said(null, room)))
      return [
        rooms[0].append(names.map((room) => said(null, room))),
        rooms[1].append(names.toReversed().map((room) => said(null, room))),
      ]
    },
  ],
  [
    'both write values while the host’s account is deleted',
    async ({ here, there, island, host, visitor }) => [
      sqlIslandValuesStore(here).write(
        [visitor, host].map((writer) => ({
          islandKey: island.key,
          store: 'shared',
          ownerKey: 0,
          key: writer.id,
          writer,
          isHost: false,
          rule: 'own',
          atMs: 1,
          kind: 'set',
          value: '1',
        })),
      ),
      sqlAccountsStore(there).deleteUser(host.userKey),
    ],
  ],
])('two servers never wait for each other: %s', async (_, race) => {
  const dataDir = await makeTempDir()
  const [here, there] = [await openTestStorage(dataDir), await openTestStorage(dataDir)]
  for (let round = 0; round < 15; round += 1) {
    const world = await setUp(here, there)
    const outcomes = await Promise.allSettled(await race(world))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  }
})
