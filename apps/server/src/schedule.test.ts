import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Schedule } from './schedule.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function setUp() {
  const failures: unknown[] = []
  const schedule = new Schedule({ error: (failure: unknown) => failures.push(failure) })
  return { schedule, failures }
}

test('a task runs again an interval after its end, never twice at once', async () => {
  const { schedule } = setUp()
  const runs: PromiseWithResolvers<void>[] = []
  schedule.every(100, 'it failed', () => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  schedule.start()
  await vi.advanceTimersByTimeAsync(350)
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toHaveLength(2)
  runs[1]?.resolve()
  await schedule.stop()
})

test('a failure is logged, and the next run follows all the same', async () => {
  const { schedule, failures } = setUp()
  let runs = 0
  schedule.every(100, 'it failed', () => {
    runs += 1
    return Promise.reject(new Error(`run ${runs}`))
  })
  schedule.start()
  await vi.advanceTimersByTimeAsync(250)
  expect(failures).toEqual([{ err: new Error('run 1') }, { err: new Error('run 2') }])
  await schedule.stop()
  await vi.advanceTimersByTimeAsync(500)
  expect(runs).toBe(2)
})

test('work for the leader alone waits until this server leads', async () => {
  let isLeading = false
  const schedule = new Schedule({ error: () => undefined }, () => isLeading)
  let runs = 0
  schedule.everyOnLeader(100, 'it failed', async () => void (runs += 1))
  schedule.start()
  await vi.advanceTimersByTimeAsync(250)
  expect(runs).toBe(0)
  isLeading = true
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(1)
  await schedule.stop()
})

test('no task runs before the start', async () => {
  const { schedule } = setUp()
  let runs = 0
  schedule.every(100, 'it failed', async () => void (runs += 1))
  await vi.advanceTimersByTimeAsync(1000)
  expect(runs).toBe(0)
  schedule.start()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(1)
  await schedule.stop()
})

test('the end signals a run under way, waits for it, and runs the final tasks in order', async () => {
  const { schedule } = setUp()
  const steps: string[] = []
  schedule.every(100, 'it failed', async (signal) => {
    await new Promise<void>((done) => signal.addEventListener('abort', () => done()))
    steps.push('run')
  })
  schedule.atEnd(async () => void steps.push('first'))
  schedule.atEnd(async () => void steps.push('second'))
  schedule.start()
  await vi.advanceTimersByTimeAsync(100)
  await schedule.stop()
  expect(steps).toEqual(['run', 'first', 'second'])
})
