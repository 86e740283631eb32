import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const nowMs = Date.parse('2030-01-31T12:00:00Z')

test.each([
  [undefined, undefined],
  ['120', 120_000],
  [' 0 ', 0],
  ['0.65', 650],
  ['99999999', 86_400_000],
  ['Thu, 31 Jan 2030 12:00:30 GMT', 30_000],
  ['Thu, 31 Jan 2030 11:00:00 GMT', 0],
  ['Thu, 31 Jan 2040 11:00:00 GMT', 86_400_000],
  ['-5', undefined],
  ['1e9', undefined],
  ['soon', undefined],
  ['', undefined],
])('Retry-After: %s', (value, expected) => {
  expect(retryAfterMs(value, nowMs)).toBe(expected)
})
