import { expect, test } from 'vitest'
import { newestPosition, readPosition, writePosition } from './page-position.ts'

test('a position in a list is read as it was written; without one the list begins', () => {
  const position = { atMs: 1_700_000_000_000, id: crypto.randomUUID() }
  expect(readPosition(writePosition(position))).toEqual(position)
  expect(readPosition(undefined)).toEqual(newestPosition)
})

test.each([
  '',
  'x',
  '5',
  '5.',
  '.a',
  '-5.a',
  '5.a b',
  `5.${'a'.repeat(37)}`,
  '12345678901234567.a',
])('S40 “%s” is not a position', (text) => {
  expect(readPosition(text)).toBeUndefined()
})
