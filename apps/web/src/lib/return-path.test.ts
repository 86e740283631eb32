import { expect, test } from 'vitest'
import { returnPath, returnState } from './return-path.ts'

test('a place comes back whole', () => {
  const state = returnState({ pathname: '/connect', search: '?device=7', hash: '#token' })
  expect(returnPath(state)).toBe('/connect?device=7#token')
})

test('a redirected visitor returns to the first place', () => {
  const led = returnState({ pathname: '/moss', search: '', hash: '' })
  const discover = { pathname: '/discover', search: '', hash: '' }
  expect(returnPath(returnState(discover, led))).toBe('/moss')
  expect(returnPath(returnState(discover, { returnTo: '//evil.example' }))).toBe('/discover')
})

test.each([
  null,
  {},
  { returnTo: 7 },
  { returnTo: '' },
  { returnTo: 'account' },
  { returnTo: '//evil.example' },
  { returnTo: '/\\evil.example' },
  { returnTo: 'https://evil.example' },
])('S28 a state without a path on this site (%j) leads nowhere', (state) => {
  expect(returnPath(state)).toBeUndefined()
})
