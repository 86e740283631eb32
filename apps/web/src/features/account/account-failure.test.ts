import { expect, test } from 'vitest'
import { apiErrorFrom } from '../../lib/api-error.ts'
import { ConnectionError } from '../../lib/fetch-answer.ts'
import { accountFailure } from './account-failure.ts'

test('a refusal reads as the answer’s own error', () => {
  const refusal = apiErrorFrom(409, { error: 'You have too many.', code: 'device_limit' })
  expect(accountFailure(refusal)).toBe('You have too many.')
})

test('a refusal whose error is a code reads as its sentence', () => {
  const refusal = apiErrorFrom(403, { error: 'cross_site', code: 'cross_site' })
  expect(accountFailure(refusal)).toBe('This request came from another site, so it was refused.')
})

test.each([undefined, { error: '', code: 'odd' }])(
  'an answer without one (%j) reads "error", with a sentence beside it',
  (body) => {
    expect(accountFailure(apiErrorFrom(502, body))).toBe(
      'error: Something went wrong. Please try again.',
    )
  },
)

test('no answer says that the connection failed', () => {
  expect(accountFailure(new ConnectionError())).toMatch('The connection failed')
})

test('anything else reads "Failed", with an explanation', () => {
  expect(accountFailure(new Error('a bug'))).toBe('Failed: Something went wrong. Please try again.')
})
