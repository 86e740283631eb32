import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { relayPath } from '@astropelago/contract/relay-access'
import { pageStyle, type PageFonts } from '../../../http/drawn-pages.ts'
import { markup, trusted, type Markup } from '../../../http/markup.ts'
import { endRequest, plainHeaders } from '../../../http/short-answers.ts'
import type { RequestedHost } from './read-host.ts'

const ownStyle = readFileSync(new URL('./visitor-pages.css', import.meta.url), 'utf8')
const fontsFolder = `${relayPath}fonts/`

export type VisitorPages = ReturnType<typeof createVisitorPages>

export function createVisitorPages({ rules, files }: PageFonts, siteName: string) {
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
      response: ServerResponse,
      page: {
        readonly status: number
        readonly title: string
        readonly main: Markup
        readonly hasForm?: boolean
        readonly headers?: Readonly<Record<string, string>>
      },
    ) => {
      const { status, title, main, hasForm = false, headers = {} } = page
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
      endRequest(response)
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
    /** Every name below the relay's domain has them, so they reveal nothing. @returns whether it answered */
    answersFont: (response: ServerResponse, host: RequestedHost): boolean => {
      if (host.kind !== 'island' || response.req.method !== 'GET') return false
      if (!host.path.startsWith(fontsFolder)) return false
      const font = files.get(host.path.slice(fontsFolder.length))
      if (font === undefined) return false
      response.writeHead(200, {
        ...plainHeaders,
        'content-type': 'font/woff2',
        'content-length': font.length,
        'cache-control': 'public, max-age=31536000, immutable',
      })
      response.end(font)
      return true
    },
  }
}
