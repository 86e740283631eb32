import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'

const json = 'application/json'

/**
 * Bodies are JSON in UTF-8, which decoding takes for granted: it would put one sign in the place of all
 * bytes that are none, and passwords that differ in those would be the same.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  // A form of another site may send text without asking first.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(json, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isUtf8(body)) void parse(request, body.toString(), done)
    else done(new DomainError('invalid_input'))
  })
}
