import { expect, test } from 'vitest'
import { copyLock, lockNumbers } from './locks.ts'

test('each total, and each move of data, has its own lock', () => {
  const numbers = Object.values(lockNumbers)
  expect(numbers).not.toContain(Number(copyLock.split(', ')[1]))
  expect(new Set(numbers).size).toBe(numbers.length)
})
