import { expect, test } from 'vitest'
import { hasSignedInHint } from './session.ts'

test.each([
  ['astropelago_signed_in=1', true],
  ['theme=dark; astropelago_signed_in=1; x=y', true],
  ['', false],
  ['astropelago_signed_in=0', false],
  ['astropelago_signed_in=10', false],
  ['not_astropelago_signed_in=1', false],
])('the cookies %j hint at a session: %s', (cookies, expected) => {
  expect(hasSignedInHint(cookies)).toBe(expected)
})
