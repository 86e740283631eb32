import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { IslandsStore, NewIslandRecord } from '../islands-store.ts'
import { secretSlug } from '../slugs.ts'

export interface IslandsStoreHarness {
  /** Takes at most `maxIslands` islands in total. */
  readonly store: IslandsStore
  readonly maxIslands: number
  /** What was recorded of islands and their members so far: topic, keys, details. */
  readonly changes: unknown[]
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

export const openly = { access: 'public', isListed: true } as const
export const closely = { access: 'invited', isListed: false } as const

/** A host, a stranger, and functions that make islands for them. */
export async function setUpIslands(open: () => Promise<IslandsStoreHarness>) {
  const harness = await open()
  const { store, insertUser } = harness
  const [host, stranger] = [await insertUser(), await insertUser()]
  /** Makes a draft whose slug is `wish` with six random characters. */
  const make = async (wish: string, details: Partial<NewIslandRecord> = {}) => {
    const island = {
      id: randomUUID(),
      userKey: host,
      slug: secretSlug(wish),
      name: 'Harbor “Bar”',
      kind: 'social',
      picture: 2 ** 32 - 1,
      tagline: 'A bar',
      about: 'All of\nit',
      rules: 'Be\nkind',
      address: 'https://a.example/',
      isRelayed: false,
      isHosted: false,
      carrierKey: null,
      createdMs: 5,
      ...details,
    } as const
    const key = await store.insert(island, 20)
    if (key === undefined) throw new Error('it was refused')
    return { ...island, key }
  }
  /** Makes an island that everybody may see, at a plain slug. */
  const makeKnown = async (slug: string, userKey = host) => {
    const { id, key } = await make(slug, { userKey })
    expect(await store.publish(userKey, id, { ...openly, slug, atMs: 10 })).toBe('changed')
    return { id, key, slug }
  }
  const slugOf = async (id: string) => (await store.findById(null, id))?.island.slug
  return { ...harness, host, stranger, make, makeKnown, slugOf }
}
