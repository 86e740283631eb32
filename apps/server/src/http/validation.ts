import type { FieldErrors } from '@astropelago/contract/errors'
import type { Schema } from '@astropelago/contract/route'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'

/** A request that does not fit its schema. */
export class RequestInvalid extends Error {
  readonly fields: FieldErrors

  constructor(fields: FieldErrors) {
    super('The request does not fit its schema')
    this.fields = fields
  }
}

/** Makes Valibot the judge of requests, as it is in the browser. */
export function validateWithValibot(app: FastifyInstance): void {
  app.setValidatorCompiler<Schema>(({ schema }) => (data) => {
    const result = v.safeParse(schema, data)
    return result.success
      ? { value: result.output }
      : { error: new RequestInvalid(fieldErrors(result.issues)) }
  })
}

function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const name = v.getDotPath(issue)
    if (name !== null) fields[name] ??= sentence(issue)
  }
  return fields
}

function sentence(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'This is missing.'
  if (issue.expected === 'never') return 'This field is not known here.'
  return issue.message
}
