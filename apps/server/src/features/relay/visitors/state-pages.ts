import type { IncomingMessage, ServerResponse } from 'node:http'
import { timeText } from '@astropelago/contract/time-text'
import { escapeHtml } from '../../../http/escape-html.ts'
import { sendLine } from '../doors/door-pages.ts'
import type { IslandPages } from './island-pages.ts'
import { stateTexts, type VisitState } from './visit-states.ts'

interface StatePage {
  readonly island: string
  /** The island's front page on the site. */
  readonly frontPage: string
  /** Since when it is closed; null where nobody knows. */
  readonly sinceMs: number | null
}

/** Answers in an island's stead, with a page for people and a line for programs. */
export function answerState(
  pages: Pick<IslandPages, 'send'>,
  request: IncomingMessage,
  response: ServerResponse,
  state: VisitState,
  page: StatePage,
): void {
  const { status, retryAfterS, title: titleOf, text } = stateTexts[state]
  const title = titleOf(page.island)
  const headers: Record<string, string> =
    retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
  if (request.headers.accept?.includes('text/html') === true) {
    pages.send(request, response, { status, title, main: mainOf(text, page), headers })
  } else sendLine(request, response, { status, text: `${title}. ${text}\n`, headers })
}

function mainOf(text: string, { frontPage, sinceMs }: StatePage): string {
  const since =
    sinceMs === null
      ? ''
      : `<p>It has been closed since <time datetime="${new Date(sinceMs).toISOString()}">${timeText(sinceMs, { timeZone: 'UTC' })} UTC</time>.</p>`
  return `<p>${escapeHtml(text)}</p>
${since}
<p><a href="${escapeHtml(frontPage)}">About this island</a></p>`
}
