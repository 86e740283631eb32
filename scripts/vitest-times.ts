import type { Reporter, TestCase } from 'vitest/node'

const slowestShown = 10

/** Reports how many tests ran on each database, and which tests took longest. */
export default class VitestTimes implements Reporter {
  readonly #tests: { readonly name: string; readonly ms: number }[] = []
  /** Tests passed on each database of the server. */
  readonly #onDatabase = { SQLite: 0, PostgreSQL: 0 }

  onTestCaseResult(test: TestCase): void {
    if (test.result().state !== 'passed') return
    if (test.project.name === 'server') this.#onDatabase.SQLite += 1
    if (test.project.name === 'server on PostgreSQL') this.#onDatabase.PostgreSQL += 1
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    this.#tests.push({ name, ms: test.diagnostic()?.duration ?? 0 })
  }

  onTestRunEnd(): void {
    const { SQLite, PostgreSQL } = this.#onDatabase
    if (SQLite + PostgreSQL > 0) {
      console.log(
        `\nTests of the server that passed: ${SQLite} on SQLite, ${PostgreSQL} on PostgreSQL`,
      )
    }
    const slowest = this.#tests.toSorted((one, other) => other.ms - one.ms).slice(0, slowestShown)
    const lines = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
    console.log(`\nThe slowest tests:\n${lines.join('\n')}`)
  }
}
