import type { IncomingMessage, ServerResponse } from 'node:http'
import { markup, type Markup } from '../../../http/markup.ts'
import { utcHtml, utcText } from '../../../http/utc-time.ts'
import { sendLine } from '../access/access-pages.ts'
import type { RelayedPause } from '../relayed-islands.ts'
import type { IslandPages } from './island-pages.ts'
import { stateTexts, type VisitorState } from './visit-states.ts'

interface StatePage {
  readonly island: string
  /** The island's front page on the site. */
  readonly frontPage: string
  /** Since when it is closed; null if unknown. */
  readonly sinceMs: number | null
  /** Set if it is paused. */
  readonly pause: RelayedPause | null
  readonly nowMs: number
}

/** Answers instead of an island: a page for browsers, plain text for programs. */
export function answerState(
  pages: Pick<IslandPages, 'send'>,
  request: IncomingMessage,
  response: ServerResponse,
  state: VisitorState,
  page: StatePage,
): void {
  const { status, retryAfterS = retryAfterPause(page), title: titleOf, text } = stateTexts[state]
  const title = titleOf(page.island)
  const headers: Record<string, string> =
    retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
  if (request.headers.accept?.includes('text/html') === true) {
    pages.send(request, response, { status, title, main: mainOf(text, page), headers })
  } else {
    sendLine(request, response, {
      status,
      text: `${linesOf(`${title}. ${text}`, page)}\n`,
      headers,
    })
  }
}

function mainOf(text: string, { frontPage, sinceMs, pause }: StatePage): Markup {
  const since =
    sinceMs === null ? null : markup`<p>It has been closed since ${utcHtml(sinceMs)}.</p>`
  const said = pause !== null && pause.text !== '' ? markup`<p dir="auto">${pause.text}</p>` : null
  const untilMs = pause?.untilMs ?? null
  const back = untilMs === null ? null : markup`<p>Back at ${utcHtml(untilMs)}.</p>`
  return markup`<p>${text}</p>
${since}${said}${back}
<p><a href="${frontPage}">About this island</a></p>`
}

/** As plain text. */
function linesOf(first: string, { pause }: StatePage): string {
  const untilMs = pause?.untilMs ?? null
  const back = untilMs === null ? '' : `Back at ${utcText(untilMs)}.`
  return [first, pause?.text, back].filter(Boolean).join('\n')
}

function retryAfterPause({ pause, nowMs }: StatePage): number | undefined {
  const untilMs = pause?.untilMs ?? null
  return untilMs === null ? undefined : Math.max(1, Math.ceil((untilMs - nowMs) / 1000))
}
