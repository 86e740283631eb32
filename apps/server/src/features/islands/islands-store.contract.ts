import { randomUUID } from 'node:crypto'
import { notesCounted } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { TotalReached } from '../../storage/storage-error.ts'
import { islandSlugsContract } from './island-slugs.contract.ts'
import { secretSlug } from './slugs.ts'
import {
  closely,
  type IslandsStoreHarness,
  openly,
  setUpIslands,
} from './testing/islands-store-harness.ts'

const name = (atMs: number) => ({ slug: 'pub', secret: secretSlug('pub'), atMs })
const since = { notesMs: 0, oldSlugsMs: 0 }

/** What every store of islands must do, on any database. */
export function islandsStoreContract(open: () => Promise<IslandsStoreHarness>): void {
  const setUp = () => setUpIslands(open)

  describe('islands', () => {
    test('begin as drafts of their host, with their carrier', async () => {
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
          picture: 2 ** 32 - 1,
          about: 'All of\nit',
          rules: 'Be\nkind',
          rulesChangedMs: null,
          access: 'invited',
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

    test('S52 never exceed the limit for a host, even under simultaneous calls', async () => {
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

    test('S52 never exceed the total that the operator allows', async () => {
      const { make, insertUser, maxIslands } = await setUp()
      for (let at = 0; at < maxIslands; at += 1) {
        await make(`bar-${at}`, { userKey: await insertUser() })
      }
      const userKey = await insertUser()
      await expect(make('one-more', { userKey })).rejects.toBeInstanceOf(TotalReached)
    })

    test('S23 are changed, published, renamed and deleted only by their host', async () => {
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
      expect(await store.update(host, id, { tagline: '', address: null, picture: 7 })).toBe(key)
      expect((await store.findById(host, id))?.island).toMatchObject({
        name: 'Harbor “Bar”',
        picture: 7,
        tagline: '',
        address: null,
      })
    })

    test('keep whether visitors come through the relay', async () => {
      const { store, host, make } = await setUp()
      const { id } = await make('bar', { address: null, isRelayed: true })
      const isRelayed = async () => (await store.findById(host, id))?.island.isRelayed
      expect(await isRelayed()).toBe(true)
      await store.update(host, id, { tagline: 'At home' })
      expect(await isRelayed()).toBe(true)
      await store.update(host, id, { address: 'https://a.example/', isRelayed: false })
      expect(await isRelayed()).toBe(false)
    })

    test('come with what the viewer is to them', async () => {
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

    test('are listed for their host with requests and notes, newest first', async () => {
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

    test('S52 count only so many notes', async () => {
      const { store, host, stranger, make, insertNote } = await setUp()
      const { id, key } = await make('bar')
      for (let atMs = 1; atMs <= notesCounted + 1; atMs += 1) await insertNote(key, stranger, atMs)
      expect(await store.findOwn(host, id, since)).toMatchObject({ noteCount: notesCounted })
    })

    test('that the user has joined are listed, last joined first', async () => {
      const { store, stranger, makeKnown, insertMember } = await setUp()
      const [first, second] = [await makeKnown('harbor'), await makeKnown('pub')]
      await insertMember(first.key, stranger)
      await insertMember(second.key, stranger)
      const slugs = async (limit: number) =>
        (await store.listJoined(stranger, limit)).map(({ island }) => island.slug)
      expect(await slugs(10)).toEqual(['pub', 'harbor'])
      expect(await slugs(1)).toEqual(['pub'])
    })

    test('S54 have neighbours, and a reader gets those that the reader may see', async () => {
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

    test('are recorded with the users concerned when they are deleted', async () => {
      const { store, host, stranger, makeKnown, ...harness } = await setUp()
      const { id, key, slug } = await makeKnown('harbor')
      const asker = await harness.insertUser()
      await harness.insertMember(key, stranger)
      await harness.insertRequest(key, asker)
      harness.changes.length = 0
      expect(await store.delete(host, id)).toBe(key)
      expect(harness.changes).toEqual([
        [
          'island-members',
          [key],
          [
            [key, stranger],
            [key, asker],
          ],
        ],
        ['islands', [key], { [key]: id }],
      ])
      expect(await store.findBySlug(host, slug, 0)).toBeUndefined()
    })

    test('are counted by state', async () => {
      const { store, stranger, make, makeKnown, hide, disableUser } = await setUp()
      await make('draft')
      await makeKnown('listed')
      await hide((await makeKnown('hidden')).key)
      expect(await store.countByState()).toEqual({ draft: 1, listed: 1, unlisted: 0, hidden: 1 })
      await makeKnown('theirs', stranger)
      await disableUser(stranger)
      expect(await store.countByState()).toEqual({ draft: 1, listed: 1, unlisted: 0, hidden: 2 })
      const figures = await store.figures()
      expect(figures).toContainEqual({ name: 'islands', label: 'Islands', value: 4 })
      expect(figures).toContainEqual({ name: 'islands.hidden', label: 'of them hidden', value: 2 })
    })
  })

  islandSlugsContract(open)

  test('the island of the installation is made once, and never again', async () => {
    const { store, insertUser } = await setUp()
    const lounge = {
      id: randomUUID(),
      slug: 'lounge',
      name: 'Lounge',
      kind: 'social',
      picture: 8,
      tagline: '',
      about: '',
      address: null,
      access: 'public',
      isListed: true,
      createdMs: 7,
    } as const
    await Promise.all([
      store.insertOfInstallation(lounge),
      store.insertOfInstallation({ ...lounge, id: randomUUID() }),
    ])
    const found = await store.findBySlug(null, 'lounge', 0)
    expect(found?.island).toMatchObject({
      hostKey: null,
      hostName: null,
      picture: 8,
      publishedMs: 7,
    })
    expect((await store.countByState()).listed).toBe(1)
    expect(await store.checkSlug(await insertUser(), '1ounge')).toBe('taken')
  })
}
