import type { Schema } from '@astropelago/contract/route'
import compilerFor from '@fastify/fast-json-stringify-compiler'
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema'
import type { FastifyInstance } from 'fastify'

type Write = (answer: unknown) => string

const compile = compilerFor()()
/** By schema, because several routes share one. */
const compiled = new WeakMap<Schema, Write>()

/**
 * Writes answers by the contract's schemas. The serializer of a route is compiled at its first answer.
 * Compiling all of them at start takes a seventh of a second, in which the server would serve nobody.
 */
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

/** The shape of a request, for the documentation. Valibot itself judges requests. */
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
