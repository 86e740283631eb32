import type { OwnMessage } from '@astropelago/contract/streams'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { EventStreamReader } from '../../http/event-stream.ts'
import { eventStream } from '../../http/event-stream.ts'
import { MessageStream } from './message-stream.ts'
import { OwnStreams } from './own-streams.ts'
import type { IslandEvent, StreamIslands } from './stream-sources.ts'
import { inTime } from '../../test/in-time.ts'

/** What a user is to an island: of it, and may know of it or not. */
type Owned = Readonly<Record<number, Readonly<Record<number, boolean>>>>

/** Users who listen to islands of a storage that counts what it is asked. */
function setUp(owned: Owned) {
  let now = owned
  const listeners: ((event: IslandEvent) => void)[] = []
  const listOwn = vi.fn<StreamIslands['listOwn']>(async (userKey) =>
    Object.entries(now).flatMap(([islandKey, owners]) => {
      const mayKnow = owners[userKey]
      return mayKnow === undefined ? [] : [{ islandKey: Number(islandKey), mayKnow }]
    }),
  )
  const readRights = vi.fn<StreamIslands['readRights']>(async (islandKey) => {
    const owners = now[islandKey] ?? {}
    return (userKey) => {
      const mayKnow = owners[userKey ?? 0]
      return { mayKnow: mayKnow === true, mayEnter: mayKnow === true, isOwn: mayKnow !== undefined }
    }
  })
  const failures: unknown[] = []
  const streams = new OwnStreams({
    islands: {
      listen: (listener) => void listeners.push(listener),
      findVisible: async () => ({ islandKey: 0 }),
      hostOf: () => null,
      listOwn,
      readRights,
    },
    devices: {
      listen: () => undefined,
      listenFlips: () => undefined,
      listenReports: () => undefined,
      listOwn: async () => [],
      readOwners: async () => [],
    },
    noteFailure: (error) => failures.push(error),
  })
  /** Begins to listen; what is told goes out at once. */
  const listen = async (userKey: number) => {
    const told: string[] = []
    const reader: EventStreamReader = {
      encoding: eventStream,
      write: (bytes) => {
        for (const [, json = ''] of bytes.toString().matchAll(/^data: (.*)$/gm)) {
          told.push(JSON.parse(json).type)
        }
      },
      unreadBytes: () => 0,
      end: () => told.push('end'),
      destroy: () => undefined,
    }
    const stream = new MessageStream<OwnMessage>({
      mayRead: async () => true,
      after: (ms, act) => (ms < 1000 ? queueMicrotask(act) : undefined),
    })
    const leave = await streams.join({ userKey, isOperator: false }, stream)
    stream.open(reader)
    return { told, leave }
  }
  const change = (to: Owned, islandKey: number, userKeys: readonly number[] = []) => {
    now = to
    for (const tell of listeners) {
      tell({ kind: 'changed', islandKey, id: String(islandKey), userKeys })
    }
  }
  const remove = (islandKey: number) => {
    now = {}
    for (const tell of listeners)
      tell({ kind: 'gone', islandKey, id: String(islandKey), userKeys: [] })
  }
  onTestFinished(() => expect(failures).toEqual([]))
  return { listen, change, remove, listOwn, readRights, failures }
}

const askedOf = ({ readRights }: Pick<ReturnType<typeof setUp>, 'readRights'>) =>
  readRights.mock.calls.map(([islandKey, userKeys]) => [
    islandKey,
    userKeys.toSorted((a, b) => a - b),
  ])

test('S33 a change of an island asks about who listens and is concerned, and about nobody where none is', async () => {
  const owned = { 1: { 11: true, 12: true }, 2: { 13: true } }
  const world = setUp(owned)
  for (const userKey of [11, 12, 13, 14]) await world.listen(userKey)
  world.change(owned, 3, [99])
  world.change(owned, 1, [14, 99])
  await vi.waitFor(() => expect(askedOf(world)).toEqual([[1, [11, 12, 14]]]), inTime)
  // It was not theirs.
  world.change(owned, 1)
  await vi.waitFor(() => expect(askedOf(world).slice(1)).toEqual([[1, [11, 12]]]), inTime)
})

test('nothing is asked of who has left', async () => {
  const owned = { 1: { 11: true } }
  const world = setUp(owned)
  const { leave } = await world.listen(11)
  await world.listen(12)
  leave()
  world.change(owned, 1, [11])
  world.change(owned, 1, [12])
  await vi.waitFor(() => expect(askedOf(world)).toEqual([[1, [12]]]), inTime)
})

test('S57 who loses the right hears that it is gone, also where it was lost before they came, and that it is back', async () => {
  const [shown, hidden] = [{ 1: { 11: true } }, { 1: { 11: false } }]
  const world = setUp(hidden)
  const { told } = await world.listen(11)
  world.change(shown, 1)
  await vi.waitFor(() => expect(told).toEqual(['islands', 'island-changed']), inTime)
  world.change(hidden, 1)
  await vi.waitFor(() => expect(told).toContain('island-gone'), inTime)
  const before = told.length
  world.change(hidden, 1)
  await vi.waitFor(() => expect(world.readRights).toHaveBeenCalledTimes(3), inTime)
  await vi.waitFor(() => expect(told.slice(before)).toEqual([]), inTime)
})

test('who joins an island that is gone before that is read asks for their islands anew', async () => {
  const world = setUp({ 1: { 11: true } })
  const [host, guest] = [await world.listen(11), await world.listen(12)]
  world.change({ 1: { 11: true, 12: true } }, 1, [12])
  world.remove(1)
  await vi.waitFor(() => expect(guest.told).toEqual(['islands']), inTime)
  expect(host.told).toEqual(['island-gone', 'islands'])
})

test('who joins an island that they lose before that is read asks for their islands anew', async () => {
  const world = setUp({ 1: {} })
  const { told } = await world.listen(12)
  world.change({ 1: { 12: true } }, 1, [12])
  world.change({ 1: {} }, 1, [12])
  await vi.waitFor(() => expect(told).toEqual(['islands']), inTime)
})

test('S57 what changes while somebody begins to listen is newer than what was read for them', async () => {
  const [shown, hidden] = [{ 1: { 11: true } }, { 1: { 11: false } }]
  const world = setUp(shown)
  const reading = Promise.withResolvers<Awaited<ReturnType<StreamIslands['listOwn']>>>()
  world.listOwn.mockReturnValueOnce(reading.promise)
  const listening = world.listen(11)
  world.change(hidden, 1)
  reading.resolve([{ islandKey: 1, mayKnow: true }])
  const { told } = await listening
  await vi.waitFor(() => expect(told).toContain('island-gone'), inTime)
})

test('S57 where nobody can say who may know, those whom it concerns ask for everything anew, and no others', async () => {
  const owned = { 1: { 11: true }, 2: { 12: true } }
  const world = setUp(owned)
  const [concerned, other] = [await world.listen(11), await world.listen(12)]
  world.readRights.mockRejectedValueOnce(new Error('the disk is gone'))
  world.change(owned, 1)
  await vi.waitFor(() => expect(concerned.told).toEqual(['reload', 'end']), inTime)
  expect(other.told).toEqual([])
  expect(world.failures.splice(0)).toHaveLength(1)
})
