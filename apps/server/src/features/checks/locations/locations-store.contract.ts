import { describe, expect, test } from 'vitest'
import { ReferenceViolation } from '../../../storage/storage-error.ts'
import type { LocationsStore } from './locations-store.ts'

interface LocationsStoreHarness {
  readonly store: LocationsStore
  readonly insertUser: () => Promise<number>
  readonly insertDevice: (userKey: number) => Promise<{ readonly key: number; readonly id: string }>
  readonly insertCheck: (userKey: number) => Promise<number>
  readonly insertSample: (checkKey: number, locationKey: number, atMs: number) => Promise<void>
  readonly deleteDevice: (key: number) => Promise<void>
  readonly disable: (userKey: number) => Promise<void>
}

export function locationsStoreContract(open: () => Promise<LocationsStoreHarness>): void {
  const lending = { id: 'location', isLending: true, region: 'Harbor', atMs: 5 }

  describe('locations', () => {
    test('a device lends while its owner agrees, and keeps its id', async () => {
      const { store, insertUser, insertDevice } = await open()
      const userKey = await insertUser()
      const { key: deviceKey, id: deviceId } = await insertDevice(userKey)
      expect(await store.listOwn(userKey)).toEqual([])
      await store.setLending(deviceKey, lending)
      const { atMs: consentedMs, ...shown } = lending
      const location = { ...shown, deviceKey, deviceId, userKey, consentedMs }
      expect(await store.listLending()).toEqual([location])
      await store.setLending(deviceKey, { id: 'other', isLending: false, region: null, atMs: 9 })
      expect(await store.listLending()).toEqual([])
      const ended = { ...location, isLending: false, region: null }
      expect(await store.listOwn(userKey)).toEqual([ended])
      expect(await store.read([deviceKey])).toEqual([ended])
      await store.setLending(deviceKey, { ...lending, atMs: 10 })
      expect(await store.listLending()).toEqual([{ ...location, consentedMs: 10 }])
    })

    test('a device of a disabled user, or that is gone, lends nothing', async () => {
      const { store, insertUser, insertDevice, disable, deleteDevice } = await open()
      const userKey = await insertUser()
      const { key } = await insertDevice(userKey)
      const gone = await insertDevice(userKey)
      await store.setLending(key, lending)
      await store.setLending(gone.key, { ...lending, id: 'gone' })
      await deleteDevice(gone.key)
      expect(await store.listLending()).toHaveLength(1)
      await disable(userKey)
      expect(await store.listLending()).toEqual([])
      await expect(store.setLending(gone.key, { ...lending, id: 'late' })).rejects.toThrow(
        ReferenceViolation,
      )
    })

    test('how often it looked, by check, and not how often the server did', async () => {
      const { store, insertUser, insertCheck, insertSample } = await open()
      const userKey = await insertUser()
      const [one, other] = [await insertCheck(userKey), await insertCheck(userKey)]
      for (const atMs of [1, 2, 3]) await insertSample(one, 7, atMs)
      await insertSample(other, 7, 3)
      await insertSample(other, 8, 3)
      await insertSample(other, 0, 3)
      expect(await store.countLooks(7, 2)).toEqual([
        { checkKey: one, count: 2 },
        { checkKey: other, count: 1 },
      ])
      expect(await store.countLooks(0, 0)).toEqual([])
    })
  })

  describe('proofs', () => {
    test('all places of a user have one code, and proofs are asked for in turn', async () => {
      const { store, insertUser } = await open()
      const userKey = await insertUser()
      const first = await store.openProof(userKey, 'a.example:443', 'code', [])
      expect(first).toEqual({
        userKey,
        place: 'a.example:443',
        code: 'code',
        provenMs: null,
        askedMs: null,
      })
      expect(await store.openProof(userKey, 'a.example:443', 'new', [])).toEqual(first)
      const second = await store.openProof(userKey, 'b.example:22', 'new', ['a.example:443'])
      expect(second.code).toBe('code')
      const other = await store.openProof(await insertUser(), 'a.example:443', 'new', [])
      expect(other.code).toBe('new')
      await store.recordProof({ ...first, provenMs: 10 }, 10)
      expect(await store.listProven(10)).toEqual([{ ...first, provenMs: 10, askedMs: 10 }])
      expect(await store.listProven(11)).toEqual([])
      const due = await store.listDue(9, 10)
      expect(due.map(({ place }) => place).toSorted()).toEqual(['a.example:443', 'b.example:22'])
      expect(await store.listDue(10, 10)).toHaveLength(3)
      expect(await store.listDue(10, 1)).toHaveLength(1)
      await store.deleteProof(first)
      const left = await store.listDue(10, 10)
      expect(left).toHaveLength(2)
      expect(left).toEqual(expect.arrayContaining([second, other]))
    })

    test('S52 of places that no check of the user looks at are deleted for a new one', async () => {
      const { store, insertUser } = await open()
      const userKey = await insertUser()
      const other = await store.openProof(await insertUser(), 'a.example:443', 'other', [])
      const [one, two, three] = ['a.example:443', 'b.example:443', 'c.example:443'] as const
      const first = await store.openProof(userKey, one, 'code', [one])
      const second = await store.openProof(userKey, two, 'new', [one, two])
      const all = async () => new Set(await store.listDue(10, 10))
      expect(await all()).toEqual(new Set([other, first, second]))
      const third = await store.openProof(userKey, three, 'new', [three])
      expect(third.code).toBe('code')
      expect(await all()).toEqual(new Set([other, third]))
    })

    test('of a disabled user count no more', async () => {
      const { store, insertUser, disable } = await open()
      const userKey = await insertUser()
      const proof = await store.openProof(userKey, 'a.example:443', 'code', [])
      await store.recordProof({ ...proof, provenMs: 10 }, 10)
      await disable(userKey)
      expect(await store.listProven(0)).toEqual([])
      expect(await store.listDue(20, 10)).toEqual([])
    })
  })

  test('doubts of a check are replaced together, without those of devices that are gone', async () => {
    const { store, insertUser, insertDevice, insertCheck, deleteDevice } = await open()
    const userKey = await insertUser()
    const checkKey = await insertCheck(userKey)
    const [one, other] = [await insertDevice(userKey), await insertDevice(userKey)]
    await store.setDoubts(checkKey, new Map([[one.key, 5]]))
    await store.setDoubts(await insertCheck(userKey), new Map([[one.key, 6]]))
    expect(await store.listDoubts()).toHaveLength(2)
    await deleteDevice(one.key)
    await store.setDoubts(
      checkKey,
      new Map([
        [one.key, 5],
        [other.key, 7],
      ]),
    )
    expect(await store.listDoubts()).toEqual([{ checkKey, deviceKey: other.key, sinceMs: 7 }])
    expect(await store.describeDoubts(10)).toEqual([
      {
        lender: expect.any(String),
        deviceId: other.id,
        checkId: expect.any(String),
        owner: expect.any(String),
        sinceMs: 7,
      },
    ])
    expect(await store.describeDoubts(0)).toEqual([])
    await store.setDoubts(checkKey, new Map())
    expect(await store.listDoubts()).toEqual([])
  })
}
