import type { Schema } from '@astropelago/contract/route'
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema'

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

/** The shape of a request, for the documentation. Valibot itself judges requests. */
export function requestJsonSchema(schema: Schema): JsonSchema {
  return derive(schema, 'input')
}

/** The shape of an answer. The serializer writes only what it lists. */
export function answerJsonSchema(schema: Schema): JsonSchema {
  return derive(schema, 'output')
}
