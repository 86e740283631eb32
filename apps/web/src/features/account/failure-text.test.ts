import { expect, test } from 'vitest'
import { apiErrorFrom, ConnectionError } from '../../lib/api-error.ts'
import { failureText } from './failure-text.ts'

test('a refusal reads as the answer’s own error', () => {
  const refusal = apiErrorFrom(409, { error: 'You have too many.', code: 'device_limit' })
  expect(failureText(refusal)).toBe('You have too many.')
})

test.each([undefined, { error: '', code: 'odd' }])(
  'an answer without one (%j) reads "error"',
  (body) => {
    expect(failureText(apiErrorFrom(502, body))).toBe('error')
  },
)

test('no answer says that the connection failed', () => {
  expect(failureText(new ConnectionError())).toMatch('The connection failed')
})

test('anything else reads "Failed"', () => {
  expect(failureText(new Error('a bug'))).toBe('Failed')
})
