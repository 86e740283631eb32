import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '@astropelago/contract/error-body'
import { type ErrorCode, errors } from '@astropelago/contract/errors'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'

const codes = new Map<string, ErrorCode>([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
])

/** For whoever does not hang up by itself once it is answered. */
const lingerMs = 2000

/** Node would answer by itself, without our headers and our error's shape. */
export function refuseWithoutHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new DomainError('invalid_input')
    }
  })
}

/** Answers what is no HTTP, or too slow or too long to be read, as every other refusal is answered. */
export function refuseUnreadable(headers: Readonly<Record<string, string>>) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    // Whoever reset the connection, or has begun to read another answer, gets none.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy()
      return
    }
    const code = codes.get(error.code ?? '') ?? 'invalid_input'
    const { status, sentence } = errors[code]
    const body = JSON.stringify({ error: sentence, code } satisfies ErrorBody)
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    // What still comes is passed over: a connection that is closed with it unread takes the answer along.
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}
