import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHashQueue } from './password-hasher.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const options = { maxAtOnce: 2, maxWaiting: 3, maxWaitMs: 900 }
const overloaded = { code: 'overloaded', retryAfterS: 1 }

/** Jobs that the test ends. */
function jobs() {
  const ends: (() => void)[] = []
  const started = () => ends.length
  const job = () => new Promise<void>((resolve) => ends.push(resolve))
  return { job, started, end: (index: number) => ends[index]?.() }
}

test('S7 no more jobs run at once than allowed; the next starts when one ends', async () => {
  const queue = createHashQueue(options)
  const { job, started, end } = jobs()
  const first = queue(job)
  const others = [queue(job), queue(job)]
  await vi.advanceTimersByTimeAsync(0)
  expect(started()).toBe(2)

  end(0)
  await first
  others.push(queue(job))
  await vi.advanceTimersByTimeAsync(0)
  expect(started()).toBe(3)

  end(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(started()).toBe(4)
  end(2)
  end(3)
  await Promise.all(others)
})

test('S7 a job that waits too long is refused within a second and never runs', async () => {
  const queue = createHashQueue({ ...options, maxAtOnce: 1 })
  const { job, started, end } = jobs()
  const running = queue(job)
  const refused = queue(job).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(900)
  expect(await refused).toMatchObject(overloaded)
  end(0)
  await running
  expect(started()).toBe(1)

  expect(await queue(async () => 'the slot is free')).toBe('the slot is free')
})

test('S7 when too many wait the next is refused at once', async () => {
  const queue = createHashQueue(options)
  const { job } = jobs()
  const accepted = Array.from({ length: 5 }, () => queue(job))
  await expect(queue(job)).rejects.toMatchObject(overloaded)

  const refused = Promise.allSettled(accepted.slice(2))
  await vi.advanceTimersByTimeAsync(900)
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

test('a job that fails hands on its slot and rejects with its error', async () => {
  const queue = createHashQueue({ ...options, maxAtOnce: 1 })
  const failing = queue(() => Promise.reject(new Error('no memory')))
  const next = queue(async () => 'done')
  await expect(failing).rejects.toThrow('no memory')
  expect(await next).toBe('done')
})
