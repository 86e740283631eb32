import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestFirst } from './newest-first.ts'

function order(seen: ReadonlyMap<number, number | null>, limit: number): Promise<Uint32Array> {
  return newestFirst({
    records: {
      has: (key) => seen.has(key),
      size: seen.size,
      keyBound: Math.max(0, ...seen.keys()) + 1,
    },
    lastSeenMs: (key) => seen.get(key) ?? null,
    limit,
  })
}

function plainOrder(seen: ReadonlyMap<number, number | null>, limit: number): number[] {
  return [...seen]
    .toSorted(([a, aMs], [b, bMs]) => (bMs ?? -1) - (aMs ?? -1) || a - b)
    .map(([key]) => key)
    .slice(0, limit)
}

test('devices come newest first, then by key, never seen ones last, up to the limit', async () => {
  const moment = fc.oneof(
    fc.constant(null),
    fc.integer({ min: 0, max: 5 }),
    // Times of today and of the far future, close together and far apart.
    fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_300 }),
    fc.integer({ min: 0, max: 2 ** 43 }),
  )
  const devices = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), moment), { maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(devices, fc.integer({ min: 1, max: 220 }), async (entries, limit) => {
      const seen = new Map(entries)
      expect([...(await order(seen, limit))]).toEqual(plainOrder(seen, limit))
    }),
    { numRuns: 300 },
  )
})

test('more devices than fit in one turn, all seen at one moment', async () => {
  const seen = new Map(Array.from({ length: 50_000 }, (_, i) => [i + 7, 1_700_000_000_000]))
  expect([...(await order(seen, 30_000))]).toEqual(plainOrder(seen, 30_000))
})
