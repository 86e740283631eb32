import * as v from 'valibot'

/** JSON Schema, as far as the fuzzer reads it. A validator reads the rest. */
export interface JsonSchema {
  readonly type?: string | readonly string[] | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly examples?: readonly unknown[] | undefined
  readonly anyOf?: readonly JsonSchema[] | undefined
  readonly oneOf?: readonly JsonSchema[] | undefined
  readonly allOf?: readonly JsonSchema[] | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: JsonSchema | boolean | undefined
  readonly items?: JsonSchema | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly pattern?: string | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

const JsonSchema: v.GenericSchema<JsonSchema> = v.looseObject({
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  enum: v.optional(v.array(v.unknown())),
  const: v.optional(v.unknown()),
  examples: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.lazy(() => v.array(JsonSchema))),
  oneOf: v.optional(v.lazy(() => v.array(JsonSchema))),
  allOf: v.optional(v.lazy(() => v.array(JsonSchema))),
  properties: v.optional(v.lazy(() => v.record(v.string(), JsonSchema))),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.union([v.boolean(), v.lazy(() => JsonSchema)])),
  items: v.optional(v.lazy(() => JsonSchema)),
  minItems: v.optional(v.number()),
  maxItems: v.optional(v.number()),
  minLength: v.optional(v.number()),
  maxLength: v.optional(v.number()),
  pattern: v.optional(v.string()),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
})

const Content = v.optional(
  v.record(v.string(), v.object({ schema: v.optional(JsonSchema, {}) })),
  {},
)

const Document = v.object({
  paths: v.record(
    v.string(),
    v.record(
      v.string(),
      v.object({
        parameters: v.optional(
          v.array(
            v.object({
              name: v.string(),
              in: v.picklist(['path', 'query']),
              required: v.optional(v.boolean(), false),
              schema: v.optional(JsonSchema, {}),
            }),
          ),
          [],
        ),
        requestBody: v.optional(v.object({ content: Content })),
        security: v.optional(v.array(v.record(v.string(), v.unknown())), []),
        'x-body-max-bytes': v.optional(v.number(), 0),
        responses: v.record(v.string(), v.object({ description: v.string(), content: Content })),
      }),
    ),
  ),
})

type Described = v.InferOutput<typeof Document>['paths'][string][string]

/** One call in the server's OpenAPI document. */
export interface Operation {
  /** Such as `GET /api/devices/{id}`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: Described['parameters']
  readonly body: { readonly type: string; readonly schema: JsonSchema } | undefined
  readonly bodyMaxBytes: number
  /** Names of the security schemes that allow it; empty if anyone may call. */
  readonly callers: readonly string[]
  readonly responses: Described['responses']
}

/** Reads the calls of an OpenAPI document, in its order. */
export function readOperations(document: unknown): Operation[] {
  return Object.entries(v.parse(Document, document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [body] = Object.entries(described.requestBody?.content ?? {})
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: described.parameters,
        body: body && { type: body[0], schema: body[1].schema },
        bodyMaxBytes: described['x-body-max-bytes'],
        callers: described.security.flatMap((one) => Object.keys(one)),
        responses: described.responses,
      }
    }),
  )
}
