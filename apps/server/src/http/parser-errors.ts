import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '@astropelago/contract/error-body'
import { type ErrorCode, errors } from '@astropelago/contract/errors'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import { oversizedPage } from './oversized-page.ts'

const codes = new Map<string, ErrorCode>([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
])

/** How long a client that was answered may take to hang up. */
const lingerMs = 2000
/** Browsers send 180 cookies of 4 kB at most, and read no answer before they are out. */
const passedOverMaxBytes = 1024 * 1024

interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: unknown
}

/** Node's own answer would lack our headers and our error's shape. */
export function refuseWithoutHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new DomainError('invalid_input')
    }
  })
}

export function refuseUnreadable(
  headers: Readonly<Record<string, string>>,
  owesAnswer: (socket: Socket) => boolean,
) {
  const refusedAt = new WeakMap<Socket, number>()
  return (error: ParserError, socket: Socket): void => {
    // Each further packet is an error again.
    const readBefore = refusedAt.get(socket)
    if (readBefore !== undefined && socket.bytesRead - readBefore < passedOverMaxBytes) return
    // No answer if the client has reset the connection or waits for another answer first.
    if (error.code === 'ECONNRESET' || !socket.writable || owesAnswer(socket)) {
      socket.destroy()
      return
    }
    refusedAt.set(socket, socket.bytesRead)
    const code = codes.get(error.code ?? '') ?? 'invalid_input'
    const { status } = errors[code]
    const isPage = code === 'headers_too_large' && opensPage(error)
    const answer = isPage ? oversizedPage : errorAnswer(code)
    const all = { ...headers, ...answer.headers, connection: 'close' }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
    socket.end(`${start}${lines.join('')}\r\n${answer.body}`)
    // Discard further input: closing a connection with unread input loses the answer.
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}

function errorAnswer(code: ErrorCode) {
  const body = JSON.stringify({ error: errors[code].sentence, code } satisfies ErrorBody)
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
    },
  }
}

/** True if the packet lacks the request's beginning: JSON troubles a person more than a page a program. */
function opensPage({ rawPacket }: ParserError): boolean {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  return /\r\naccept: *text\/html/i.test(packet) || !/^[A-Z]+ \//.test(packet)
}
