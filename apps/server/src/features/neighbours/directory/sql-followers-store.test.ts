import { expect, test } from 'vitest'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { sqlFollowersStore } from './sql-followers-store.ts'

const one = { address: 'https://one.example', key: 'one' }
const two = { address: 'https://two.example', key: 'two' }

async function setUp() {
  return sqlFollowersStore(await openTestStorage())
}

test('[F5] followers are noted with their first and last time; the longest unseen go', async () => {
  const store = await setUp()
  await store.note(one, 1, 2)
  await store.note(two, 2, 2)
  await store.note(one, 3, 2)
  expect(await store.list()).toEqual([
    { ...one, isVerified: false, firstMs: 1, lastMs: 3 },
    { ...two, isVerified: false, firstMs: 2, lastMs: 2 },
  ])
  await store.recordAnswer(two, true, 4)
  await store.note({ address: 'https://three.example', key: 'three' }, 5, 2)
  expect((await store.list()).map(({ address }) => address)).toEqual([
    two.address,
    'https://three.example',
  ])
})

test('[F5] S73 a verified address keeps its key, whoever claims it', async () => {
  const store = await setUp()
  await store.note(one, 1, 9)
  await store.note({ ...one, key: 'other' }, 2, 9)
  await store.recordAnswer(one, true, 3)
  expect(await store.list()).toMatchObject([{ key: 'other', isVerified: false, lastMs: 2 }])
  await store.note(one, 3, 9)
  await store.recordAnswer(one, true, 4)
  await store.note({ ...one, key: 'other' }, 5, 9)
  expect(await store.list()).toMatchObject([{ key: 'one', isVerified: true, lastMs: 3 }])
  await store.recordAnswer(one, undefined, 6)
  expect(await store.list()).toMatchObject([{ isVerified: true }])
  await store.recordAnswer(one, false, 7)
  expect(await store.list()).toMatchObject([{ isVerified: false }])
})

test('[F5] an address is asked once in a while, and only if it came again', async () => {
  const store = await setUp()
  expect(await store.findUnasked(0)).toBe(undefined)
  await store.note(one, 1, 9)
  await store.note(two, 2, 9)
  expect(await store.findUnasked(0)).toEqual(two)
  await store.recordAnswer(two, undefined, 10)
  expect(await store.findUnasked(0)).toEqual(one)
  await store.recordAnswer(one, true, 11)
  expect(await store.findUnasked(5)).toBe(undefined)
  expect(await store.findUnasked(100)).toBe(undefined)
  await store.note(one, 20, 9)
  expect(await store.findUnasked(12)).toEqual(one)
})
