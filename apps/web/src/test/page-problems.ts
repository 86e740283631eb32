import { expect } from 'vitest'

const problems: string[] = []

/** Notes something for which the running test fails, even if the page got over it. */
export function noteProblem(problem: string): void {
  problems.push(problem)
}

/** For a problem that the test causes itself: it has to be there. */
export function takeProblem(matching: RegExp): void {
  const taken = problems.findIndex((problem) => matching.test(problem))
  expect(taken, `a problem that matches ${String(matching)}`).not.toBe(-1)
  problems.splice(taken, 1)
}

export function expectNoProblems(): void {
  expect(problems.splice(0), 'what went wrong on the page').toEqual([])
}

/** From now on errors and warnings in the console count as problems; for good, as does the page. */
export function watchConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    console[level] = (...parts: readonly unknown[]) => {
      noteProblem(`console.${level}: ${parts.map(String).join(' ')}`)
    }
  }
}
