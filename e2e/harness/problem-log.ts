import type { BrowserContext, ConsoleMessage } from '@playwright/test'

/** A status that an answer has, or 'dropped' for a request that got none. */
export type ExpectedFailure = number | 'dropped'

/**
 * Collects what a browser complains about: errors and warnings in the console (a violation of the
 * content security policy is one) and exceptions that nobody caught. The one thing let through is
 * the browser's own line for a failed request that the test has declared.
 */
export class ProblemLog {
  readonly #problems: string[] = []
  readonly #expected = new Set<ExpectedFailure>()
  readonly #seen = new Set<ExpectedFailure>()

  watch(context: BrowserContext): void {
    context.on('console', (message) => this.#note(message))
    context.on('weberror', (error) => this.#problems.push(`uncaught: ${error.error().message}`))
  }

  /** Declares requests of which the test knows that they fail. Each has to happen. */
  expectFailure(...failures: readonly ExpectedFailure[]): void {
    for (const failure of failures) this.#expected.add(failure)
  }

  /** Leaves out an exception that the test causes itself; returns how many there were. */
  takeProblems(matching: RegExp): number {
    const kept = this.#problems.filter((problem) => !matching.test(problem))
    const taken = this.#problems.length - kept.length
    this.#problems.splice(0, this.#problems.length, ...kept)
    return taken
  }

  /** Everything that is wrong, one line each; declared failures that never came among it. */
  report(): readonly string[] {
    const missing = [...this.#expected].filter((failure) => !this.#seen.has(failure))
    return [...this.#problems, ...missing.map((failure) => `declared, but not seen: ${failure}`)]
  }

  #note(message: ConsoleMessage): void {
    const type = message.type()
    if (type !== 'error' && type !== 'warning') return
    const text = message.text()
    const failure = failedRequest(text)
    if (failure !== undefined && this.#expected.has(failure)) {
      this.#seen.add(failure)
      return
    }
    this.#problems.push(`${type}: ${text} (${message.location().url})`)
  }
}

function failedRequest(text: string): ExpectedFailure | undefined {
  const prefix = 'Failed to load resource: '
  if (!text.startsWith(prefix)) return undefined
  if (text.startsWith('net::', prefix.length)) return 'dropped'
  const status = /the server responded with a status of (\d{3})/.exec(text)?.[1]
  return status === undefined ? undefined : Number(status)
}
