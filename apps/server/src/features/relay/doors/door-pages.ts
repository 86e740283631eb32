import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { escapeHtml } from '../../../http/escape-html.ts'
import type { RelayedIsland } from '../relayed-islands.ts'
import { endRequest, pageStyle } from '../visitors/state-pages.ts'

const style = `${pageStyle}
  form { margin: 24px 0 }
  button { min-height: 44px; max-width: 100%; padding: 8px 20px; border: 0; border-radius: 10px; cursor: pointer;
    background: #22d3ee; color: #05070d; font: inherit; font-weight: 600; overflow-wrap: anywhere }
  :focus-visible { outline: 2px solid #f1f5f9; outline-offset: 3px }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

interface DoorPage {
  readonly status: number
  readonly title: string
  /** HTML. */
  readonly main: string
}

/** Said to whoever is no browser opening a page. */
export const lookAtItFirst =
  'This island is on somebody’s own machine. Open its address in this browser first, and go on there.\n'

export function sendFirstVisit(
  request: IncomingMessage,
  response: ServerResponse,
  { name, hostName }: Pick<RelayedIsland, 'name' | 'hostName'>,
  { goOn, frontPage }: { readonly goOn: string; readonly frontPage: string },
): void {
  const host = `<bdi>${escapeHtml(hostName ?? 'whoever runs this server')}</bdi>`
  sendPage(request, response, {
    status: 403,
    title: `${name} is on somebody’s own machine`,
    main: `<p>It is hosted by ${host}, on a machine of theirs. What it shows, and what becomes of anything that
you type or upload there, is theirs alone to decide.</p>
<p>Your Astropelago password is never asked for there.</p>
<form method="post" action="${escapeHtml(goOn)}"><button>Go on to <bdi>${escapeHtml(name)}</bdi></button></form>
<p><a href="${escapeHtml(frontPage)}">About this island</a></p>`,
  })
}

/** A ticket that lets nobody in; of what there is at the slug it says nothing. */
export function sendUnusableTicket(
  request: IncomingMessage,
  response: ServerResponse,
  again: string,
): void {
  sendPage(request, response, {
    status: 403,
    title: 'This way in is closed',
    main: `<p>It was used already, is more than a minute old, or was made for another browser.</p>
<p><a href="${escapeHtml(again)}">Try again</a></p>`,
  })
}

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { status, title, main }: DoorPage,
): void {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main>
<p class="site">An island of Astropelago</p>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</html>
`
  endRequest(request, response)
  response.writeHead(status, {
    ...plainHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'content-security-policy': policy,
    // With none at all a form has no origin, by which its press is told from another page's.
    'referrer-policy': 'same-origin',
  })
  response.end(body)
}

const plainHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** What pages of an island left in this browser, but for cookies: those would go for all of a domain. */
export const forget = { 'clear-site-data': '"cache", "storage"' }

export const badRequest: DoorAnswer = { status: 400, text: 'Bad request.\n' }
export const nothingHere: DoorAnswer = { status: 404, text: 'There is nothing here.\n' }
export const notNow: DoorAnswer = {
  status: 503,
  text: 'It can’t be found out now who you are. Try again in a moment.\n',
  headers: { 'retry-after': '2' },
}

export const tooMany = (waitMs: number): DoorAnswer => ({
  status: 429,
  text: 'Too many requests came from your network. Try again in a minute.\n',
  headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
})

interface DoorAnswer {
  readonly status: number
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
}

/** Answers by a line, or leads on by `location`. */
export function sendLine(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text = '', headers = {} }: DoorAnswer,
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
