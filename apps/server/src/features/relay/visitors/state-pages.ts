import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { escapeHtml } from '../../../http/escape-html.ts'
import { hasBody } from '../../../http/slow-bodies.ts'
import { stateTexts, type VisitState } from './visit-states.ts'

export const pageStyle = `
  :root { color-scheme: dark }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; box-sizing: border-box;
    background: #05070d radial-gradient(60rem 40rem at 50% -10rem, #101a33, transparent);
    color: #94a3b8; font: 16px/1.6 system-ui, sans-serif }
  main { max-width: 32rem }
  h1 { margin: 0 0 12px; color: #f1f5f9; font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; overflow-wrap: anywhere }
  p { margin: 0 0 16px }
  .site { font-size: 0.875rem; letter-spacing: 0.04em }
  .site::before { content: ''; display: inline-block; width: 8px; height: 8px; margin-right: 8px; border-radius: 50%;
    background: #a78bfa }
  a { color: #22d3ee }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface StatePage {
  readonly island: string
  /** The island's front page on the site. */
  readonly frontPage: string
  /** Since when it is closed; null where nobody knows. */
  readonly sinceMs: number | null
}

/** Answers in an island's stead, with a page for people and a line for programs. */
export function answerState(
  request: IncomingMessage,
  response: ServerResponse,
  state: VisitState,
  page: StatePage,
): void {
  const { status, retryAfterS, title, text } = stateTexts[state]
  const heading = title(page.island)
  const isForPeople = request.headers.accept?.includes('text/html') === true
  const body = isForPeople ? html(heading, text, page) : `${heading}. ${text}\n`
  endRequest(request, response)
  response.writeHead(status, {
    'content-type': `text/${isForPeople ? 'html' : 'plain'}; charset=utf-8`,
    'content-length': String(Buffer.byteLength(body)),
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
  })
  response.end(body)
}

/** A body that nobody reads would keep the connection from its next request: there is none. */
export function endRequest(request: IncomingMessage, response: ServerResponse): void {
  if (hasBody(request) && !request.complete) response.shouldKeepAlive = false
}

function html(heading: string, text: string, { frontPage, sinceMs }: StatePage): string {
  const since =
    sinceMs === null
      ? ''
      : `<p>It has been closed since <time datetime="${new Date(sinceMs).toISOString()}">${readable(sinceMs)}</time>.</p>`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(heading)}</title>
<style>${pageStyle}</style>
<main>
<p class="site">An island of Astropelago</p>
<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text)}</p>
${since}
<p><a href="${escapeHtml(frontPage)}">About this island</a></p>
</main>
</html>
`
}

function readable(ms: number): string {
  return `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`
}
