import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { slugMinLength } from './limits.ts'
import { Slug, slugFromName } from './slugs.ts'

/** Whether a name suggests a valid slug, or one that is only too short. */
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
