import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from './schedule.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a task runs again an interval after its end, never twice at once', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const scheduled = repeat(
    100,
    () => {
      const run = Promise.withResolvers<void>()
      runs.push(run)
      return run.promise
    },
    () => {},
  )
  await vi.advanceTimersByTimeAsync(350)
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toHaveLength(2)
  runs[1]?.resolve()
  await scheduled.stop()
})

test('a failure is reported and the next run comes all the same', async () => {
  const failures: unknown[] = []
  let runs = 0
  const scheduled = repeat(
    100,
    () => {
      runs += 1
      return Promise.reject(new Error(`run ${runs}`))
    },
    (error) => failures.push(error),
  )
  await vi.advanceTimersByTimeAsync(250)
  expect(failures).toEqual([new Error('run 1'), new Error('run 2')])
  await scheduled.stop()
  await vi.advanceTimersByTimeAsync(500)
  expect(runs).toBe(2)
})
