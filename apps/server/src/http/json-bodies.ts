import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'

const json = 'application/json'

/**
 * Bodies have to be JSON in valid UTF-8. Decoding would replace every invalid byte by one character, and
 * different passwords would become equal.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  // Forms of other sites may send plain text without asking first.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(json, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isUtf8(body)) void parse(request, body.toString(), done)
    else done(new DomainError('invalid_input'))
  })
}
