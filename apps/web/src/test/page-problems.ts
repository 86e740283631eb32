import { expect } from 'vitest'

const problems: string[] = []

/** Records a problem that fails the running test, even if the page recovers from it. */
export function noteProblem(problem: string): void {
  problems.push(problem)
}

/** For a problem that the test causes on purpose. It fails if the problem is missing. */
export function takeProblem(matching: RegExp): void {
  const taken = problems.findIndex((problem) => matching.test(problem))
  expect(taken, `a problem that matches ${String(matching)}`).not.toBe(-1)
  problems.splice(taken, 1)
}

export function expectNoProblems(): void {
  expect(problems.splice(0), 'what went wrong on the page').toEqual([])
}

/** Makes errors and warnings in the console count as problems, for as long as the page exists. */
export function watchConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    console[level] = (...parts: readonly unknown[]) => {
      noteProblem(`console.${level}: ${parts.map(String).join(' ')}`)
    }
  }
}
