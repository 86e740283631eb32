import { expect, test } from 'vitest'
import { hashSessionToken, isSessionToken, makeSessionToken } from './session-token.ts'

test('S10 a token has 256 random bits', () => {
  const [one, other] = [makeSessionToken(), makeSessionToken()]
  expect(Buffer.from(one, 'base64url')).toHaveLength(32)
  expect(one).not.toBe(other)
  expect(isSessionToken(one)).toBe(true)
})

test.each(['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}+`, `${'A'.repeat(43)}\n`])(
  '%j is no token',
  (text) => {
    expect(isSessionToken(text)).toBe(false)
  },
)

test('S10 what is stored is the SHA-256 of the token', () => {
  expect(Buffer.from(hashSessionToken('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
