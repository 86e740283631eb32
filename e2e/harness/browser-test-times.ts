import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { MachinePace } from '../../scripts/machine-pace.ts'
import { reportTestTimes, type TimedTest } from '../../scripts/test-times.ts'

/**
 * Playwright's part of the tests' times: what is past its budget fails the run. A test's duration is
 * without the start of its server, which has a time-out of its own.
 */
export default class BrowserTestTimes implements Reporter {
  readonly #pace = new MachinePace()
  readonly #tests: TimedTest[] = []

  onBegin(): void {
    this.#pace.start()
  }

  onTestEnd(test: TestCase, { status, startTime, duration: ownMs }: TestResult): void {
    if (status !== 'passed') return
    const startMs = startTime.getTime()
    const slowness = this.#pace.slowness(startMs, startMs + ownMs)
    const [, , ...name] = test.titlePath()
    this.#tests.push({ kind: 'browser', name: name.join(' › '), ownMs, slowness })
  }

  onEnd(): Promise<{ status?: 'failed' }> {
    this.#pace.stop()
    return Promise.resolve(reportTestTimes(this.#tests) ? {} : { status: 'failed' })
  }
}
