import { expect, test } from 'vitest'
import { deviceTokenStart, hashDeviceToken, makeDeviceToken } from './device-token.ts'

test('S19 a token has a scannable prefix and 256 random bits', () => {
  const tokens = Array.from({ length: 200 }, makeDeviceToken)
  for (const token of tokens) {
    expect(token).toMatch(/^apd_[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(token.slice(4), 'base64url')).toHaveLength(32)
  }
  expect(new Set(tokens).size).toBe(200)
})

test('what people see of a token leaves its secret out of reach', () => {
  const token = makeDeviceToken()
  expect(deviceTokenStart(token)).toBe(token.slice(0, 10))
})

test('S19 what is stored is a SHA-256 of the whole token', () => {
  // echo -n abc | sha256sum
  expect(Buffer.from(hashDeviceToken('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  const token = makeDeviceToken()
  expect(hashDeviceToken(token)).toEqual(hashDeviceToken(token))
  expect(hashDeviceToken(token)).not.toEqual(hashDeviceToken(`${token.slice(0, -1)}!`))
})
