import { expect, test } from 'vitest'
import { copyLock, lockNumbers } from './locks.ts'

test('no total waits for another: nor for who moves data: each has a lock of its own', () => {
  const numbers = Object.values(lockNumbers)
  expect(numbers).not.toContain(Number(copyLock.split(', ')[1]))
  expect(new Set(numbers).size).toBe(numbers.length)
})
