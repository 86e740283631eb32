import { slugsPerUser } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { isSecret, secretSlug } from './slugs.ts'
import {
  closely,
  type IslandsStoreHarness,
  openly,
  setUpIslands,
} from './testing/islands-store-harness.ts'

/** Plain slugs, none of which looks like another. */
const numbered = (at: number) => `z${String(at).replaceAll('1', 'x').replaceAll('0', 'y')}z`
const name = (atMs: number) => ({ slug: 'pub', secret: secretSlug('pub'), atMs })

/** What every store of islands must do with slugs. */
export function islandSlugsContract(open: () => Promise<IslandsStoreHarness>): void {
  const setUp = () => setUpIslands(open)

  describe('slugs of islands', () => {
    test('S54 stay random until everybody may see the island', async () => {
      const { store, host, make, slugOf } = await setUp()
      const { id, slug } = await make('bar')
      const publish = (
        to: typeof openly | typeof closely | { access: 'members'; isListed: false },
      ) => store.publish(host, id, { ...to, slug: undefined, atMs: 9 })
      await publish(closely)
      expect(await slugOf(id)).toBe(slug)
      await publish({ access: 'members', isListed: false })
      expect(await slugOf(id)).toBe(slug)
      await publish(openly)
      expect(await slugOf(id)).toBe('bar')
      // A slug that everybody could know stays.
      await publish(closely)
      expect(await slugOf(id)).toBe('bar')
    })

    test('R33 get a limited number of certificates for a host, even under simultaneous calls', async () => {
      const { store, host, make, makeKnown, stranger } = await setUp()
      const slugs = [1, 2, 3, 4, 5].map(numbered)
      for (const slug of slugs) await makeKnown(slug)
      const claim = (slug: string, atMs = 100) =>
        store.claimCertificate(slug, { atMs, sinceMs: atMs - 50, max: 2 })
      const claims = await Promise.all(slugs.map((slug) => claim(slug)))
      expect(claims.filter(Boolean)).toHaveLength(2)
      const again = await Promise.all(slugs.map((slug) => claim(slug)))
      expect(again).toEqual(claims)
      const { slug: theirs } = await makeKnown('theirs', stranger)
      expect(await claim(theirs)).toBe(true)
      const later = await Promise.all(slugs.map((slug) => claim(slug, 151)))
      expect(later.filter(Boolean)).toHaveLength(4)
      // Neither random slugs nor replaced ones get a certificate.
      expect(await claim((await make('secret')).slug, 999)).toBe(false)
      const { id } = await makeKnown('old')
      await store.rename(host, id, { slug: 'new', secret: 'none', atMs: 12 })
      expect([await claim('old', 999), await claim('new', 999)]).toEqual([false, true])
      expect(await claim('nobody', 999)).toBe(false)
    })

    test('the first publication is remembered, and later ones change who may enter', async () => {
      const { store, host, makeKnown } = await setUp()
      const { id } = await makeKnown('bar')
      await store.publish(host, id, {
        access: 'members',
        isListed: false,
        slug: undefined,
        atMs: 99,
      })
      expect((await store.findById(null, id))?.island).toMatchObject({
        access: 'members',
        isListed: false,
        publishedMs: 10,
      })
    })

    test('S60 are taken if another user has or had them or a look-alike', async () => {
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
      expect(await publish('other')).toBe('changed')
    })

    test('S60 of deleted users never pass to another user', async () => {
      const { store, host, stranger, makeKnown, deleteUser } = await setUp()
      await makeKnown('harbor')
      await deleteUser(host)
      expect(await store.checkSlug(stranger, 'harbor')).toBe('taken')
      expect(await store.checkSlug(stranger, 'harb0r')).toBe('taken')
    })

    test('that the user’s islands had before can be used again, but not those in use', async () => {
      const { store, host, make, makeKnown, slugOf } = await setUp()
      const [old, current] = [await makeKnown('harbor'), await makeKnown('pub')]
      const other = await make('other')
      const publish = (slug: string) => store.publish(host, other.id, { ...openly, slug, atMs: 11 })
      expect(await publish('pub')).toBe('taken')
      expect(await store.checkSlug(host, 'pub')).toBe('taken')
      await store.delete(host, old.id)
      expect(await store.checkSlug(host, 'harbor')).toBe('free')
      expect(await publish('harbor')).toBe('changed')
      await store.rename(host, current.id, { slug: 'inn', secret: 'none', atMs: 12 })
      expect(await store.rename(host, other.id, { slug: 'pub', secret: 'none', atMs: 13 })).toBe(
        'changed',
      )
      expect(await slugOf(other.id)).toBe('pub')
      expect((await store.findBySlug(null, 'pub', 0))?.island.key).toBe(other.key)
    })

    test('S60 that look alike go to one of several users who ask at once', async () => {
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

    test('that were replaced lead to their island for the given time', async () => {
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
      const oldSlug = (await slugOf(id)) ?? ''
      await store.rename(host, id, name(100))
      expect(isSecret((await slugOf(id)) ?? '')).toBe(true)
      expect((await store.findBySlug(null, oldSlug, 0))?.island.key).toBe(key)
      // Questions about plain slugs reveal nothing about it.
      expect(await store.checkSlug(stranger, 'pub')).toBe('free')
      expect(await store.checkSlug(stranger, oldSlug.replaceAll('-', ''))).toBe('free')
      expect(await store.deleteOldSlugs(99)).toBe(0)
      expect(await store.deleteOldSlugs(100)).toBe(1)
      expect(await store.findBySlug(null, oldSlug, 0)).toBeUndefined()
    })

    test('S52 are limited in number for a user', async () => {
      const { store, host, makeKnown } = await setUp()
      const { id } = await makeKnown('harbor')
      for (let at = 1; at < slugsPerUser; at += 1) {
        const to = { slug: numbered(at), secret: 'none', atMs: at }
        expect(await store.rename(host, id, to)).toBe('changed')
      }
      const another = { slug: 'one-more', secret: 'none', atMs: 1000 }
      expect(await store.rename(host, id, another)).toBe('limit_reached')
      const known = { slug: 'harbor', secret: 'none', atMs: 1000 }
      expect(await store.rename(host, id, known)).toBe('changed')
    })
  })
}
