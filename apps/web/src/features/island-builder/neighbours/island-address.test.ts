import { expect, test } from 'vitest'
import { moved, slugIn } from './island-address.ts'

test.each([
  ['harbour-books', 'harbour-books'],
  [' Harbour-Books ', 'harbour-books'],
  ['/islands/harbour-books', 'harbour-books'],
  ['https://astropelago.example/islands/harbour-books?from=chat', 'harbour-books'],
  ['https://astropelago.example/harbour-books/', 'harbour-books'],
  ['', undefined],
  ['no such thing', undefined],
])('what “%s” leads to: %s', (text, slug) => {
  expect(slugIn(text)).toBe(slug)
})

test('one of a list goes a place up or down, but not past its ends', () => {
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
})
