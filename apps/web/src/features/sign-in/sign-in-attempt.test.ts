import { expect, test } from 'vitest'
import { apiErrorFrom } from '../../lib/api-error.ts'
import { ConnectionError } from '../../lib/fetch-answer.ts'
import {
  credentialFields,
  credentialsFailure,
  demoFailure,
  ruleProblems,
} from './sign-in-attempt.ts'

const refused = (status: number, code: string) => apiErrorFrom(status, { error: code, code })

test('each rule that the form checks has its text', () => {
  expect(ruleProblems).toEqual({
    required: { form: 'Enter username and password' },
    username: { username: 'Username must be 3-32 chars and use letters, numbers, _ or -' },
    'password-short': { password: 'Password must be at least 8 characters' },
    'password-long': { password: 'Password must be at most 128 characters' },
  })
})

test.each([
  [400, 'invalid_input', 'Please fill in both fields', 'form'],
  [400, 'invalid_username', 'Username must be 3–32 chars: letters, numbers, _ or -', 'username'],
  [400, 'weak_password', 'Password must be at least 8 characters', 'password'],
  [400, 'common_password', 'That password is too easy to guess', 'password'],
  [409, 'username_taken', 'That username is already taken', 'username'],
  [401, 'invalid_credentials', 'Incorrect username or password', 'form'],
  [429, 'rate_limited', 'Too many tries. Wait a minute and try again.', 'form'],
  [500, 'server_error', 'Something went wrong. Please try again.', 'form'],
])('%i %s reads %j', (status, code, text, at) => {
  expect(credentialsFailure(refused(status, code))).toBe(text)
  expect(new Map(Object.entries<string>(credentialFields)).get(code) ?? 'form').toBe(at)
})

const wentWrong = 'Something went wrong. Please try again.'

test('any other code reads as the status, with a sentence beside it', () => {
  expect(credentialsFailure(refused(503, 'overloaded'))).toMatch(
    /^Request failed: 503\. The server is too busy/,
  )
  expect(credentialsFailure(refused(418, 'toString'))).toBe(`Request failed: 418. ${wentWrong}`)
})

test('an answer that is not the server’s own reads as the status', () => {
  expect(credentialsFailure(apiErrorFrom(502, undefined))).toBe(`Request failed: 502. ${wentWrong}`)
})

test('no answer says that the connection failed, and to try again', () => {
  expect(credentialsFailure(new ConnectionError())).toBe(
    'The connection failed. Check it and try again.',
  )
})

test('demo shows the error field', () => {
  const error = apiErrorFrom(403, { error: 'Not today.', code: 'closed' })
  expect(demoFailure(error)).toBe('Not today.')
})

test('demo shows the sentence where the error field is a code', () => {
  expect(demoFailure(refused(403, 'demo_off'))).toBe('Demo sign-in is turned off on this server.')
  expect(demoFailure(refused(429, 'rate_limited'))).toBe(
    'Too many tries. Wait a minute and try again.',
  )
})

test.each([undefined, { error: '', code: '' }])(
  'demo shows the status where the answer (%j) has no error field',
  (body) => {
    expect(demoFailure(apiErrorFrom(502, body))).toBe(`Request failed: 502. ${wentWrong}`)
  },
)

test('demo says that it failed when no answer came', () => {
  expect(demoFailure(new ConnectionError())).toBe('Demo sign-in failed')
})
