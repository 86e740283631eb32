import type { ServerResponse } from 'node:http'
import { hasBody } from './slow-bodies.ts'

/** Short answers at the hosts of islands, where nothing of the site answers. */
export const plainHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** An unread body would hold up the connection's next request, so the connection is closed. */
export function endRequest(response: ServerResponse): void {
  if (hasBody(response.req) && !response.req.complete) response.shouldKeepAlive = false
}

export interface Line {
  readonly status: number
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
}

export const badRequest: Line = { status: 400, text: 'Bad request.\n' }
export const nothingHere: Line = { status: 404, text: 'There is nothing here.\n' }
export const tooMany = (waitMs: number): Line => ({
  status: 429,
  text: 'Too many requests came from your network. Try again in a minute.\n',
  headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
})

export const redirect = (location: string, headers: Line['headers'] = {}, status = 302): Line => ({
  status,
  headers: { location, ...headers },
})

export function sendLine(
  response: ServerResponse,
  { status, text = '', headers = {} }: Line,
): void {
  endRequest(response)
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    ...plainHeaders,
    ...headers,
  })
  response.end(text)
}
