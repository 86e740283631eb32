import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordMaxBytes, RecordPages } from './record-pages.ts'

test('each record is what was set last, while others are set, grow, shrink and are deleted', () => {
  const key = fc.integer({ min: 0, max: 60 })
  const act = fc.oneof(
    // Long records fill pages, so pages are dropped and their numbers reused.
    fc.tuple(key, fc.integer({ min: 0, max: 30_000 }), fc.constantFrom('a', 'é', '👩‍🚀')),
    fc.tuple(key),
  )
  fc.assert(
    fc.property(fc.array(act, { minLength: 300, maxLength: 600, size: 'max' }), (acts) => {
      const records = new RecordPages()
      const model = new Map<number, string>()
      for (const [one, length, letter] of acts) {
        if (length === undefined || letter === undefined) {
          records.delete(one)
          model.delete(one)
        } else {
          const text = letter.repeat(length / Buffer.byteLength(letter))
          records.set(one, text)
          model.set(one, text)
        }
      }
      expect(records.size).toBe(model.size)
      expect(records.keyBound).toBeGreaterThan(Math.max(0, ...model.keys()))
      for (let one = 0; one <= 61; one += 1) {
        expect(records.get(one)?.toString()).toBe(model.get(one))
        expect(records.has(one)).toBe(model.has(one))
      }
    }),
    { numRuns: 20 },
  )
})

test('deleted and replaced records give their memory back', () => {
  const records = new RecordPages()
  for (let round = 0; round < 40; round += 1) {
    for (let key = 0; key < 100; key += 1) {
      records.set(key, 'x'.repeat(10_000 + round))
      if (key % 2 === 0) records.delete(key)
    }
  }
  // 50 live records of 10 kB take half a page. Those of all 40 rounds would take 40 pages.
  expect(records.pagesHeld).toBeLessThanOrEqual(3)
})

test('high and distant keys are stored', () => {
  const records = new RecordPages()
  records.set(1_000_000, 'high')
  records.set(0, 'low')
  expect(records.get(1_000_000)?.toString()).toBe('high')
  expect(records.get(0)?.toString()).toBe('low')
  expect(records.get(500_000)).toBeUndefined()
  expect(records.get(5_000_000)).toBeUndefined()
})

test('a text that is too long is refused and changes nothing', () => {
  const records = new RecordPages()
  records.set(1, 'kept')
  expect(() => records.set(1, 'x'.repeat(recordMaxBytes + 1))).toThrow(RangeError)
  expect(records.get(1)?.toString()).toBe('kept')
})
