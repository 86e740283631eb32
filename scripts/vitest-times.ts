import type { Reporter, TestCase } from 'vitest/node'
import { MachinePace } from './machine-pace.ts'
import { reportTestTimes, type TimedTest } from './test-times.ts'

/** Vitest's part of the tests' times: what is past its budget fails the run. */
export default class VitestTimes implements Reporter {
  readonly #pace = new MachinePace()
  readonly #tests: TimedTest[] = []

  onTestRunStart(): void {
    this.#pace.start()
  }

  onTestCaseResult(test: TestCase): void {
    const times = test.diagnostic()
    if (times === undefined || test.result().state !== 'passed') return
    const { startTime, duration: ownMs } = times
    const slowness = this.#pace.slowness(startTime, startTime + ownMs)
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    this.#tests.push({ kind: kindOf(test.project.name), name, ownMs, slowness })
  }

  onTestRunEnd(): void {
    this.#pace.stop()
    if (!reportTestTimes(this.#tests)) process.exitCode = 1
  }
}

function kindOf(project: string): TimedTest['kind'] {
  switch (project) {
    case 'server':
    case 'repository':
      return project
    case 'components (chromium)':
      return 'component'
    default:
      return 'unit'
  }
}
