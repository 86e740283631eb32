import type { Reporter, TestCase } from 'vitest/node'
import { MachinePace } from './machine-pace.ts'
import { reportTestTimes, type TimedTest } from './test-times.ts'

const onPostgres = 'server on PostgreSQL'

/** Vitest's part of the tests' times: what is past its budget fails the run. It says what ran on which database. */
export default class VitestTimes implements Reporter {
  readonly #pace = new MachinePace()
  readonly #tests: TimedTest[] = []
  /** What passed at a second try, and why not at the first. */
  readonly #retried: string[] = []
  /** How many passed on each database that the server keeps its data in. */
  readonly #onDatabase = { SQLite: 0, PostgreSQL: 0 }

  onTestRunStart(): void {
    this.#pace.start()
  }

  onTestCaseResult(test: TestCase): void {
    const times = test.diagnostic()
    const { state, errors = [] } = test.result()
    if (times === undefined || state !== 'passed') return
    if (test.project.name === 'server') this.#onDatabase.SQLite += 1
    if (test.project.name === onPostgres) this.#onDatabase.PostgreSQL += 1
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    const { startTime, duration: ownMs, flaky } = times
    if (flaky) {
      // Its time is that of both tries.
      this.#retried.push([name, ...errors.map(({ message }) => message)].join('\n    '))
      return
    }
    const slowness = this.#pace.slowness(startTime, startTime + ownMs)
    this.#tests.push({ kind: kindOf(test.project.name), name, ownMs, slowness })
  }

  onTestRunEnd(): void {
    this.#pace.stop()
    const { SQLite, PostgreSQL } = this.#onDatabase
    if (SQLite + PostgreSQL > 0) {
      console.log(
        `\nTests of the server that passed: ${SQLite} on SQLite, ${PostgreSQL} on PostgreSQL`,
      )
    }
    if (this.#retried.length > 0) {
      console.log(`\nPassed at a second try:\n  ${this.#retried.join('\n  ')}`)
    }
    if (!reportTestTimes(this.#tests)) process.exitCode = 1
  }
}

function kindOf(project: string): TimedTest['kind'] {
  switch (project) {
    case onPostgres:
      return 'server'
    case 'server':
    case 'repository':
      return project
    case 'components (chromium)':
      return 'component'
    default:
      return 'unit'
  }
}
