import { expect, test } from 'vitest'
import { hashToken, makeToken } from './secret-token.ts'

test.each(['', 'apd_'])('S10 S19 a token has 256 random bits after its prefix %j', (prefix) => {
  const tokens = Array.from({ length: 200 }, () => makeToken(prefix))
  for (const token of tokens) {
    expect(token).toMatch(new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`))
    expect(Buffer.from(token.slice(prefix.length), 'base64url')).toHaveLength(32)
  }
  expect(new Set(tokens).size).toBe(200)
})

test('S10 S19 storage has the SHA-256 of the whole token', () => {
  // echo -n abc | sha256sum
  expect(Buffer.from(hashToken('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  const token = makeToken()
  expect(hashToken(token)).toEqual(hashToken(token))
  expect(hashToken(token)).not.toEqual(hashToken(`${token.slice(0, -1)}!`))
})
