import { roomMessagesShown } from '@astropelago/contract/limits'
import type { Joined, RuntimeAnswer } from '@astropelago/contract/island-runtime'
import type { RoomEvent } from '@astropelago/contract/rooms'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InstanceNotices } from '../../cluster/instance-notices.ts'
import { alone } from '../../cluster/cluster.ts'
import { DomainError } from '../../domain-error.ts'
import { publishTestIsland } from '../../test/api-islands.ts'
import { createTestApp } from '../../test/create-test-app.ts'
import { propertyRuns } from '../../test/property-runs.ts'
import type { RoomReader, Visitor } from './live-room.ts'
import { createRooms, type Rooms } from './rooms.ts'
import { sqlRoomsStore } from './sql-rooms-store.ts'

const room = 'chat'
const userCount = 3

type Move =
  | {
      readonly kind: 'send' | 'retry' | 'unsure' | 'together'
      readonly user: number
      readonly server: number
    }
  | { readonly kind: 'delete'; readonly back: number; readonly server: number }
  | { readonly kind: 'erase' | 'mute' | 'unmute'; readonly user: number; readonly server: number }
  | { readonly kind: 'leave' | 'come' | 'anew'; readonly reader: number; readonly server: number }
  | { readonly kind: 'restart' | 'cut' | 'link' | 'poll'; readonly server: number }

const upTo = (max: number) => fc.integer({ min: 0, max: max - 1 })
const server = upTo(2)
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send'), user: upTo(userCount), server }),
  },
  fc.record({
    kind: fc.constantFrom('retry', 'unsure', 'together'),
    user: upTo(userCount),
    server,
  }),
  fc.record({ kind: fc.constant('delete'), back: upTo(5), server }),
  fc.record({ kind: fc.constantFrom('erase', 'mute', 'unmute'), user: upTo(userCount), server }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('leave', 'come', 'anew'),
      reader: upTo(3),
      server,
    }),
  },
  fc.record({ kind: fc.constantFrom('restart', 'cut', 'link', 'poll'), server }),
)

/** Two messages from elsewhere, of which the first comes again together with a new one. */
const foundByReading: Move[] = [
  { kind: 'come', reader: 0, server: 0 },
  { kind: 'cut', server: 0 },
  { kind: 'send', user: 0, server: 1 },
  { kind: 'send', user: 1, server: 1 },
  { kind: 'together', user: 0, server: 0 },
]

/** What a page makes of what it is told, as the client of `spark` does. */
class Page implements RoomReader {
  readonly visitor: Visitor
  last = 0
  messages = new Map<number, Extract<RoomEvent, { kind: 'message' }>>()
  at: number | undefined

  constructor(visitor: Visitor) {
    this.visitor = visitor
  }

  readonly push = (push: RuntimeAnswer): void => {
    if (!('push' in push)) return
    if (push.push === 'events') for (const event of push.events) this.#apply(event)
    if (push.push === 'reset') this.enter(push.joined)
  }

  enter({ events, isReset, last }: Joined): void {
    if (isReset) this.messages.clear()
    if (isReset) this.last = 0
    for (const event of events) this.#apply(event)
    this.last = Math.max(last, this.last)
  }

  get shown(): string[] {
    const all = [...this.messages.values()].map(({ n, value }) => `${n} ${JSON.stringify(value)}`)
    return all.slice(-roomMessagesShown)
  }

  #apply(event: RoomEvent): void {
    // Each comes once, and in order.
    if (event.n <= this.last) throw new Error(`${event.n} came after ${this.last}`)
    this.last = event.n
    if (event.kind === 'message') this.messages.set(event.n, event)
    if (event.kind === 'delete') this.messages.delete(event.message)
    if (event.kind !== 'erase') return
    for (const [n, { from }] of this.messages)
      if (from?.id === event.visitor) this.messages.delete(n)
  }
}

async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no ${index}`)
  return item
}

test('S70 whatever is sent, retried, cut, restarted and moderated, all readers end with the same list', async () => {
  const testApp = await createTestApp()
  const host = await testApp.signUp()
  const users = [await testApp.signUp(), await testApp.signUp(), await testApp.signUp()]
  const { storage, clock } = testApp
  const rows = await storage.db.selectFrom('users').select(['key', 'username']).execute()
  const keyOf = (name: string) => rows.find(({ username }) => username === name)?.key ?? 0
  const store = sqlRoomsStore(storage)

  const island = await publishTestIsland(host, { access: 'public', isListed: false })
  const [found] = await storage.db
    .selectFrom('islands')
    .select('key')
    .where('id', '=', island.id)
    .execute()
  const islandKey = found?.key ?? 0
  const visitors = users.map(({ username }, index): Visitor => {
    const writer = { userKey: keyOf(username), id: `v${index}`, name: username }
    return {
      islandKey,
      userKey: writer.userKey,
      writer,
      isDemo: false,
      createdMs: 0,
      isModerator: false,
      network: 'n',
    }
  })
  for (const { userKey, writer } of visitors) {
    await storage.db
      .insertInto('relay_answers')
      .values({
        user_key: userKey ?? 0,
        island_key: islandKey,
        visitor_id: writer?.id ?? '',
        shares_name: 1,
        answered_ms: 0,
      })
      .execute()
  }

  const play = async (moves: readonly Move[]) => {
    const links = [true, true]
    const servers = [0, 1].map((index) => openServer(index))
    const reader = { ...at(visitors, 0), userKey: null, writer: null }
    const pages = [new Page(reader), new Page(reader), new Page(reader)]
    let sent = 0
    const lastOf: { clientId: string; value: string }[] = []

    function openServer(index: number) {
      const notices = new InstanceNotices()
      const polls: (() => Promise<unknown>)[] = []
      notices.connect((line) => {
        if (links[0] && links[1]) servers[1 - index]?.notices.receive(index).take(line.trim())
      })
      const rooms: Rooms = createRooms({
        clock: clock.now,
        cluster: { ...alone, size: () => 2 },
        schedule: {
          every: (_ms, _failure, task) => void polls.push(() => task(new AbortController().signal)),
          everyOnLeader: () => undefined,
        },
        changes: { subscribe: () => undefined },
        log: console,
        store,
        notices,
        readRule: async () => 'visitors',
        isOfInstallation: () => false,
        isLoungeClosed: false,
      })
      return { rooms, notices, polls }
    }

    const newMessage = () => {
      sent += 1
      return { clientId: `message-${sent}`, value: String(sent) }
    }
    const leave = (page: Page) => {
      if (page.at !== undefined) servers[page.at]?.rooms.leave(islandKey, room, page)
      page.at = undefined
    }
    const come = async (page: Page, index: number) => {
      leave(page)
      const after = page.last === 0 ? undefined : page.last
      await at(servers, index).rooms.join({ room, after }, page, (joined) => page.enter(joined))
      page.at = index
    }
    const poll = async () => {
      for (const { polls } of servers) for (const task of polls) await task()
    }

    const make = async (move: Move): Promise<void> => {
      const { rooms } = at(servers, move.server)
      clock.move(1100)
      switch (move.kind) {
        case 'send':
        case 'retry':
        case 'unsure':
        case 'together': {
          const isAgain = move.kind === 'retry' || move.kind === 'together'
          const again = isAgain ? lastOf[move.user] : undefined
          const message = again ?? newMessage()
          lastOf[move.user] = message
          const send = (one: typeof message) =>
            quietly(() => rooms.send(at(visitors, move.user), { room, ...one }))
          const sending = [send(message)]
          // One commit takes all of them.
          if (move.kind === 'together') sending.push(send(message), send(newMessage()))
          // The answer to an unsure one is not waited for.
          if (move.kind !== 'unsure') await Promise.all(sending)
          else pending.push(...sending)
          break
        }
        case 'delete': {
          const stored = await store.find(islandKey, room)
          const message = (stored?.last ?? 0) - move.back
          if (message < 1) break
          await quietly(() => rooms.moderate(islandKey, room, { kind: 'delete', message }))
          break
        }
        case 'erase':
        case 'mute':
        case 'unmute': {
          const action = { kind: move.kind, visitor: `v${move.user}` } as const
          await quietly(() => rooms.moderate(islandKey, room, action))
          break
        }
        case 'leave':
          leave(at(pages, move.reader))
          break
        case 'come':
          await come(at(pages, move.reader), move.server)
          break
        case 'anew': {
          leave(at(pages, move.reader))
          pages[move.reader] = new Page(at(pages, move.reader).visitor)
          await come(at(pages, move.reader), move.server)
          break
        }
        case 'restart':
          for (const page of pages) if (page.at === move.server) leave(page)
          servers[move.server] = openServer(move.server)
          break
        case 'cut':
          links[move.server] = false
          break
        case 'link':
          links[move.server] = true
          break
        case 'poll':
          await poll()
      }
    }
    const pending: Promise<void>[] = []
    for (const move of moves) await make(move)
    await Promise.all(pending)
    for (const page of pages) if (page.at === undefined) await come(page, 0)
    await poll()
    const anew = new Page(at(pages, 0).visitor)
    await come(anew, 1)
    const expected = (await store.list(islandKey))[0]?.last ?? 0
    await expect
      .poll(() => pages.map(({ last }) => last), { timeout: 5000, interval: 5 })
      .toEqual(pages.map(() => expected))
    for (const page of pages) expect(page.shown).toEqual(anew.shown)
    const values = anew.shown.map((line) => line.split(' ')[1])
    expect(new Set(values).size).toBe(values.length)
    for (const page of [...pages, anew]) leave(page)
    await storage.db.deleteFrom('rooms').execute()
    await storage.db.deleteFrom('room_silences').execute()
  }

  await fc.assert(fc.asyncProperty(fc.array(anyMove, { minLength: 5, maxLength: 40 }), play), {
    numRuns: propertyRuns(12),
    endOnFailure: false,
    examples: [[foundByReading]],
  })
}, 120_000)
