import { expect, test } from 'vitest'
import { islandFacts } from '../testing/island-facts.ts'
import { ListedIslands } from './listed-islands.ts'
import type { IslandFacts } from './public-islands-store.ts'

const open = { isOpen: true, isWatched: true, sinceMs: null, pause: null }

/** Islands with higher keys are newer. */
function island(key: number, isCarrierPublic: boolean) {
  return islandFacts({
    key,
    id: `id-${key}`,
    slug: `isle-${key}`,
    isListed: true,
    publishedMs: key,
    carrier: { key, id: `device-${key}`, isPublic: isCarrierPublic, isShared: false, flip: null },
  })
}

test('S47 the slugs of many islands come newest first, in parts that block no other work', () => {
  const listed = new ListedIslands(() => 0)
  for (let key = 1; key <= 1200; key += 1) listed.set(island(key, false), open)
  const parts = [...listed.slugs(1100)]
  expect(parts.map(({ length }) => length)).toEqual([500, 500, 100])
  expect(parts.flat()).toEqual(Array.from({ length: 1100 }, (_, at) => `isle-${1200 - at}`))
})

test('the newest islands that public devices carry are listed, whatever was added and removed before', () => {
  const listed = new ListedIslands(() => 0)
  for (const key of [3, 1, 4, 2, 5]) listed.set(island(key, key !== 4), open)
  const ids = (limit: number) => listed.carried(limit).map(({ id }) => id)
  expect(ids(3)).toEqual(['id-5', 'id-3', 'id-2'])
  listed.set(island(5, false), open)
  listed.set(island(4, true), open)
  listed.set(island(3, true), open)
  listed.delete(2)
  expect(ids(9)).toEqual(['id-4', 'id-3', 'id-1'])
})

test('[HI4] everybody sees times from the time on record, or from when it was first found listed', () => {
  let nowMs = 100
  const listed = new ListedIslands(() => nowMs)
  const isle = island(1, false)
  const sinceOf = (facts: IslandFacts, sinceMs: number) => {
    listed.set(facts, { ...open, sinceMs })
    const since = listed.card(1)?.since ?? null
    return since === null ? null : Date.parse(since)
  }
  expect(sinceOf(isle, 99)).toBe(null)
  nowMs = 200
  expect(sinceOf(isle, 99)).toBe(null)
  expect(sinceOf(isle, 150)).toBe(150)
  const onRecord = { ...isle, knownSince: { ...isle.knownSince, everybodyMs: 110 } }
  expect(sinceOf(onRecord, 109)).toBe(null)
  expect(sinceOf(onRecord, 110)).toBe(110)
})

test('[F4] others see less of an island that is shared no longer, or whose device is not', () => {
  const listed = new ListedIslands(() => 0)
  const isle = island(1, true)
  const placed = { ...isle, carrier: isle.carrier && { ...isle.carrier, isShared: true } }
  expect(listed.set(isle, open)).toBe('added')
  expect(listed.set({ ...isle, isShared: true }, open)).toBe('changed')
  expect(listed.set({ ...placed, isShared: true }, open)).toBe('changed')
  expect(listed.set({ ...placed, isShared: true }, open)).toBe('nothing')
  expect(listed.set({ ...isle, isShared: true }, open)).toBe('less')
  expect(listed.set(isle, open)).toBe('less')
  listed.set({ ...isle, isShared: true }, open)
  listed.delete(1)
  expect([listed.shared.count, listed.shared.had(1)]).toEqual([0, true])
})
