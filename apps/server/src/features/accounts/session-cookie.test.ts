import { expect, test } from 'vitest'
import { makeToken } from '../../secret-token.ts'
import { createSessionCookie } from './session-cookie.ts'

const { name, read } = createSessionCookie('http://localhost:3000')

test('a token is read from its cookie', () => {
  const token = makeToken()
  expect(read({ cookies: { [name]: token, other: makeToken() } })).toBe(token)
  expect(read({ cookies: {} })).toBeUndefined()
})

test.each(['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}+`, `${'A'.repeat(43)}\n`])(
  '%j is no token',
  (text) => {
    expect(read({ cookies: { [name]: text } })).toBeUndefined()
  },
)
