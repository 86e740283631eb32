import { randomUUID } from 'node:crypto'
import { slugsPerUser } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { TotalReached } from '../../storage/storage-error.ts'
import type { IslandsStore, NewIslandRecord } from './islands-store.ts'
import { isSecret, secretSlug } from './slugs.ts'

export interface IslandsStoreHarness {
  /** That takes at most so many islands in total. */
  readonly store: IslandsStore
  readonly maxIslands: number
  readonly insertUser: () => Promise<number>
  readonly deleteUser: (key: number) => Promise<void>
  readonly disableUser: (key: number) => Promise<void>
  readonly insertDevice: (userKey: number) => Promise<number>
  readonly deleteDevice: (key: number) => Promise<void>
  readonly insertMember: (islandKey: number, userKey: number) => Promise<void>
  readonly insertBlock: (islandKey: number, userKey: number) => Promise<void>
  readonly insertRequest: (islandKey: number, userKey: number) => Promise<void>
  readonly insertNote: (islandKey: number, userKey: number, atMs: number) => Promise<void>
  readonly hide: (islandKey: number) => Promise<void>
}

/** Of plain slugs none of which looks like another one. */
const numbered = (at: number) => `z${String(at).replaceAll('1', 'x').replaceAll('0', 'y')}z`
const name = (atMs: number) => ({ slug: 'pub', secret: secretSlug('pub'), atMs })
const since = { notesMs: 0, oldSlugsMs: 0 }
const openly = { door: 'public', isListed: true } as const
const closely = { door: 'invited', isListed: false } as const

/** What every store of islands must do, whatever database is behind it. */
export function islandsStoreContract(open: () => Promise<IslandsStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser } = harness
    const [host, stranger] = [await insertUser(), await insertUser()]
    /** A draft, whose slug is `wish` with six random characters. */
    const make = async (wish: string, details: Partial<NewIslandRecord> = {}) => {
      const island = {
        id: randomUUID(),
        userKey: host,
        slug: secretSlug(wish),
        name: 'Harbor “Bar”',
        kind: 'social',
        tagline: 'A bar',
        about: 'All of\nit',
        address: 'https://a.example/',
        carrierKey: null,
        createdMs: 5,
        ...details,
      } as const
      const key = await store.insert(island, 20)
      if (key === undefined) throw new Error('it was refused')
      return { ...island, key }
    }
    /** One that everybody may know of, at a plain slug. */
    const makeKnown = async (slug: string, userKey = host) => {
      const { id, key } = await make(slug, { userKey })
      expect(await store.publish(userKey, id, { ...openly, slug, atMs: 10 })).toEqual({ key })
      return { id, key, slug }
    }
    const slugOf = async (id: string) => (await store.findById(null, id))?.island.slug
    return { ...harness, host, stranger, make, makeKnown, slugOf }
  }

  describe('islands', () => {
    test('are drafts of their host, with the carrier by which they open', async () => {
      const { store, host, make, insertDevice } = await setUp()
      const carrierKey = await insertDevice(host)
      const { id, key, slug } = await make('bar', { carrierKey })
      expect(await store.findById(host, id)).toMatchObject({
        island: {
          key,
          id,
          slug,
          hostKey: host,
          name: 'Harbor “Bar”',
          kind: 'social',
          about: 'All of\nit',
          door: 'invited',
          isListed: false,
          publishedMs: null,
          hiddenMs: null,
          hostDisabledMs: null,
          carrier: { key: carrierKey, isPublic: true },
        },
        viewer: { userKey: host, isMember: false, isBlocked: false, hasAsked: false },
        memberCount: 0,
      })
    })

    test('S52 are never more for a host than the limit, also under simultaneous calls', async () => {
      const { store, host, make } = await setUp()
      const island = await make('bar')
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, (_, at) =>
          store.insert({ ...island, id: randomUUID(), slug: `bar-${at}` }, 3),
        ),
      )
      expect(outcomes.filter((key) => key !== undefined)).toHaveLength(2)
      expect(await store.listOwn(host, since)).toHaveLength(3)
    })

    test('S52 are never more in total than the operator allows', async () => {
      const { make, insertUser, maxIslands } = await setUp()
      for (let at = 0; at < maxIslands; at += 1) {
        await make(`bar-${at}`, { userKey: await insertUser() })
      }
      const userKey = await insertUser()
      await expect(make('one-more', { userKey })).rejects.toBeInstanceOf(TotalReached)
    })

    test('S23 are changed, published, renamed and deleted by their host alone', async () => {
      const { store, stranger, make } = await setUp()
      const { id } = await make('bar')
      const publication = { ...openly, slug: 'bar', atMs: 1 }
      expect(await store.findOwn(stranger, id, since)).toBeUndefined()
      expect(await store.update(stranger, id, { name: 'Mine' })).toBeUndefined()
      expect(await store.publish(stranger, id, publication)).toBe('missing')
      expect(await store.rename(stranger, id, name(1))).toBe('missing')
      expect(await store.delete(stranger, id)).toBeUndefined()
      expect((await store.findById(null, id))?.island).toMatchObject({
        name: 'Harbor “Bar”',
        publishedMs: null,
      })
    })

    test('keep what a change does not name', async () => {
      const { store, host, make } = await setUp()
      const { id, key } = await make('bar')
      expect(await store.update(host, id, {})).toBe(key)
      expect(await store.update(host, id, { tagline: '', address: null })).toBe(key)
      expect((await store.findById(host, id))?.island).toMatchObject({
        name: 'Harbor “Bar”',
        tagline: '',
        address: null,
      })
    })

    test('are told apart by what somebody is to them', async () => {
      const { store, stranger, make, ...harness } = await setUp()
      const { id, key } = await make('bar')
      await harness.insertMember(key, stranger)
      await harness.insertRequest(key, stranger)
      await harness.insertBlock(key, stranger)
      const other = await harness.insertUser()
      const is = async (userKey: number | null) => (await store.findById(userKey, id))?.viewer
      const nothing = { isMember: false, isBlocked: false, hasAsked: false }
      expect(await is(stranger)).toEqual({
        userKey: stranger,
        isMember: true,
        isBlocked: true,
        hasAsked: true,
      })
      expect(await is(other)).toEqual({ userKey: other, ...nothing })
      expect(await is(null)).toEqual({ userKey: null, ...nothing })
    })

    test('are listed for their host with what waits, the newest first', async () => {
      const { store, host, stranger, make, makeKnown, ...harness } = await setUp()
      const { key } = await make('bar')
      const { slug } = await makeKnown('pub')
      await harness.insertMember(key, stranger)
      await harness.insertRequest(key, host)
      for (const atMs of [100, 200, 300]) await harness.insertNote(key, stranger, atMs)
      const own = await store.listOwn(host, { notesMs: 100, oldSlugsMs: 0 })
      expect(own).toMatchObject([
        { slug, memberCount: 0, requestCount: 0, noteCount: 0 },
        { key, memberCount: 1, requestCount: 1, noteCount: 2 },
      ])
      expect(await store.listOwn(stranger, since)).toEqual([])
    })

    test('that one has joined are listed, the last first', async () => {
      const { store, stranger, makeKnown, insertMember } = await setUp()
      const [first, second] = [await makeKnown('harbor'), await makeKnown('pub')]
      await insertMember(first.key, stranger)
      await insertMember(second.key, stranger)
      const slugs = async (limit: number) =>
        (await store.listJoined(stranger, limit)).map(({ island }) => island.slug)
      expect(await slugs(10)).toEqual(['pub', 'harbor'])
      expect(await slugs(1)).toEqual(['pub'])
    })

    test('S54 name neighbours, of which a reader learns those that the reader may know of', async () => {
      const { store, host, stranger, make, makeKnown, insertMember } = await setUp()
      const { id, key } = await makeKnown('harbor')
      const known = await makeKnown('pub', stranger)
      const draft = await make('lab', { userKey: stranger })
      const invited = await make('den', { userKey: stranger })
      await store.publish(stranger, invited.id, { ...closely, slug: undefined, atMs: 1 })
      await insertMember(invited.key, host)
      await store.update(host, id, { neighbourKeys: [invited.key, draft.key, known.key] })
      const seenBy = async (userKey: number | null) =>
        (await store.listNeighbours(userKey, key)).map(({ island }) => island.key)
      expect(await seenBy(host)).toEqual([invited.key, known.key])
      expect(await seenBy(null)).toEqual([known.key])
      expect(await seenBy(stranger)).toEqual([invited.key, draft.key, known.key])
      const own = await store.findOwn(host, id, since)
      expect(own?.neighbours.map(({ slug }) => slug)).toEqual([invited.slug, 'pub'])
      await store.update(host, id, { neighbourKeys: [] })
      expect(await seenBy(stranger)).toEqual([])
    })

    test('are deleted with their host, and unwatched once their carrier is', async () => {
      const { store, host, make, insertDevice, deleteDevice, deleteUser } = await setUp()
      const carrierKey = await insertDevice(host)
      const { id } = await make('bar', { carrierKey })
      await deleteDevice(carrierKey)
      expect((await store.findById(null, id))?.island.carrier).toBeNull()
      await deleteUser(host)
      expect(await store.findById(null, id)).toBeUndefined()
    })

    test('that are deleted tell whom they concerned', async () => {
      const { store, host, stranger, makeKnown, ...harness } = await setUp()
      const { id, key, slug } = await makeKnown('harbor')
      const asker = await harness.insertUser()
      await harness.insertMember(key, stranger)
      await harness.insertRequest(key, asker)
      const deleted = await store.delete(host, id)
      expect(deleted).toEqual({ key, userKeys: [host, stranger, asker] })
      expect(await store.findBySlug(host, slug, 0)).toBeUndefined()
    })

    test('are counted by what they are to others', async () => {
      const { store, stranger, make, makeKnown, hide, disableUser } = await setUp()
      await make('draft')
      await makeKnown('listed')
      await hide((await makeKnown('hidden')).key)
      expect(await store.countByState()).toEqual({ draft: 1, listed: 1, unlisted: 0, hidden: 1 })
      await makeKnown('theirs', stranger)
      await disableUser(stranger)
      expect(await store.countByState()).toEqual({ draft: 1, listed: 1, unlisted: 0, hidden: 2 })
    })
  })

  describe('slugs of islands', () => {
    test('S54 stay random until everybody may know of the island', async () => {
      const { store, host, make, slugOf } = await setUp()
      const { id, slug } = await make('bar')
      const publish = (to: typeof openly | typeof closely | { door: 'members'; isListed: false }) =>
        store.publish(host, id, { ...to, slug: undefined, atMs: 9 })
      await publish(closely)
      expect(await slugOf(id)).toBe(slug)
      await publish({ door: 'members', isListed: false })
      expect(await slugOf(id)).toBe(slug)
      await publish(openly)
      expect(await slugOf(id)).toBe('bar')
      // What everybody knew once stays.
      await publish(closely)
      expect(await slugOf(id)).toBe('bar')
    })

    test('the first publication is remembered, and later ones change who may enter', async () => {
      const { store, host, makeKnown } = await setUp()
      const { id } = await makeKnown('bar')
      await store.publish(host, id, { door: 'members', isListed: false, slug: undefined, atMs: 99 })
      expect((await store.findById(null, id))?.island).toMatchObject({
        door: 'members',
        isListed: false,
        publishedMs: 10,
      })
    })

    test('S60 that another user has or had, or that look like it, are taken', async () => {
      const { store, host, stranger, make, makeKnown } = await setUp()
      const { id } = await makeKnown('hill-bar')
      const mine = await make('mine', { userKey: stranger })
      const publish = (slug: string) =>
        store.publish(stranger, mine.id, { ...openly, slug, atMs: 11 })
      for (const slug of ['hill-bar', 'hi11-bar', 'hillbar']) {
        expect(await publish(slug)).toBe('taken')
        expect(await store.checkSlug(stranger, slug)).toBe('taken')
      }
      await store.rename(host, id, { slug: 'new-bar', secret: 'none', atMs: 12 })
      expect(await publish('hill-bar')).toBe('taken')
      await store.delete(host, id)
      expect(await publish('hi11-bar')).toBe('taken')
      expect(await publish('new-bar')).toBe('taken')
      expect(await publish('other')).toEqual({ key: mine.key })
    })

    test('S60 of users who are gone never pass to another', async () => {
      const { store, host, stranger, makeKnown, deleteUser } = await setUp()
      await makeKnown('harbor')
      await deleteUser(host)
      expect(await store.checkSlug(stranger, 'harbor')).toBe('taken')
      expect(await store.checkSlug(stranger, 'harb0r')).toBe('taken')
    })

    test('that one’s own islands had can be used again, those that they have can’t', async () => {
      const { store, host, make, makeKnown, slugOf } = await setUp()
      const [old, current] = [await makeKnown('harbor'), await makeKnown('pub')]
      const other = await make('other')
      const publish = (slug: string) => store.publish(host, other.id, { ...openly, slug, atMs: 11 })
      expect(await publish('pub')).toBe('taken')
      expect(await store.checkSlug(host, 'pub')).toBe('taken')
      await store.delete(host, old.id)
      expect(await store.checkSlug(host, 'harbor')).toBe('free')
      expect(await publish('harbor')).toEqual({ key: other.key })
      await store.rename(host, current.id, { slug: 'inn', secret: 'none', atMs: 12 })
      expect(await store.rename(host, other.id, { slug: 'pub', secret: 'none', atMs: 13 })).toEqual(
        {
          key: other.key,
        },
      )
      expect(await slugOf(other.id)).toBe('pub')
      expect((await store.findBySlug(null, 'pub', 0))?.island.key).toBe(other.key)
    })

    test('S60 of several who ask for look-alikes at once one gets it', async () => {
      const { store, make, insertUser } = await setUp()
      const outcomes = await Promise.all(
        ['harbor', 'harb0r', 'har-bor'].map(async (slug) => {
          const userKey = await insertUser()
          const { id } = await make('x1x', { userKey })
          return await store.publish(userKey, id, { ...openly, slug, atMs: 1 })
        }),
      )
      expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(2)
    })

    test('that were replaced lead to their island for as long as they are asked to', async () => {
      const { store, host, makeKnown } = await setUp()
      const { id, key } = await makeKnown('harbor')
      await store.rename(host, id, { slug: 'haven', secret: 'none', atMs: 100 })
      expect((await store.findBySlug(null, 'haven', 0))?.island.key).toBe(key)
      expect((await store.findBySlug(null, 'harbor', 99))?.island.key).toBe(key)
      expect(await store.findBySlug(null, 'harbor', 100)).toBeUndefined()
      const own = await store.findOwn(host, id, { notesMs: 0, oldSlugsMs: 99 })
      expect(own?.oldSlugs).toMatchObject([{ slug: 'harbor', replacedMs: 100 }])
    })

    test('S54 that are random are replaced by random ones, and lead to the island too', async () => {
      const { store, host, stranger, make, slugOf } = await setUp()
      const { id, key, slug } = await make('bar')
      await store.rename(host, id, name(50))
      // Nobody was given the link of a draft.
      expect(await store.findBySlug(null, slug, 0)).toBeUndefined()
      await store.publish(host, id, { ...closely, slug: undefined, atMs: 60 })
      const told = (await slugOf(id)) ?? ''
      await store.rename(host, id, name(100))
      expect(isSecret((await slugOf(id)) ?? '')).toBe(true)
      expect((await store.findBySlug(null, told, 0))?.island.key).toBe(key)
      // Nothing of it is told by what can be asked of plain ones.
      expect(await store.checkSlug(stranger, 'pub')).toBe('free')
      expect(await store.checkSlug(stranger, told.replaceAll('-', ''))).toBe('free')
      expect(await store.deleteOldSlugs(99)).toBe(0)
      expect(await store.deleteOldSlugs(100)).toBe(1)
      expect(await store.findBySlug(null, told, 0)).toBeUndefined()
    })

    test('S52 are so many for one user and no more', async () => {
      const { store, host, makeKnown } = await setUp()
      const { id, key } = await makeKnown('harbor')
      for (let at = 1; at < slugsPerUser; at += 1) {
        const to = { slug: numbered(at), secret: 'none', atMs: at }
        expect(await store.rename(host, id, to)).toEqual({ key })
      }
      const another = { slug: 'one-more', secret: 'none', atMs: 1000 }
      expect(await store.rename(host, id, another)).toBe('limit_reached')
      const known = { slug: 'harbor', secret: 'none', atMs: 1000 }
      expect(await store.rename(host, id, known)).toEqual({ key })
    })
  })

  test('the island of the installation is made once, and never anew', async () => {
    const { store, insertUser } = await setUp()
    const lounge = {
      id: randomUUID(),
      slug: 'lounge',
      name: 'Lounge',
      kind: 'social',
      tagline: '',
      about: '',
      address: null,
      door: 'public',
      isListed: true,
      createdMs: 7,
    } as const
    await Promise.all([
      store.insertOfInstallation(lounge),
      store.insertOfInstallation({ ...lounge, id: randomUUID() }),
    ])
    const found = await store.findBySlug(null, 'lounge', 0)
    expect(found?.island).toMatchObject({ hostKey: null, hostName: null, publishedMs: 7 })
    expect((await store.countByState()).listed).toBe(1)
    expect(await store.checkSlug(await insertUser(), '1ounge')).toBe('taken')
  })
}
