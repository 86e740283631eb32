import { Slug } from '@astropelago/contract/slugs'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { isSecret, plainPart, secretSlug, skeletonOf, slugFault, slugOfName } from './slugs.ts'

const plain = fc
  .stringMatching(/^[a-z0-9]{1,10}(-[a-z0-9]{1,10}){0,2}$/)
  .filter((text) => text.length >= 3 && text.length <= 32 && !isSecret(text))

test.each([
  ['Harbour Books', 'harbour-books'],
  ['Blog', 'isle-blog'],
  ['B1og', 'isle-b1og'],
  ['A', 'isle-a'],
  ['港の本', 'isle'],
  ['Isle ab12cd', 'isle'],
])('the name %s makes the slug %s', (name, slug) => {
  expect(slugOfName(name)).toBe(slug)
})

test('every name makes a slug that is allowed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (name) => {
      expect(slugFault(slugOfName(name))).toBeUndefined()
    }),
  )
})

test('S54 the slug of a draft is the wish and six random characters', () => {
  fc.assert(
    fc.property(plain, (wish) => {
      const slug = secretSlug(wish)
      expect(v.is(Slug, slug)).toBe(true)
      expect(isSecret(slug)).toBe(true)
      expect(slug).toMatch(/-[a-z0-9]{6}$/)
      expect(plainPart(slug)).toBe(wish.slice(0, 25).replace(/-$/, ''))
    }),
  )
})

test('no two drafts get the same one', () => {
  const slugs = Array.from({ length: 100 }, () => secretSlug('harbor'))
  expect(new Set(slugs).size).toBe(100)
})

test('S54 slugs like those of drafts are refused', () => {
  fc.assert(
    fc.property(plain, (wish) => {
      expect(slugFault(secretSlug(wish))).toMatch(/Those are for drafts/)
    }),
  )
})

test.each(['blue-harbor', 'party-202611', 'cafe-route66', 'a-b-c', 'x1y2z3'])(
  '%s is plain',
  (slug) => {
    expect(slugFault(slug)).toBeUndefined()
    expect(plainPart(slug)).toBe(slug)
  },
)

test.each(
  `api WWW discover islands mothership new-island assets healthz wpad isatap autodiscover autoconfig mta-sts
   openpgpkey sso oauth pay agent`.split(/\s+/),
)('S60 %s is the site’s own', (slug) => {
  expect(slugFault(slug)).toBe('This address is one of the site’s own.')
})

test.each(['ap1', 'adm1n', 'adrnin', 'vvww', 'is1ands', 'l0g-in', 'the-travelers-tavern', 'a-p-i'])(
  'S60 %s looks like one of the site’s own',
  (slug) => {
    expect(slugFault(slug)).toBe('This address looks like one of the site’s own.')
  },
)

test.each([
  ['harbor', 'har-bor'],
  ['hill', 'hi11'],
  ['moon', 'm00n'],
  ['modern', 'modem'],
  ['wave', 'vvave'],
  ['club', 'dub'],
  ['cloud-club', 'c1oud-ciub'],
])('S60 %s and %s look alike', (one, other) => {
  expect(skeletonOf(one)).toBe(skeletonOf(other))
})

test.each(['ab', 'a'.repeat(33), '-ab', 'ab-', 'a--b', 'xn--80ak6aa92e', 'Straße', 'a b', 'а-bar'])(
  'S60 %j is no address',
  (text) => {
    expect(slugFault(text)).toMatch(/^An address has 3 to 32/)
  },
)
