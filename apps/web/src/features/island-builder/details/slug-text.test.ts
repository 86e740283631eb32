import { slugMinLength } from '@astropelago/contract/limits'
import { Slug } from '@astropelago/contract/slugs'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { isSecretSlug, slugFromName, typedSlug, wishedSlug } from './slug-text.ts'

/** Whether a name suggests an address, or one that is too short. */
function suggestsSlug(name: string): boolean {
  const slug = slugFromName(name)
  return slug.length < slugMinLength || v.is(Slug, slug)
}

describe('the address that a name suggests', () => {
  test.each([
    ['Harbour Books', 'harbour-books'],
    ['  Ada’s   Arcade!  ', 'adas-arcade'],
    ['Café Süd', 'cafe-sud'],
    ['50% off & more', '50-off-more'],
    ['港の本', ''],
    ['---', ''],
  ])('%s: %s', (name, slug) => {
    expect(slugFromName(name)).toBe(slug)
  })

  test('is one, or too short to be one, whatever the name', () => {
    expect(
      fc.check(fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), suggestsSlug)).failed,
    ).toBe(false)
  })
})

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
