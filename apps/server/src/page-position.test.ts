import { expect, test } from 'vitest'
import { newestPosition, readPosition, writePosition } from './page-position.ts'

test('a place in a list comes back as it was handed out; without one the list begins', () => {
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
])('S40 “%s” is no place', (text) => {
  expect(readPosition(text)).toBeUndefined()
})
