import { expect, test } from 'vitest'
import { greetingName } from './dashboard-page.tsx'

test('the username comes before the name', () => {
  expect(greetingName({ username: 'ada', name: 'Ada Lovelace' })).toBe('ada')
})

test('the name replaces a missing username', () => {
  expect(greetingName({ username: '', name: 'Ada Lovelace' })).toBe('Ada Lovelace')
})

test('without either the greeting stands alone', () => {
  expect(greetingName({ username: '', name: null })).toBe('')
})
