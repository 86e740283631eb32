import { expect, test } from 'vitest'
import { isSecretSlug, slugIn, typedSlug, wishedSlug } from './slug-text.ts'

test('typing an address replaces blanks and capitals', () => {
  expect(typedSlug('Harbour  Books')).toBe('harbour-books')
})

test.each([
  ['harbour-books-x7k2p9', true, 'harbour-books'],
  ['harbour-island', false, 'harbour-island'],
  ['harbour-202611', false, 'harbour-202611'],
  ['harbour', false, 'harbour'],
])('%s has a secret ending: %s; without it: %s', (slug, isSecret, wish) => {
  expect(isSecretSlug(slug)).toBe(isSecret)
  expect(wishedSlug(slug)).toBe(wish)
})

test.each([
  ['harbour-books', 'harbour-books'],
  [' Harbour-Books ', 'harbour-books'],
  ['/islands/harbour-books', 'harbour-books'],
  ['https://astropelago.example/islands/harbour-books?from=chat', 'harbour-books'],
  ['https://astropelago.example/harbour-books/', 'harbour-books'],
  ['', undefined],
  ['no such thing', undefined],
])('the slug in “%s” is %s', (text, slug) => {
  expect(slugIn(text)).toBe(slug)
})
