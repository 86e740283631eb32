import { expect, test } from 'vitest'
import { isSecretSlug, typedSlug, wishedSlug } from './slug-text.ts'

test('blanks and capitals are made fit while an address is typed', () => {
  expect(typedSlug('Harbour  Books')).toBe('harbour-books')
})

test.each([
  ['harbour-books-x7k2p9', true, 'harbour-books'],
  ['harbour-island', false, 'harbour-island'],
  ['harbour-202611', false, 'harbour-202611'],
  ['harbour', false, 'harbour'],
])('%s can’t be guessed: %s; it was meant to be %s', (slug, isSecret, wish) => {
  expect(isSecretSlug(slug)).toBe(isSecret)
  expect(wishedSlug(slug)).toBe(wish)
})
