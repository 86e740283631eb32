import type { FieldErrors } from '@astropelago/contract/error-body'
import type { Schema } from '@astropelago/contract/route'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'

const fieldsMax = 20
const fieldNameMaxLength = 128
const sentenceMaxLength = 256

export class RequestInvalid extends Error {
  readonly fields: FieldErrors

  constructor(fields: FieldErrors) {
    super('The request does not fit its schema')
    this.fields = fields
  }
}

export function validateWithValibot(app: FastifyInstance): void {
  app.setValidatorCompiler<Schema>(({ schema }) => (data) => {
    const result = v.safeParse(schema, data)
    return result.success
      ? { value: result.output }
      : { error: new RequestInvalid(fieldErrors(result.issues)) }
  })
}

/** The first few, with names of bounded length, because the caller chooses both. */
function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  const fields = new Map<string, string>()
  for (const issue of issues) {
    if (fields.size === fieldsMax) break
    const name = v.getDotPath(issue)
    if (name === null || name.length > fieldNameMaxLength || fields.has(name)) continue
    fields.set(name, sentence(issue))
  }
  return Object.fromEntries(fields)
}

function sentence(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'This is missing.'
  if (issue.expected === 'never') return 'This field is not known here.'
  // Valibot's own sentences repeat what they received.
  return issue.message.slice(0, sentenceMaxLength)
}
