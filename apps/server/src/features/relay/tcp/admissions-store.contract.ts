import { expect, test } from 'vitest'
import type { AdmissionsStore } from './admissions-store.ts'

export interface AdmissionsStoreHarness {
  readonly store: AdmissionsStore
  readonly insertUser: () => Promise<number>
  readonly insertIsland: () => Promise<number>
  readonly disableUser: (key: number) => Promise<void>
  readonly deleteUser: (key: number) => Promise<void>
}

const limits = { everyMs: 10, max: 2 }
const hash = (value: number) => new Uint8Array(32).fill(value)

/** What every admissions store must do, on any database. */
export function admissionsStoreContract(open: () => Promise<AdmissionsStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser, insertIsland } = harness
    const [islandKey, ada, bob] = [await insertIsland(), await insertUser(), await insertUser()]
    const admit = (userKey: number, value: number, atMs: number) =>
      store.admit({ islandKey, userKey, addressHash: hash(value), atMs }, limits)
    const usersAt = async (value: number, sinceMs = 0) =>
      (await store.usersAt(islandKey, hash(value), sinceMs)).toSorted((a, b) => a - b)
    return { ...harness, islandKey, ada, bob, admit, usersAt }
  }

  test('a user who opened an island from a network is found there, only for that island', async () => {
    const { store, insertIsland, ada, bob, admit, usersAt } = await setUp()
    await admit(ada, 1, 100)
    await admit(bob, 1, 100)
    await admit(bob, 2, 100)
    expect(await usersAt(1)).toEqual([ada, bob])
    expect(await usersAt(2)).toEqual([bob])
    expect(await usersAt(3)).toEqual([])
    expect(await store.usersAt(await insertIsland(), hash(1), 0)).toEqual([])
  })

  test('an admission is recorded at most once in a while, and expires', async () => {
    const { ada, admit, usersAt } = await setUp()
    expect(await admit(ada, 1, 100)).toBe(100)
    expect(await admit(ada, 1, 109)).toBe(100)
    expect(await usersAt(1, 99)).toEqual([ada])
    expect(await usersAt(1, 100)).toEqual([])
    expect(await admit(ada, 1, 110)).toBe(110)
    expect(await usersAt(1, 109)).toEqual([ada])
  })

  test('R37 only a user’s last networks are kept, and other users’ stay', async () => {
    const { ada, bob, admit, usersAt } = await setUp()
    await admit(bob, 1, 50)
    for (const [value, atMs] of [
      [1, 100],
      [2, 200],
      [3, 300],
      [1, 400],
      [4, 500],
    ] as const) {
      await admit(ada, value, atMs)
    }
    expect(await Promise.all([1, 2, 3, 4].map((value) => usersAt(value)))).toEqual([
      [ada, bob],
      [],
      [],
      [ada],
    ])
  })

  test('R37 old admissions are deleted', async () => {
    const { store, ada, admit, usersAt } = await setUp()
    await admit(ada, 1, 100)
    await admit(ada, 2, 200)
    await store.deleteOld(100)
    expect(await usersAt(1)).toEqual([])
    expect(await usersAt(2)).toEqual([ada])
  })

  test('R36 a disabled or deleted user lets no network in', async () => {
    const { store, disableUser, deleteUser, insertUser, ada, bob, admit, usersAt } = await setUp()
    const eve = await insertUser()
    for (const userKey of [ada, bob, eve]) await admit(userKey, 1, 100)
    await disableUser(ada)
    await deleteUser(eve)
    expect(await usersAt(1)).toEqual([bob])
    expect(await store.activeOf([ada, bob, eve, 999])).toEqual([bob])
    expect(await store.activeOf([])).toEqual([])
  })
}
