import { expect, test } from 'vitest'
import { apiErrorFrom } from '../../lib/api-error.ts'
import { ConnectionError } from '../../lib/fetch-answer.ts'
import { createFailure, tokenFailure } from './failure-texts.ts'

const refusal = apiErrorFrom(409, { error: 'Revoke one first.', code: 'token_limit' })
const foreign = apiErrorFrom(502, undefined)

test('a device that could not be created says create_failed, with the sentence beside it', () => {
  expect(createFailure(refusal)).toBe('create_failed: Revoke one first.')
  expect(createFailure(foreign)).toBe('create_failed: Something went wrong. Please try again.')
  expect(createFailure(new ConnectionError())).toMatch('create_failed: The connection failed')
  expect(createFailure(new Error('a bug'))).toMatch('create_failed: Something went wrong')
})

test('a token that could not be made reads as the answer’s own error', () => {
  expect(tokenFailure(refusal)).toBe('Revoke one first.')
})

test('without one it says token_failed', () => {
  expect(tokenFailure(foreign)).toMatch('token_failed')
  expect(tokenFailure(new ConnectionError())).toMatch('token_failed: The connection failed')
})
