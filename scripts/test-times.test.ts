import { expect, test, vi } from 'vitest'
import { reportTestTimes, type TimedTest } from './test-times.ts'

const browserTest: TimedTest = { kind: 'browser', name: 'a test', ownMs: 29_900, slowness: 1 }

function report(...tests: readonly TimedTest[]) {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const isKept = reportTestTimes(tests)
  const printed = log.mock.calls.flat().join('\n')
  log.mockRestore()
  return { isKept, printed }
}

test('a test past its budget fails the run and is named', () => {
  expect(report(browserTest).isKept).toBe(true)
  const { isKept, printed } = report(browserTest, { ...browserTest, name: 'late', ownMs: 30_100 })
  expect(isKept).toBe(false)
  expect(printed).toMatch(/Past their budget.*\n +30\.1 s of 30\.0 s {2}late$/)
})

test('a slower machine stretches the budgets, and a busy one judges nothing', () => {
  expect(report({ ...browserTest, ownMs: 59_900, slowness: 2 }).isKept).toBe(true)
  expect(report({ ...browserTest, ownMs: 60_100, slowness: 2 }).isKept).toBe(false)
  expect(report({ ...browserTest, ownMs: 600_000, slowness: 3.1 }).isKept).toBe(true)
})

test('the ten slowest are printed, slowest first', () => {
  const tests = Array.from({ length: 12 }, (_, i) => ({ ...browserTest, name: `#${i}`, ownMs: i }))
  const { printed } = report(...tests)
  expect(printed.match(/#\d+/g)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((i) => `#${i}`))
})
