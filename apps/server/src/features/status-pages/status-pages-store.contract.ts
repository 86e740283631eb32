import type { StatusPageSettings } from '@astropelago/contract/status-pages'
import { describe, expect, test } from 'vitest'
import type { StatusPagesStore } from './status-pages-store.ts'

export interface StatusPagesStoreHarness {
  readonly store: StatusPagesStore
  readonly insertUser: () => Promise<{ readonly key: number; readonly username: string }>
  readonly disableUser: (userKey: number) => Promise<void>
  readonly deleteUser: (userKey: number) => Promise<void>
}

const settings: StatusPageSettings = {
  isOn: true,
  title: 'Ærø · 日本 🛰️',
  devices: ['b', 'a'],
  islands: ['c'],
  checks: ['d'],
  frameHosts: ['wall.example.org:8080'],
}

/** What every store of status pages must do, on any database. */
export function statusPagesStoreContract(open: () => Promise<StatusPagesStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    return { ...harness, user: await harness.insertUser() }
  }

  describe('a status page', () => {
    test('is stored as its user left it, for that user only', async () => {
      const { store, user, insertUser } = await setUp()
      const other = await insertUser()
      expect(await store.find(user.key)).toBeUndefined()
      expect(await store.change(user.key, () => settings)).toEqual(settings)
      expect(await store.find(user.key)).toEqual(settings)
      const changed = { ...settings, title: null }
      expect(
        await store.change(user.key, (found) => ({ ...settings, ...found, title: null })),
      ).toEqual(changed)
      expect(await store.find(user.key)).toEqual(changed)
      expect(await store.find(other.key)).toBeUndefined()
    })

    test('keeps every one of simultaneous changes', async () => {
      const { store, user } = await setUp()
      const names = ['a', 'b', 'c', 'd', 'e']
      await Promise.all(
        names.map((name) =>
          store.change(user.key, (found) => ({
            ...settings,
            devices: [...(found?.devices ?? []), name],
          })),
        ),
      )
      const { devices = [] } = (await store.find(user.key)) ?? {}
      expect(devices.toSorted()).toEqual(names)
    })

    test('is found by its username in any case, while it is on and its user is not disabled', async () => {
      const { store, user, disableUser } = await setUp()
      const { key, username } = user
      expect(await store.findShown(username)).toBeUndefined()
      await store.change(key, () => settings)
      for (const name of [username, username.toUpperCase()]) {
        expect(await store.findShown(name)).toEqual({ userKey: key, username, settings })
      }
      await store.change(key, () => ({ ...settings, isOn: false }))
      expect(await store.findShown(username)).toBeUndefined()
      await store.change(key, () => settings)
      await disableUser(key)
      expect(await store.findShown(username)).toBeUndefined()
    })

    test('is deleted with its user', async () => {
      const { store, user, deleteUser } = await setUp()
      await store.change(user.key, () => settings)
      await deleteUser(user.key)
      expect(await store.find(user.key)).toBeUndefined()
    })
  })
}
