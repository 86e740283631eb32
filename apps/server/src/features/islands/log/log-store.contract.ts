import { randomUUID } from 'node:crypto'
import type { AccessPolicy } from '@astropelago/contract/islands'
import { describe, expect, test } from 'vitest'
import { newestPosition, type PagePosition } from '../../../page-position.ts'
import type { LogStore, NewPost } from './log-store.ts'
import type { NewOpening, OpeningsStore } from './log-openings.ts'

export interface LogStoreHarness {
  readonly log: LogStore
  readonly openings: OpeningsStore
  readonly insertUser: () => Promise<number>
  readonly deleteUser: (userKey: number) => Promise<void>
  readonly insertDevice: () => Promise<number>
  readonly insertIsland: (details?: {
    readonly access?: AccessPolicy
    readonly isListed?: boolean
    readonly carrierKey?: number
  }) => Promise<{ readonly key: number; readonly id: string; readonly hostKey: number }>
  readonly insertFlips: (
    flips: readonly (readonly [deviceKey: number, status: 'online' | 'offline', atMs: number])[],
  ) => Promise<void>
  readonly pauseIsland: (
    islandKey: number,
    pause: { readonly fromMs: number; readonly untilMs: number | null },
  ) => Promise<void>
  /** Records that an agent carries the island. */
  readonly insertRelayOpening: (islandKey: number, sinceMs: number) => Promise<void>
  /** Adds a check of this user that watches the link of the island. */
  readonly insertChecked: (check: {
    readonly islandKey: number
    readonly userKey: number
    readonly status: 'up' | 'down' | 'unobserved'
    readonly sinceMs: number
  }) => Promise<void>
}

const plenty = { max: 100, windowMs: 1000, maxLines: 100 }
type Page = Parameters<LogStore['read']>[1]
type AllPage = Parameters<LogStore['readAll']>[0]

const page: Page = { readerKey: null, after: newestPosition, limit: 10 }

/** What every store of logs must do, on any database. */
export function logStoreContract(open: () => Promise<LogStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { log, insertUser, insertIsland } = harness
    const island = await insertIsland()
    const ada = await insertUser()
    const post = (details: Partial<NewPost> = {}, limit = plenty) =>
      log.post(newPost({ islandKey: island.key, authorKey: ada, ...details }), limit)
    const visitorsLog = { islandKey: island.key, isHost: false }
    const read = async (details: Partial<Page> = {}, logs = [visitorsLog]) =>
      (await log.read(logs, { ...page, ...details })).map(({ id }) => id)
    return { ...harness, island, ada, post, visitorsLog, read }
  }

  describe('a log', () => {
    test('returns entries as they were written, newest first', async () => {
      const { log, island, ada, post, visitorsLog } = await setUp()
      const text = "It's '; --\n🛰"
      expect(await post({ id: 'note', text, atMs: 5 })).toBe('posted')
      const signal = { id: 'signal', kind: 'signal', authorKey: island.hostKey } as const
      await post({ ...signal, atMs: 6, eventMs: Number.MAX_SAFE_INTEGER })
      const found = await log.read([visitorsLog], page)
      expect(found).toMatchObject([
        { id: 'signal', kind: 'signal', eventMs: Number.MAX_SAFE_INTEGER, atMs: 6 },
        {
          id: 'note',
          islandKey: island.key,
          kind: 'note',
          author: { key: ada, username: expect.any(String), avatar: null },
          text,
          eventMs: null,
          atMs: 5,
          hidden: null,
        },
      ])
      expect(await log.find(['note', 'gone'])).toEqual([found[1]])
    })

    test('comes a page at a time, even if many lines share a time or one was deleted since', async () => {
      const { log, post, read } = await setUp()
      for (const [id, atMs] of [
        ['a', 5],
        ['b', 7],
        ['c', 7],
        ['d', 7],
        ['e', 8],
      ] as const) {
        await post({ id, atMs })
      }
      expect(await read({ limit: 2 })).toEqual(['e', 'd'])
      const after: PagePosition = { atMs: 7, id: 'd' }
      expect(await read({ limit: 2, after })).toEqual(['c', 'b'])
      expect(await read({ limit: 2, after: { atMs: 7, id: 'b' } })).toEqual(['a'])
      expect(await log.delete('d')).toBe(true)
      expect(await log.delete('d')).toBe(false)
      expect(await read({ after })).toEqual(['a'])
    })

    test('is merged with other logs', async () => {
      const { insertIsland, post, read, visitorsLog } = await setUp()
      const [second, third] = [await insertIsland(), await insertIsland()]
      const islandKeys = [visitorsLog.islandKey, second.key, third.key]
      for (const [at, islandKey] of [...islandKeys, ...islandKeys].entries()) {
        await post({ id: `${at}`, islandKey, atMs: at })
      }
      const logs = [visitorsLog, { islandKey: second.key, isHost: true }]
      expect(await read({ limit: 3 }, logs)).toEqual(['4', '3', '1'])
      expect(await read({ limit: 3, after: { atMs: 1, id: '1' } }, logs)).toEqual(['0'])
      expect(await read({}, [])).toEqual([])
    })

    test('S54 a position in a log that is not read reveals no more than one that does not exist', async () => {
      const { insertIsland, post, read } = await setUp()
      const secret = await insertIsland({ access: 'invited' })
      await post({ id: 'first', atMs: 7 })
      await post({ id: 'secret', islandKey: secret.key, atMs: 7 })
      await post({ id: 'before', atMs: 6 })
      const unknown = await read({ after: { atMs: 7, id: 'gone' } })
      expect(await read({ after: { atMs: 7, id: 'secret' } })).toEqual(unknown)
    })

    test('only its author and the host see a hidden entry', async () => {
      const { log, ada, insertUser, post, read, visitorsLog } = await setUp()
      await post({ id: 'rude', atMs: 5 })
      await post({ id: 'nice', atMs: 4 })
      const hidden = { atMs: 9, reason: 'It is rude.' }
      expect(await log.setHidden('rude', hidden)).toBe(true)
      expect(await log.find(['rude'])).toMatchObject([{ hidden }])
      expect(await log.setHidden('gone', hidden)).toBe(false)
      const bob = await insertUser()
      expect(await read({ readerKey: null, limit: 1 })).toEqual(['nice'])
      expect(await read({ readerKey: bob })).toEqual(['nice'])
      expect(await read({ readerKey: ada })).toEqual(['rude', 'nice'])
      expect(await read({}, [{ ...visitorsLog, isHost: true }])).toEqual(['rude', 'nice'])
      expect(await log.setHidden('rude', null)).toBe(true)
      expect(await log.find(['rude'])).toMatchObject([{ hidden: null }])
      expect(await read()).toEqual(['rude', 'nice'])
    })
  })

  describe('all logs', () => {
    test('are merged: of listed and own islands, of every kind or one', async () => {
      const { log, ada, insertIsland } = await setUp()
      const listed = await insertIsland({ isListed: true })
      const byLink = await insertIsland({ isListed: false })
      for (const [at, { key }] of [listed, byLink, listed].entries()) {
        await log.post(newPost({ id: `${at}`, islandKey: key, authorKey: ada, atMs: at }), plenty)
      }
      const signal = { id: 'signal', kind: 'signal', atMs: 9 } as const
      const place = { islandKey: listed.key, authorKey: listed.hostKey }
      await log.post(newPost({ ...signal, ...place }), plenty)
      const read = async (details: Partial<AllPage> = {}) =>
        (await log.readAll({ ...page, ownKeys: [], ...details })).map(({ id }) => id)
      expect(await read()).toEqual(['signal', '2', '0'])
      expect(await read({ ownKeys: [byLink.key] })).toEqual(['signal', '2', '1', '0'])
      expect(await read({ kind: 'note' })).toEqual(['2', '0'])
      expect(await read({ kind: 'joined' })).toEqual([])
      await log.setHidden('2', { atMs: 9, reason: 'Rude' })
      expect(await read({ readerKey: byLink.hostKey })).toEqual(['signal', '0'])
      for (const readerKey of [ada, listed.hostKey]) {
        expect(await read({ readerKey })).toEqual(['signal', '2', '0'])
      }
    })

    test('come a page at a time even if the newest thousand lines are for others', async () => {
      const { log, ada, insertIsland, openings } = await setUp()
      const islands = [
        await insertIsland({ isListed: true }),
        await insertIsland({ isListed: true }),
        await insertIsland({ isListed: true }),
      ]
      const secret = await insertIsland({ access: 'invited', isListed: true })
      // Lines of the same time are spread over islands and pages.
      const ids = Array.from({ length: 12 }, (_, at) => `line-${11 - at}`)
      for (const [at, id] of ids.toReversed().entries()) {
        const islandKey = islands[at % 3]?.key ?? 0
        const atMs = 5 + Math.floor(at / 4)
        await log.post(newPost({ id, islandKey, authorKey: ada, atMs }), plenty)
      }
      const flaps = Array.from({ length: 1100 }, () => newOpening(secret.key, 'opened', 9))
      await openings.insert(flaps, 2000)
      const read = async (limit: number, after: PagePosition = newestPosition) =>
        (await log.readAll({ readerKey: ada, ownKeys: [], limit, after })).map(({ id }) => id)
      expect(await read(20)).toEqual(ids)
      for (const [at, id] of ids.entries()) {
        const atMs = 5 + Math.floor((11 - at) / 4)
        expect(await read(1, { atMs, id })).toEqual(ids.slice(at + 1, at + 2))
        expect(await read(2, { atMs, id })).toEqual(ids.slice(at + 1, at + 3))
      }
      // S54: a position in a log that the reader may not read works like one that does not exist.
      const [flap] = flaps
      const unknown = await read(20, { atMs: 7, id: 'gone' })
      expect(unknown).toEqual(ids.slice(4))
      expect(await read(20, { atMs: 7, id: flap?.id ?? '' })).toEqual(unknown)
    })
  })

  describe('writing', () => {
    test('S52 a user’s entries of a kind are limited over all islands, even under simultaneous calls', async () => {
      const { insertIsland, insertUser, post } = await setUp()
      const other = await insertIsland()
      const two = { ...plenty, max: 2, windowMs: 10 }
      await post({ atMs: 5 }, two)
      const outcomes = await Promise.all(
        [1, 2, 3].map(() => post({ islandKey: other.key, atMs: 6 }, two)),
      )
      expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1)
      expect(outcomes).toContainEqual({ nextMs: 15 })
      expect(await post({ atMs: 14 }, two)).toEqual({ nextMs: 15 })
      expect(await post({ atMs: 14, kind: 'signal' }, two)).toBe('posted')
      expect(await post({ atMs: 14, authorKey: await insertUser() }, two)).toBe('posted')
      expect(await post({ atMs: 15 }, two)).toBe('posted')
    })

    test('S52 a log keeps its newest lines, and others keep all of theirs', async () => {
      const { insertIsland, post, read, visitorsLog } = await setUp()
      const other = await insertIsland()
      const two = { ...plenty, maxLines: 2 }
      await post({ id: 'other', islandKey: other.key, atMs: 1 }, two)
      for (const [id, atMs] of [
        ['first', 2],
        ['old', 5],
        ['new', 5],
        ['last', 6],
      ] as const) {
        await post({ id, atMs }, two)
      }
      const logs = [visitorsLog, { islandKey: other.key, isHost: false }]
      expect(await read({}, logs)).toEqual(['last', 'new', 'other'])
    })

    test('nothing is written to a deleted island', async () => {
      const { island, insertUser, deleteUser, post } = await setUp()
      await deleteUser(island.hostKey)
      expect(await post({ authorKey: await insertUser() })).toBe('gone')
    })

    test('a user’s entries are exported for that user, and deleted with the account', async () => {
      const { log, island, ada, deleteUser, post, read } = await setUp()
      await post({ id: 'one', atMs: 7 })
      await post({ id: 'other', atMs: 5 })
      await post({ id: 'host', authorKey: island.hostKey, kind: 'signal' })
      expect(await log.countPostsOf(ada)).toBe(2)
      const posts = await Array.fromAsync(log.postsOf(ada))
      expect(posts).toMatchObject([
        { id: 'one', islandId: island.id },
        { id: 'other', islandId: island.id },
      ])
      await deleteUser(ada)
      expect(await read()).toEqual(['host'])
    })
  })

  test('public signals: upcoming ones first, then the newest, a page at a time', async () => {
    const { log, insertIsland } = await setUp()
    const listed = await insertIsland({ access: 'public', isListed: true })
    for (const [id, atMs, eventMs] of [
      ['old', 1, null],
      ['past', 2, 9],
      ['later', 3, 30],
      ['soon', 4, 20],
      ['new', 5, null],
    ] as const) {
      const authorKey = listed.hostKey
      const post = { id, kind: 'signal', islandKey: listed.key, authorKey, atMs, eventMs } as const
      await log.post(newPost(post), plenty)
    }
    for (const secret of [
      await insertIsland({ access: 'members', isListed: true }),
      await insertIsland({ access: 'public', isListed: false }),
    ]) {
      const { key: islandKey, hostKey: authorKey } = secret
      await log.post(newPost({ kind: 'signal', islandKey, authorKey, eventMs: 25 }), plenty)
    }
    const all = ['soon', 'later', 'new', 'past', 'old']
    const list = async (limit: number, afterId?: string) =>
      (await log.listPublicSignals({ nowMs: 10, limit, afterId })).map(({ id }) => id)
    expect(await list(10)).toEqual(all)
    for (const [at, id] of all.entries()) {
      expect(await list(2, id)).toEqual(all.slice(at + 1, at + 3))
    }
    expect(await list(10, 'gone')).toEqual([])
    await log.setHidden('soon', { atMs: 9, reason: 'Rude' })
    expect(await list(1)).toEqual(['later'])
  })

  test('S54 a position after a signal that is not public works like one that does not exist', async () => {
    const { log, insertIsland } = await setUp()
    const listed = await insertIsland({ access: 'public', isListed: true })
    const secret = await insertIsland({ access: 'members', isListed: true })
    for (const [id, island] of [
      ['open', listed],
      ['secret', secret],
    ] as const) {
      const { key: islandKey, hostKey: authorKey } = island
      const atMs = id === 'open' ? 5 : 6
      await log.post(newPost({ id, kind: 'signal', islandKey, authorKey, atMs }), plenty)
    }
    const newest = { nowMs: 10, limit: 10 }
    expect(await log.listPublicSignals(newest)).toHaveLength(1)
    expect(await log.listPublicSignals({ ...newest, afterId: 'gone' })).toEqual([])
    expect(await log.listPublicSignals({ ...newest, afterId: 'secret' })).toEqual([])
  })

  describe('openings', () => {
    test('flips of carriers come with the next flip and the last line of the log', async () => {
      const { openings, insertDevice, insertIsland, insertFlips } = await setUp()
      const [device, other] = [await insertDevice(), await insertDevice()]
      const island = await insertIsland({ carrierKey: device })
      await insertFlips([
        [device, 'online', 10],
        [other, 'online', 15],
        [device, 'offline', 20],
      ])
      const flips = {
        deviceKeys: [device, other, device],
        statuses: ['online', 'online', 'offline'] as const,
        atMs: [10, 15, 20],
      }
      const common = { islandKey: island.key, last: null }
      expect(await openings.ofCarriers(flips)).toEqual([
        { ...common, status: 'online', atMs: 10, nextMs: 20 },
        { ...common, status: 'offline', atMs: 20, nextMs: null },
      ])
      await openings.insert([newOpening(island.key, 'opened', 10)], 100)
      expect(await openings.ofCarriers(flips)).toMatchObject([
        { last: { kind: 'opened', atMs: 10 } },
        { last: { kind: 'opened', atMs: 10 } },
      ])
    })

    test('flips of carriers during a pause are not logged', async () => {
      const { openings, insertDevice, insertIsland, insertFlips, pauseIsland } = await setUp()
      const device = await insertDevice()
      const island = await insertIsland({ carrierKey: device })
      const atMs = [9, 10, 19, 20]
      const statuses = ['online', 'offline', 'online', 'offline'] as const
      await insertFlips(atMs.map((ms, at) => [device, statuses[at] ?? 'online', ms]))
      const read = async () => {
        const flips = { deviceKeys: atMs.map(() => device), statuses, atMs }
        return (await openings.ofCarriers(flips)).map((flip) => flip.atMs)
      }
      expect(await read()).toEqual(atMs)
      await pauseIsland(island.key, { fromMs: 10, untilMs: 20 })
      expect(await read()).toEqual([9, 20])
      await pauseIsland(island.key, { fromMs: 10, untilMs: null })
      expect(await read()).toEqual([9])
    })

    test('agents that come and go during a pause are not logged', async () => {
      const { openings, insertIsland, insertRelayOpening, pauseIsland } = await setUp()
      const island = await insertIsland()
      await insertRelayOpening(island.key, 15)
      const read = async () => {
        const after = { sinceMs: 0, islandKey: 0 }
        return (await openings.ofRelayed({ after, untilMs: 100, limit: 10 })).length
      }
      expect(await read()).toBe(1)
      await pauseIsland(island.key, { fromMs: 10, untilMs: 20 })
      expect(await read()).toBe(0)
      await pauseIsland(island.key, { fromMs: 10, untilMs: 15 })
      expect(await read()).toBe(1)
    })

    test('a check that knows decides what is logged, and not the carrier', async () => {
      const { openings, insertDevice, insertIsland, insertFlips, ada, ...harness } = await setUp()
      const device = await insertDevice()
      const island = await insertIsland({ carrierKey: device })
      await insertFlips([[device, 'online', 9]])
      const read = async () => {
        const flips = { deviceKeys: [device], statuses: ['online'] as const, atMs: [9] }
        const after = { sinceMs: 0, islandKey: 0 }
        const found = [
          ...(await openings.ofCarriers(flips)),
          ...(await openings.ofRelayed({ after, untilMs: 100, limit: 10 })),
        ]
        return found.map(({ status, atMs }) => [status, atMs])
      }
      const check = (
        status: 'up' | 'down' | 'unobserved',
        sinceMs: number,
        userKey = island.hostKey,
      ) => harness.insertChecked({ islandKey: island.key, userKey, status, sinceMs })
      await check('unobserved', 10)
      expect(await read()).toEqual([['online', 9]])
      await check('up', 20)
      expect(await read()).toEqual([['online', 20]])
      // One of somebody else's says nothing.
      await check('down', 30, ada)
      expect(await read()).toEqual([['online', 20]])
      await check('down', 40)
      // It has never been open for its log.
      expect(await read()).toEqual([])
      await openings.insert([newOpening(island.key, 'opened', 20)], 100)
      expect(await read()).toEqual([['offline', 40]])
    })

    test('S52 openings and closings keep a log’s newest lines, and all lines of others', async () => {
      const { openings, insertIsland, post, read, island, visitorsLog } = await setUp()
      const other = await insertIsland()
      await post({ id: 'old', atMs: 1 })
      await post({ id: 'other', islandKey: other.key, atMs: 1 })
      const first = newOpening(island.key, 'opened', 5)
      const second = newOpening(island.key, 'closed', 6)
      const third = newOpening(island.key, 'opened', 7)
      await openings.insert([first, newOpening(other.key, 'opened', 5)], 2)
      expect(await read()).toEqual([first.id, 'old'])
      await openings.insert([second, third], 2)
      const logs = [visitorsLog, { islandKey: other.key, isHost: false }]
      expect(await read()).toEqual([third.id, second.id])
      expect(await read({}, logs)).toHaveLength(4)
    })

    test('openings of deleted islands are skipped, and old ones are deleted', async () => {
      const { log, openings, island, read } = await setUp()
      const lines = [newOpening(island.key, 'opened', 5), newOpening(island.key, 'closed', 9)]
      await openings.insert([...lines, newOpening(island.key + 1000, 'opened', 5)], 100)
      expect(await read()).toHaveLength(2)
      await log.post(newPost({ islandKey: island.key, authorKey: island.hostKey, atMs: 1 }), plenty)
      expect(await log.deleteOpenings(8, 1)).toBe(1)
      expect(await log.deleteOpenings(8, 1)).toBe(0)
      expect(await read()).toHaveLength(2)
    })
  })
}

function newPost(details: Partial<NewPost> & Pick<NewPost, 'islandKey' | 'authorKey'>): NewPost {
  return { id: randomUUID(), kind: 'note', text: 'Hello', eventMs: null, atMs: 5, ...details }
}

function newOpening(islandKey: number, kind: NewOpening['kind'], atMs: number): NewOpening {
  return { id: randomUUID(), islandKey, kind, atMs }
}
