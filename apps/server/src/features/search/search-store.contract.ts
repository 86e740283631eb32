import { describe, expect, test } from 'vitest'
import { parseSearch } from './search-query.ts'
import type { SearchStore } from './search-store.ts'

interface DeviceFacts {
  readonly visibility?: 'public' | 'private'
}

interface IslandFacts {
  /** Null for an island of the installation. */
  readonly userKey: number | null
  readonly slug: string
  readonly name: string
  readonly tagline?: string
}

export interface SearchStoreHarness {
  readonly store: SearchStore
  readonly insertUser: () => Promise<number>
  readonly deleteUser: (userKey: number) => Promise<void>
  readonly setDisabled: (userKey: number, isDisabled: boolean) => Promise<void>
  readonly insertDevice: (userKey: number, label: string, facts?: DeviceFacts) => Promise<number>
  readonly changeDevice: (
    key: number,
    changes: { label?: string; visibility?: 'public' | 'private'; hidden_ms?: number | null },
  ) => Promise<void>
  readonly deleteDevice: (key: number) => Promise<void>
  /** Inserts a published and listed island. */
  readonly insertIsland: (facts: IslandFacts) => Promise<number>
  readonly changeIsland: (
    key: number,
    changes: {
      name?: string
      tagline?: string
      is_listed?: number
      published_ms?: number | null
      hidden_ms?: number | null
      user_key?: number | null
    },
  ) => Promise<void>
  readonly join: (islandKey: number, userKey: number) => Promise<void>
  readonly block: (islandKey: number, userKey: number) => Promise<void>
  readonly insertRoute: (fromKey: number, toKey: number) => Promise<void>
}

/** What every search store must do, on any database. */
export function searchStoreContract(open: () => Promise<SearchStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store } = harness
    const [ada, bob] = [await harness.insertUser(), await harness.insertUser()]
    const add = async (...labels: readonly string[]) => {
      for (const label of labels) await harness.insertDevice(ada, label)
    }
    const devices = async (text: string) => sorted(await store.findDevices(parseSearch(text)))
    const labels = async (text: string) => (await devices(text)).map(([label]) => label)
    const slugs = async (text: string) =>
      (await store.findIslands(parseSearch(text))).map(({ slug }) => slug).toSorted()
    const own = async (userKey: number, text: string) =>
      (await store.findOwnIslands(userKey, parseSearch(text))).map(({ slug }) => slug).toSorted()
    return { ...harness, ada, bob, add, devices, labels, slugs, own }
  }

  describe('ranks', () => {
    test('a name ranks as equal, as beginning, by its words, or by what is inside', async () => {
      const { add, devices } = await setUp()
      await add('Harbor', 'Harbor lights', 'Old harbor', 'Pearlharbors', 'Harp')
      expect(await devices('harbor')).toEqual([
        ['Harbor', 'exact'],
        ['Harbor lights', 'beginning'],
        ['Old harbor', 'words'],
        ['Pearlharbors', 'inside'],
      ])
    })

    test('one or two letters find beginnings of names and of words', async () => {
      const { add, devices } = await setUp()
      await add('Q', 'Quay', 'The quay', 'Aqua')
      expect(await devices('q')).toEqual([
        ['Q', 'exact'],
        ['Quay', 'beginning'],
        ['The quay', 'words'],
      ])
      expect(await devices('qu')).toEqual([
        ['Quay', 'beginning'],
        ['The quay', 'words'],
      ])
      expect(await devices('qua')).toContainEqual(['Aqua', 'inside'])
    })

    test('all words of a search match, in any order; names in the typed order come first', async () => {
      const { add, devices } = await setUp()
      await add('North harbor 7', 'Harbor north', 'Harbor', 'Northern harborage', 'Enorthy harbor')
      expect(await devices('north harbor')).toEqual([
        ['North harbor 7', 'beginning'],
        ['Harbor north', 'words'],
        ['Northern harborage', 'words'],
        ['Enorthy harbor', 'inside'],
      ])
      expect(await devices('harbor 7')).toEqual([['North harbor 7', 'words']])
      expect(await devices('arbor no')).toEqual([
        ['Harbor north', 'inside'],
        ['North harbor 7', 'inside'],
        ['Northern harborage', 'inside'],
      ])
    })

    test('the best are found among a thousand equal names without reading the rest', async () => {
      const { add, devices } = await setUp()
      await add(...Array.from({ length: 200 }, (_, at) => `Node ${at}`), 'Node', 'My node')
      const found = await devices('node')
      expect(found[0]).toEqual(['Node', 'exact'])
      // These fill the list, so lower ranks are not searched.
      expect(found.map(([, rank]) => rank)).not.toContain('words')
      expect(found.length).toBeLessThan(100)
      expect(await devices('node 199')).toEqual([['Node 199', 'exact']])
      expect((await devices('ode')).length).toBeGreaterThan(8)
    })
  })

  describe('letters', () => {
    test('neither capitals nor accents matter', async () => {
      const { add, labels } = await setUp()
      await add('Café Ærø', 'ΕΛΛΆΔΑ', 'Москва')
      for (const text of ['cafe', 'CAFÉ', 'cafe\u0301', 'æRØ']) {
        expect({ text, found: await labels(text) }).toEqual({ text, found: ['Café Ærø'] })
      }
      expect(await labels('ελλάδα')).toEqual(['ΕΛΛΆΔΑ'])
      expect(await labels('МОСК')).toEqual(['Москва'])
    })

    test('punctuation separates words, apostrophes do not, and none of it is a command', async () => {
      const { add, labels } = await setUp()
      await add("Traveler's_Rest-No.5", 'a%b', 'x"y" AND z', '日本 東京タワー', '🛰️ Sat')
      for (const text of ['travelers', "traveler's", 'rest no 5', '5', 'no.5', 'rest']) {
        expect({ text, found: await labels(text) }).toEqual({
          text,
          found: ["Traveler's_Rest-No.5"],
        })
      }
      expect(await labels('b')).toEqual(['a%b'])
      expect(await labels('y" and z')).toEqual(['x"y" AND z'])
      expect(await labels('東京')).toEqual(['日本 東京タワー'])
      expect(await labels('タワー')).toEqual(['日本 東京タワー'])
      expect(await labels('🛰')).toEqual(['🛰️ Sat'])
      for (const sign of '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~') {
        await add(`one${sign}two`)
        const found = await labels(`two`)
        expect({ sign, found: found.includes(`one${sign}two`) }).toEqual({ sign, found: true })
      }
    })

    test.each(['', ' ', '*', '"', '%', '_', '\\', '\u0000', '\u0002\u0002', "''", '(', 'OR'])(
      'to %j there is no answer and no error',
      async (text) => {
        const { add, labels } = await setUp()
        await add('Node', 'A\u00A0B')
        expect(await labels(text)).toEqual([])
      },
    )
  })

  describe('who may know', () => {
    test('a device is found while it is public, by its current name', async () => {
      const { store, ada, bob, insertDevice, changeDevice, deleteDevice, labels } = await setUp()
      const own = async (userKey: number) =>
        (await store.findOwnDevices(userKey, parseSearch('beacon'))).map(({ label }) => label)
      const key = await insertDevice(ada, 'Beacon', { visibility: 'private' })
      expect(await labels('beacon')).toEqual([])
      expect([await own(ada), await own(bob)]).toEqual([['Beacon'], []])
      await changeDevice(key, { visibility: 'public' })
      expect(await labels('beacon')).toEqual(['Beacon'])
      expect(await own(ada)).toEqual([])
      await changeDevice(key, { hidden_ms: 5 })
      expect(await labels('beacon')).toEqual([])
      expect([await own(ada), await own(bob)]).toEqual([['Beacon'], []])
      await changeDevice(key, { hidden_ms: null, label: 'Lamp' })
      expect([await labels('beacon'), await labels('lamp')]).toEqual([[], ['Lamp']])
      await deleteDevice(key)
      expect(await labels('lamp')).toEqual([])
    })

    test('nothing of a disabled or deleted account is found', async () => {
      const {
        ada,
        setDisabled,
        deleteUser,
        insertDevice,
        insertIsland,
        labels,
        slugs,
        changeDevice,
      } = await setUp()
      const key = await insertDevice(ada, 'Beacon')
      await insertIsland({ userKey: ada, slug: 'beacon', name: 'Beacon bar' })
      await setDisabled(ada, true)
      expect([await labels('beacon'), await slugs('beacon')]).toEqual([[], []])
      await changeDevice(key, { label: 'Beacon 2' })
      expect(await labels('beacon')).toEqual([])
      await setDisabled(ada, false)
      expect([await labels('beacon'), await slugs('beacon')]).toEqual([['Beacon 2'], ['beacon']])
      await deleteUser(ada)
      expect([await labels('beacon'), await slugs('beacon')]).toEqual([[], []])
    })

    test('an island is found while it is listed, by its name and its tagline', async () => {
      const { ada, insertIsland, changeIsland, slugs } = await setUp()
      const key = await insertIsland({
        userKey: ada,
        slug: 'quiet',
        name: 'Quiet harbor',
        tagline: 'A bar by the sea',
      })
      await insertIsland({ userKey: null, slug: 'lounge', name: 'Lounge' })
      expect([await slugs('harbor'), await slugs('sea bar'), await slugs('lounge')]).toEqual([
        ['quiet'],
        ['quiet'],
        ['lounge'],
      ])
      for (const [hidden, shown] of [
        [{ is_listed: 0 }, { is_listed: 1 }],
        [{ published_ms: null }, { published_ms: 1 }],
        [{ hidden_ms: 1 }, { hidden_ms: null }],
      ] as const) {
        await changeIsland(key, hidden)
        // It is out of the index and has to return to it when it is shown again.
        await changeIsland(key, { tagline: `Told by ${Object.keys(hidden).join()}` })
        expect(await slugs('quiet')).toEqual([])
        await changeIsland(key, shown)
        expect(await slugs('quiet')).toEqual(['quiet'])
      }
      await changeIsland(key, { name: 'Loud harbor', tagline: '' })
      expect([await slugs('quiet'), await slugs('sea'), await slugs('loud')]).toEqual([
        [],
        [],
        ['quiet'],
      ])
    })

    test('only its host and members find an unlisted island, and only its host a draft', async () => {
      const { ada, bob, insertUser, insertIsland, changeIsland, join, block, slugs, own } =
        await setUp()
      const eve = await insertUser()
      const key = await insertIsland({ userKey: ada, slug: 'den', name: 'Hidden den' })
      await changeIsland(key, { is_listed: 0 })
      await join(key, bob)
      const seen = async () => [
        await slugs('den'),
        await own(ada, 'den'),
        await own(bob, 'den'),
        await own(eve, 'den'),
      ]
      expect(await seen()).toEqual([[], ['den'], ['den'], []])
      await changeIsland(key, { hidden_ms: 1 })
      expect(await seen()).toEqual([[], ['den'], [], []])
      await changeIsland(key, { hidden_ms: null, published_ms: null })
      expect(await seen()).toEqual([[], ['den'], [], []])
      await changeIsland(key, { published_ms: 1 })
      await block(key, bob)
      expect(await seen()).toEqual([[], ['den'], [], []])
    })

    test('a route is found if both of its ends are', async () => {
      const { store, ada, bob, insertIsland, changeIsland, insertRoute, join } = await setUp()
      const from = await insertIsland({ userKey: ada, slug: 'from', name: 'From' })
      const to = await insertIsland({ userKey: null, slug: 'to', name: 'To' })
      await insertRoute(from, to)
      const seen = async (userKey: number) => [
        ...(await store.listRoutes(userKey, [from])),
        ...(await store.listRoutes(userKey, [to])),
      ]
      const route = {
        from: { key: from, slug: 'from', name: 'From' },
        to: { key: to, slug: 'to', name: 'To' },
      }
      expect(await seen(bob)).toEqual([route, route])
      expect(await store.listRoutes(bob, [from, to])).toEqual([route])
      expect(await store.listRoutes(bob, [])).toEqual([])
      await changeIsland(from, { is_listed: 0 })
      expect([await seen(bob), await seen(ada)]).toEqual([[], [route, route]])
      await join(from, bob)
      expect(await seen(bob)).toEqual([route, route])
      await changeIsland(to, { hidden_ms: 1 })
      expect([await seen(bob), await seen(ada)]).toEqual([[], []])
    })
  })
}

function sorted(hits: Awaited<ReturnType<SearchStore['findDevices']>>) {
  const order = ['exact', 'beginning', 'words', 'inside']
  return hits
    .map(({ label, rank }) => [label, rank] as const)
    .toSorted(
      ([one, rank], [other, otherRank]) =>
        order.indexOf(rank) - order.indexOf(otherRank) || (one < other ? -1 : 1),
    )
}
