import type { FieldErrors } from '@astropelago/contract/error-body'
import * as v from 'valibot'
import { translateServerSentence } from '../../language/server-sentence.ts'

/** The data in a form, ready to send, or what is wrong with it, by field name. */
export type Reading<Body> = { readonly body: Body } | { readonly problems: FieldErrors }

/** What a form says about its fields in its own words. */
export type OwnProblems = Readonly<Record<string, string | false | undefined>>

/** Reads typed data by the contract's schema. The form's own sentences win over those of the contract. */
export function readBy<Body>(
  schema: v.GenericSchema<unknown, Body>,
  typed: unknown,
  own: OwnProblems = {},
): Reading<Body> {
  const { success, output, issues = [] } = v.safeParse(schema, typed)
  const problems: Record<string, string> = {}
  for (const [field, text] of Object.entries(own)) {
    if (text) problems[field] = text
  }
  for (const issue of issues) {
    problems[v.getDotPath(issue) ?? 'form'] ??= translateServerSentence(issue.message)
  }
  return success && Object.keys(problems).length === 0 ? { body: output } : { problems }
}
