import type { Schema } from '@astropelago/contract/route'
import compilerFor from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance } from 'fastify'
import { answerJsonSchema } from './json-schema.ts'

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
