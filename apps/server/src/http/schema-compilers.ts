import compilerFor from '@fastify/fast-json-stringify-compiler'
import type { FieldErrors } from '@astropelago/contract/error-body'
import type { Schema } from '@astropelago/contract/route'
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { FastifyInstance } from 'fastify'

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

type Write = (answer: unknown) => string

const compile = compilerFor()()
/** By schema, because several routes share one. */
const compiled = new WeakMap<Schema, Write>()

/** A route's serializer is compiled at its first answer. All at start would take a seventh of a second. */
export function serializeByContract(app: FastifyInstance): void {
  app.setSerializerCompiler<Schema>(({ schema, method, url, httpStatus = '' }) => {
    let write: Write | undefined
    return (answer) => {
      write ??= compiled.get(schema)
      if (write === undefined) {
        write = compile({ schema: answerJsonSchema(schema), method, url, httpStatus })
        compiled.set(schema, write)
      }
      return write(answer)
    }
  })
}

export function requestJsonSchema(schema: Schema): JsonSchema {
  return derive(schema, 'input')
}

/** The shape of an answer. The serializer writes only what it lists. */
export function answerJsonSchema(schema: Schema): JsonSchema {
  return derive(schema, 'output')
}

/** Valibot's own checks and transformations have no JSON Schema. They are left out, never approximated. */
function derive(schema: Schema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...jsonSchema } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema: one }) => {
      // Objects are closed unless their schema says that they may hold more.
      if (valibotSchema.type === 'loose_object') return { ...one, additionalProperties: true }
      if (valibotSchema.type === 'tuple' && Array.isArray(one.items)) {
        return { ...one, minItems: one.items.length, additionalItems: false }
      }
      // Bytes; the types of Valibot's instances are of one language alone.
      if (valibotSchema.type === 'instance') return { type: 'string', format: 'binary' }
      return undefined
    },
  })
  return jsonSchema
}
