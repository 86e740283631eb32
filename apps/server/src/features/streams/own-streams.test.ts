import type { OwnMessage } from '@astropelago/contract/streams'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventStream, type EventStreamReader } from '../../http/event-stream.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { IslandEvent } from './island-streams.ts'
import { MessageStream } from './message-stream.ts'
import { OwnStreams } from './own-streams.ts'
import { inTime } from '../../test/in-time.ts'

/** By island, the users who host it or have joined it, and whether they may see it. */
type Owned = Readonly<Record<number, Readonly<Record<number, boolean>>>>

/** Users who listen to islands. The mocks count what is read. */
function setUp(owned: Owned) {
  let now = owned
  const listeners: ((event: IslandEvent) => void)[] = []
  const listOwn = vi.fn<IslandsFeature['listOwn']>(async (userKey) =>
    Object.entries(now).flatMap(([islandKey, owners]) => {
      const mayKnow = owners[userKey]
      return mayKnow === undefined ? [] : [{ islandKey: Number(islandKey), mayKnow }]
    }),
  )
  const readRights = vi.fn<IslandsFeature['readRights']>(async (islandKey) => {
    const owners = now[islandKey] ?? {}
    return (userKey) => {
      const mayKnow = owners[userKey ?? 0]
      const may = mayKnow === true
      return { mayKnow: may, mayEnter: may, entersPaused: false, isOwn: mayKnow !== undefined }
    }
  })
  const failures: unknown[] = []
  const streams = new OwnStreams({
    islands: {
      listen: (listener) => void listeners.push(listener),
      hostOf: () => null,
      listOwn,
      readRights,
    },
    devices: {
      listen: () => undefined,
      listOwn: async () => [],
      readOwners: async () => [],
    },
    presence: { listen: () => undefined },
    reports: { listen: () => undefined },
    onFailure: (error) => failures.push(error),
  })
  /** Begins to listen. Messages go out at once. */
  const listen = async (userKey: number) => {
    const received: string[] = []
    const reader: EventStreamReader = {
      encoding: eventStream,
      write: (bytes) => {
        for (const [, json = ''] of bytes.toString().matchAll(/^data: (.*)$/gm)) {
          received.push(JSON.parse(json).type)
        }
      },
      unreadBytes: () => 0,
      end: () => received.push('end'),
      destroy: () => undefined,
    }
    const stream = new MessageStream<OwnMessage>({
      mayRead: async () => true,
      after: (ms, act) => (ms < 1000 ? queueMicrotask(act) : undefined),
    })
    const leave = await streams.join({ userKey, isOperator: false }, stream)
    stream.open(reader, false)
    return { received, leave }
  }
  const change = (to: Owned, islandKey: number, userKeys: readonly number[] = []) => {
    now = to
    for (const notify of listeners) {
      notify({ kind: 'changed', islandKey, id: String(islandKey), userKeys })
    }
  }
  const remove = (islandKey: number) => {
    now = {}
    for (const notify of listeners)
      notify({ kind: 'gone', islandKey, id: String(islandKey), userKeys: [] })
  }
  onTestFinished(() => expect(failures).toEqual([]))
  return { listen, change, remove, listOwn, readRights, failures }
}

const askedOf = ({ readRights }: Pick<ReturnType<typeof setUp>, 'readRights'>) =>
  readRights.mock.calls.map(([islandKey, userKeys]) => [
    islandKey,
    userKeys.toSorted((a, b) => a - b),
  ])

test('S33 a change of an island reads the rights only of listening users whom it concerns', async () => {
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

test('the rights of a user who has left are not read', async () => {
  const owned = { 1: { 11: true } }
  const world = setUp(owned)
  const { leave } = await world.listen(11)
  await world.listen(12)
  leave()
  world.change(owned, 1, [11])
  world.change(owned, 1, [12])
  await vi.waitFor(() => expect(askedOf(world)).toEqual([[1, [12]]]), inTime)
})

test('S57 a user who may see an island again receives it, and receives its end on losing the right', async () => {
  const [shown, hidden] = [{ 1: { 11: true } }, { 1: { 11: false } }]
  const world = setUp(hidden)
  const { received } = await world.listen(11)
  world.change(shown, 1)
  await vi.waitFor(() => expect(received).toEqual(['islands', 'island-changed']), inTime)
  world.change(hidden, 1)
  await vi.waitFor(() => expect(received).toContain('island-gone'), inTime)
  const before = received.length
  world.change(hidden, 1)
  await vi.waitFor(() => expect(world.readRights).toHaveBeenCalledTimes(3), inTime)
  await vi.waitFor(() => expect(received.slice(before)).toEqual([]), inTime)
})

test('a user who joins an island that is deleted before the check loads their islands again', async () => {
  const world = setUp({ 1: { 11: true } })
  const [host, guest] = [await world.listen(11), await world.listen(12)]
  world.change({ 1: { 11: true, 12: true } }, 1, [12])
  world.remove(1)
  await vi.waitFor(() => expect(guest.received).toEqual(['islands']), inTime)
  expect(host.received).toEqual(['island-gone', 'islands'])
})

test('a user who joins an island and loses it before the check loads their islands again', async () => {
  const world = setUp({ 1: {} })
  const { received } = await world.listen(12)
  world.change({ 1: { 12: true } }, 1, [12])
  world.change({ 1: {} }, 1, [12])
  await vi.waitFor(() => expect(received).toEqual(['islands']), inTime)
})

test('S57 a change while a user begins to listen is newer than what was read', async () => {
  const [shown, hidden] = [{ 1: { 11: true } }, { 1: { 11: false } }]
  const world = setUp(shown)
  const reading = Promise.withResolvers<Awaited<ReturnType<IslandsFeature['listOwn']>>>()
  world.listOwn.mockReturnValueOnce(reading.promise)
  const listening = world.listen(11)
  world.change(hidden, 1)
  reading.resolve([{ islandKey: 1, mayKnow: true }])
  const { received } = await listening
  await vi.waitFor(() => expect(received).toContain('island-gone'), inTime)
})

test('S57 when rights can’t be read, only the users concerned load everything again', async () => {
  const owned = { 1: { 11: true }, 2: { 12: true } }
  const world = setUp(owned)
  const [concerned, other] = [await world.listen(11), await world.listen(12)]
  world.readRights.mockRejectedValueOnce(new Error('the disk is gone'))
  world.change(owned, 1)
  await vi.waitFor(() => expect(concerned.received).toEqual(['reload', 'end']), inTime)
  expect(other.received).toEqual([])
  expect(world.failures.splice(0)).toHaveLength(1)
})
