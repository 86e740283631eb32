import type { IncomingMessage, ServerResponse } from 'node:http'
import { rulesAnchor } from '@astropelago/contract/islands'
import { markup } from '../../../http/markup.ts'
import type { RelayedIsland } from '../relayed-islands.ts'
import { endRequest, plainHeaders, type IslandPages } from '../visitors/island-pages.ts'

/** For requests that do not open a page in a browser. */
export const openInBrowserFirst =
  'This island is on somebody’s own device. Open its address in this browser first, and go on from there.\n'

export function sendFirstVisit(
  pages: Pick<IslandPages, 'siteName' | 'send'>,
  request: IncomingMessage,
  response: ServerResponse,
  { name, hostName, hasRules }: Pick<RelayedIsland, 'name' | 'hostName' | 'hasRules'>,
  { goOn, frontPage }: { readonly goOn: string; readonly frontPage: string },
): void {
  const host = markup`<bdi>${hostName ?? 'The operator of this server'}</bdi>`
  const rules = markup`<p>Its host asks visitors to keep to <a href="${frontPage}#${rulesAnchor}">the rules of this island</a>.</p>
`
  pages.send(request, response, {
    status: 403,
    hasForm: true,
    title: `${name} is on somebody’s own device`,
    main: markup`<p>${host} hosts this island on their own device. They alone decide what it shows, and what happens to
anything that you type or upload there.</p>
<p>Never type your ${pages.siteName} password there.</p>
${hasRules ? rules : null}<form method="post" action="${goOn}"><button>Go on to <bdi>${name}</bdi></button></form>
<p><a href="${frontPage}">About this island</a></p>`,
  })
}

/** For a ticket that lets nobody in. It reveals nothing about the island. */
export function sendUnusableTicket(
  pages: Pick<IslandPages, 'send'>,
  request: IncomingMessage,
  response: ServerResponse,
  again: string,
): void {
  pages.send(request, response, {
    status: 403,
    title: 'This link no longer works',
    main: markup`<p>It was already used, is more than a minute old, or was made for another browser.</p>
<p><a href="${again}">Try again</a></p>`,
  })
}

/**
 * Clears what an island's pages stored in this browser. Not cookies, because that would clear them for the
 * whole domain.
 */
export const forget = { 'clear-site-data': '"cache", "storage"' }

export const badRequest: DoorAnswer = { status: 400, text: 'Bad request.\n' }
export const nothingHere: DoorAnswer = { status: 404, text: 'There is nothing here.\n' }
export const notNow: DoorAnswer = {
  status: 503,
  text: 'The server can’t check right now who you are. Try again in a moment.\n',
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

/** Answers with one line of text, or redirects if `headers` has a `location`. */
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
