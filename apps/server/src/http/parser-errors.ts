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

/** How long a client that was answered may take to hang up. */
const lingerMs = 2000

/** Node's own answer would lack our headers and our error's shape. */
export function refuseWithoutHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new DomainError('invalid_input')
    }
  })
}

/**
 * Answers requests that are not HTTP, or too slow or too long to read, in the shape of every other refusal.
 */
export function refuseUnreadable(headers: Readonly<Record<string, string>>) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    // No answer if the client has reset the connection or has begun to read another answer.
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
    // Discard further input: closing a connection with unread input loses the answer.
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}
