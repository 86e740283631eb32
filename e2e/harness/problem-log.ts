import type { BrowserContext, ConsoleMessage } from '@playwright/test'

/** The status of an answer, or 'dropped' for a request without one. */
export type ExpectedFailure = number | 'dropped'

/**
 * Collects what a browser reports: console errors and warnings, which include violations of the content
 * security policy, and uncaught exceptions. It ignores only the browser's own line about a failed request
 * that the test has declared.
 */
export class ProblemLog {
  readonly #problems: string[] = []
  readonly #expected = new Set<ExpectedFailure>()
  readonly #seen = new Set<ExpectedFailure>()

  watch(context: BrowserContext): void {
    context.on('console', (message) => this.#note(message))
    context.on('weberror', (error) => this.#problems.push(`uncaught: ${error.error().message}`))
  }

  /** Declares requests that are expected to fail. Each of these failures must occur. */
  expectFailure(...failures: readonly ExpectedFailure[]): void {
    for (const failure of failures) this.#expected.add(failure)
  }

  /** Removes problems that the test causes on purpose, and returns how many there were. */
  takeProblems(matching: RegExp): number {
    const kept = this.#problems.filter((problem) => !matching.test(problem))
    const taken = this.#problems.length - kept.length
    this.#problems.splice(0, this.#problems.length, ...kept)
    return taken
  }

  /** All problems, one line each, including declared failures that did not occur. */
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
