import { beforeEach, expect, test, vi } from 'vitest'
import { startPoll } from './start-poll.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

class FakePage extends EventTarget {
  hidden = false
  show(isShown: boolean): void {
    this.hidden = !isShown
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

function setUp() {
  const page = new FakePage()
  const ends: (() => void)[] = []
  const load = vi.fn<() => Promise<void>>(() => new Promise((resolve) => ends.push(resolve)))
  const poll = startPoll({ everyMs: 5000, load, page })
  const end = async () => {
    ends.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { page, load, poll, end }
}

test('the first load starts at once, the next one 5 s after the last has ended', async () => {
  const { load, end } = setUp()
  expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load).toHaveBeenCalledTimes(1)
  await end()
  await vi.advanceTimersByTimeAsync(4999)
  expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a hidden tab loads nothing, and catches up when it is shown', async () => {
  const { page, load, end } = setUp()
  await end()
  page.show(false)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(load).toHaveBeenCalledTimes(1)
  page.show(true)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a tab that was hidden for less than 5 s waits for its turn', async () => {
  const { page, load, end } = setUp()
  await end()
  page.show(false)
  await vi.advanceTimersByTimeAsync(2000)
  page.show(true)
  expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(3000)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a requested load starts at once and restarts the 5 s; a running load is not doubled', async () => {
  const { load, poll, end } = setUp()
  poll.now()
  expect(load).toHaveBeenCalledTimes(1)
  await end()
  await vi.advanceTimersByTimeAsync(3000)
  poll.now()
  expect(load).toHaveBeenCalledTimes(2)
  await end()
  await vi.advanceTimersByTimeAsync(4999)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a paused poll loads nothing by itself; a load that came due runs when the pause ends', async () => {
  const { load, poll, end } = setUp()
  poll.setPaused(true)
  await end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load).toHaveBeenCalledTimes(1)
  poll.setPaused(false)
  expect(load).toHaveBeenCalledTimes(2)
  await end()
  poll.setPaused(true)
  await vi.advanceTimersByTimeAsync(3000)
  poll.setPaused(false)
  expect(load).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(2000)
  expect(load).toHaveBeenCalledTimes(3)
})

test('a paused poll loads on request and then waits again', async () => {
  const { load, poll, end } = setUp()
  await end()
  poll.setPaused(true)
  poll.now()
  expect(load).toHaveBeenCalledTimes(2)
  await end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a stopped poll loads nothing more', async () => {
  const { page, load, poll, end } = setUp()
  poll.stop()
  await end()
  page.show(false)
  page.show(true)
  poll.now()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load).toHaveBeenCalledTimes(1)
})
