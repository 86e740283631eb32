import { expect, test } from 'vitest'
import { lockNumbers } from './locks.ts'

test('no total waits for another: each has a lock of its own', () => {
  const numbers = Object.values(lockNumbers)
  expect(new Set(numbers).size).toBe(numbers.length)
})
