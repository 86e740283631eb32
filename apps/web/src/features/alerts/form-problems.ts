import * as v from 'valibot'

/** A form's validation errors, by field name in the contract. */
export type Problems = Readonly<Record<string, string>>

export function problemsOf(issues: readonly v.BaseIssue<unknown>[]): Problems {
  const found = issues.map((issue) => {
    const text = issue.received === 'undefined' || issue.input === '' ? 'Enter it.' : issue.message
    return [v.getDotPath(issue) ?? '', text] as const
  })
  // The first problem of a field wins.
  return Object.fromEntries(found.toReversed())
}
