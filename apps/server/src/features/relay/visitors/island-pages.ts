import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { relayPath } from '@astropelago/contract/relay-access'
import { pageStyle, type PageFonts } from '../../../http/drawn-pages.ts'
import { markup, trusted, type Markup } from '../../../http/markup.ts'
import { hasBody } from '../../../http/slow-bodies.ts'
import type { RequestedHost } from './read-host.ts'

const ownStyle = readFileSync(new URL('./island-pages.css', import.meta.url), 'utf8')
const fontsFolder = `${relayPath}fonts/`

const plainHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

export type IslandPages = ReturnType<typeof createIslandPages>

/** The relay's own pages at islands' host names, in the site's design. */
export function createIslandPages({ rules, files }: PageFonts, siteName: string) {
  const { style: commonStyle, preloads } = pageStyle({ rules }, fontsFolder)
  const style = commonStyle + ownStyle
  const styleHash = createHash('sha256').update(style).digest('base64')
  const policyOf = (formAction: string) =>
    [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      "font-src 'self'",
      "base-uri 'none'",
      `form-action ${formAction}`,
      "frame-ancestors 'none'",
    ].join('; ')
  const policy = policyOf("'none'")
  const policyOfForms = policyOf("'self'")

  return {
    siteName,
    send: (
      request: IncomingMessage,
      response: ServerResponse,
      {
        status,
        title,
        main,
        hasForm = false,
        headers = {},
      }: {
        readonly status: number
        readonly title: string
        readonly main: Markup
        /** Whether it has a form that posts to the relay. */
        readonly hasForm?: boolean
        readonly headers?: Readonly<Record<string, string>>
      },
    ) => {
      const body = String(markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${trusted(`${preloads}<style>${style}</style>`)}
<main>
<p class="site">An island of ${siteName}</p>
<h1>${title}</h1>
${main}
</main>
</html>
`)
      endRequest(request, response)
      response.writeHead(status, {
        ...plainHeaders,
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'content-security-policy': hasForm ? policyOfForms : policy,
        // Under `no-referrer`, a form would send no origin, which tells it from forms of other pages.
        ...(hasForm && { 'referrer-policy': 'same-origin' }),
        ...headers,
      })
      response.end(body)
    },
    /**
     * Answers requests for the fonts of these pages. Every name below the relay's domain has them, so they
     * reveal nothing about islands.
     * @returns whether it answered
     */
    answersFont: (
      { method }: IncomingMessage,
      response: ServerResponse,
      host: RequestedHost,
    ): boolean => {
      if (host.kind !== 'island' || method !== 'GET' || !host.path.startsWith(fontsFolder)) {
        return false
      }
      const font = files.get(host.path.slice(fontsFolder.length))
      if (font === undefined) return false
      response.writeHead(200, {
        ...plainHeaders,
        'content-type': 'font/woff2',
        'content-length': font.length,
        // The file name contains a hash.
        'cache-control': 'public, max-age=31536000, immutable',
      })
      response.end(font)
      return true
    },
  }
}

/** An unread body would hold up the connection's next request, so the connection is closed. */
export function endRequest(request: IncomingMessage, response: ServerResponse): void {
  if (hasBody(request) && !request.complete) response.shouldKeepAlive = false
}

interface Line {
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

/** Answers with one line of text, or redirects if `headers` has a `location`. */
export function sendLine(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text = '', headers = {} }: Line,
): void {
  endRequest(request, response)
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    ...plainHeaders,
    ...headers,
  })
  response.end(text)
}
