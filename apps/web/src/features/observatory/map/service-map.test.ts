import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryPauseMs, withRetries } from './service-map.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function failing(times: number) {
  const calledAtMs: number[] = []
  const startMs = Date.now()
  const attempt = () => {
    calledAtMs.push(Date.now() - startMs)
    return calledAtMs.length <= times
      ? Promise.reject(new Error(`try ${calledAtMs.length} failed`))
      : Promise.resolve('loaded')
  }
  return { attempt, calledAtMs }
}

test('the pauses are n * 2^n ms: 2, 8 and 24', () => {
  expect([1, 2, 3].map(retryPauseMs)).toEqual([2, 8, 24])
})

test('a first success is not repeated', async () => {
  const { attempt, calledAtMs } = failing(0)
  await expect(withRetries(attempt)).resolves.toBe('loaded')
  expect(calledAtMs).toEqual([0])
})

test.each([
  [1, [0, 2]],
  [2, [0, 2, 10]],
  [3, [0, 2, 10, 34]],
])('%i failures are retried at %j ms', async (times, expectedMs) => {
  const { attempt, calledAtMs } = failing(times)
  const outcome = withRetries(attempt)
  await vi.runAllTimersAsync()
  await expect(outcome).resolves.toBe('loaded')
  expect(calledAtMs).toEqual(expectedMs)
})

test('after the third retry the last error is thrown', async () => {
  const { attempt, calledAtMs } = failing(Infinity)
  const outcome = withRetries(attempt).catch((error: unknown) => String(error))
  await vi.runAllTimersAsync()
  expect(await outcome).toBe('Error: try 4 failed')
  expect(calledAtMs).toEqual([0, 2, 10, 34])
})
