import * as v from 'valibot'

/** What is wrong with the fields of a form, by their names in the contract. */
export type Problems = Readonly<Record<string, string>>

export function problemsOf(issues: readonly v.BaseIssue<unknown>[]): Problems {
  const found = issues.map((issue) => {
    const text = issue.received === 'undefined' || issue.input === '' ? 'Enter it.' : issue.message
    return [v.getDotPath(issue) ?? '', text] as const
  })
  // The first one about a field says what it is.
  return Object.fromEntries(found.toReversed())
}
