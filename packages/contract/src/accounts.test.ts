import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { brokenCredentialRule, updateMe } from './accounts.ts'

const usernameCharacter = fc.constantFrom(
  ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'),
)
const goodUsername = fc.string({ unit: usernameCharacter, minLength: 3, maxLength: 32 })
const badUsername = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => text.trim() !== '' && !/^[A-Za-z0-9_-]{3,32}$/.test(text.trim()))
const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000') })
/** A character of any plane. Each counts once, regardless of its bytes and code units. */
const codePoint = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })
const password = (minLength: number, maxLength: number) =>
  fc.string({ unit: codePoint, minLength, maxLength })
const anyPassword = password(1, 200)

test('a good pair breaks no rule, with any blank space around the username', () => {
  fc.assert(
    fc.property(goodUsername, blank, blank, password(8, 128), (username, before, after, secret) => {
      const credentials = { username: before + username + after, password: secret }
      expect(brokenCredentialRule(credentials)).toBeUndefined()
    }),
  )
})

test('what is missing comes first, whatever else is wrong', () => {
  fc.assert(
    fc.property(fc.string(), blank, anyPassword, (username, empty, secret) => {
      expect(brokenCredentialRule({ username, password: '' })).toBe('required')
      expect(brokenCredentialRule({ username: empty, password: secret })).toBe('required')
    }),
  )
})

test('a bad username comes before anything wrong with the password', () => {
  fc.assert(
    fc.property(badUsername, anyPassword, (username, secret) => {
      expect(brokenCredentialRule({ username, password: secret })).toBe('username')
    }),
  )
})

test('a password is short below 8 and long above 128 code points', () => {
  fc.assert(
    fc.property(goodUsername, password(1, 7), password(129, 200), (username, short, long) => {
      expect(brokenCredentialRule({ username, password: short })).toBe('password-short')
      expect(brokenCredentialRule({ username, password: long })).toBe('password-long')
    }),
  )
})

test('a password is never trimmed: blank space counts', () => {
  fc.assert(
    fc.property(goodUsername, fc.integer({ min: 1, max: 200 }), (username, length) => {
      const expected = length < 8 ? 'password-short' : length > 128 ? 'password-long' : undefined
      expect(brokenCredentialRule({ username, password: ' '.repeat(length) })).toBe(expected)
    }),
  )
})

test.each([
  ['ab', 'username'],
  ['abc', undefined],
  ['a'.repeat(32), undefined],
  ['a'.repeat(33), 'username'],
  ['a b', 'username'],
  ['näve', 'username'],
  ['abc\0', 'username'],
  ['abc\n', undefined],
])('the username %j', (username, rule) => {
  expect(brokenCredentialRule({ username, password: 'correct horse' })).toBe(rule)
})

test.each([
  ['  Nova  ', 'Nova'],
  ['', null],
  ['   ', null],
  [null, null],
  ['Cafe\u0301', 'Café'],
  ['🛰'.repeat(64), '🛰'.repeat(64)],
  ['a\u202Eb', 'ab'],
])('the display name %j is kept as %j', (name, kept) => {
  expect(v.parse(updateMe.body, { name })).toEqual({ name: kept })
})

test('a user may change one thing or several, but not nothing', () => {
  expect(v.parse(updateMe.body, { isNamePublic: true })).toEqual({ isNamePublic: true })
  expect(v.is(updateMe.body, { name: null, isNamePublic: false })).toBe(true)
  expect(v.is(updateMe.body, {})).toBe(false)
})

test.each(['🛰'.repeat(65), 'a\0b', 'a\nb', 'a\ud800', 7, undefined])(
  'the display name %j is refused',
  (name) => {
    expect(v.is(updateMe.body, { name })).toBe(false)
  },
)
