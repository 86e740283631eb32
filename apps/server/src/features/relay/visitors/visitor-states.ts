import type { ServerResponse } from 'node:http'
import type { ServiceFailure } from '@astropelago/contract/island-relay'
import { markup, type Markup, utcHtml, utcText } from '../../../http/markup.ts'
import type { ServedIsland } from '../served-islands.ts'
import { type VisitorPages } from './visitor-pages.ts'
import { sendLine } from '../../../http/short-answers.ts'

export type VisitorState =
  | 'closed'
  | 'paused'
  | 'taken-down'
  | 'empty'
  | 'agent-gone'
  | 'out-of-reach'
  | ServiceFailure
  | 'unsent'
  | 'busy'
  | 'unreadable'

export const stateTexts: Readonly<
  Record<
    VisitorState,
    {
      readonly status: number
      readonly retryAfterS?: number
      readonly title: (island: string) => string
      readonly text: string
    }
  >
> = {
  closed: {
    status: 503,
    retryAfterS: 60,
    title: (island) => `${island} is closed`,
    text: 'The device that hosts this island is not connected. The island opens again as soon as the device is back.',
  },
  paused: {
    status: 503,
    title: (island) => `${island} is paused`,
    text: 'Its host lets nobody in for now.',
  },
  'taken-down': {
    status: 403,
    title: (island) => `${island} was taken down`,
    text: 'The operator of this server has closed this island to all visitors.',
  },
  empty: {
    status: 404,
    title: (island) => `${island} has no pages yet`,
    text: 'Its host has not published any. Come back later.',
  },
  'agent-gone': {
    status: 503,
    retryAfterS: 5,
    title: (island) => `${island} has lost its connection`,
    text: 'It was here a moment ago and will probably be back soon. Try again in a moment.',
  },
  'out-of-reach': {
    status: 503,
    retryAfterS: 60,
    title: (island) => `${island} can’t be reached from here`,
    text: 'The island is open, but this server can’t reach it. Its operator can fix that.',
  },
  refused: {
    status: 502,
    retryAfterS: 10,
    title: (island) => `${island} does not answer`,
    text: 'The device that hosts this island is connected, but the program that answers visitors is not running there.',
  },
  timeout: {
    status: 504,
    retryAfterS: 10,
    title: (island) => `${island} takes too long`,
    text: 'The device that hosts this island is connected, but gave no answer in time.',
  },
  unsent: {
    status: 408,
    title: () => 'This request took too long',
    text: 'It did not arrive completely in time. Send it again.',
  },
  broken: {
    status: 502,
    retryAfterS: 10,
    title: (island) => `${island} broke off its answer`,
    text: 'The device that hosts this island began to answer and then stopped, or sent something that is not an answer.',
  },
  busy: {
    status: 503,
    retryAfterS: 2,
    title: (island) => `${island} is crowded`,
    text: 'Too many people are visiting this island right now. Try again in a moment.',
  },
  unreadable: {
    status: 400,
    title: () => 'This request can’t be passed on',
    text: 'Something in it is not valid.',
  },
}

/** A map, because an agent may send any word, even the name of a property that every object has. */
const statesOfWords: ReadonlyMap<string, VisitorState> = new Map([
  ['refused', 'refused'],
  ['timeout', 'timeout'],
  ['no-tcp', 'refused'],
  // Sent by the server to which the agent is connected.
  ['gone', 'agent-gone'],
  ['busy', 'busy'],
])

/** A word of an agent as another server may have it: no server passes on what it does not know. */
export function hopResetWord(word: string): string {
  return statesOfWords.has(word) ? word : 'reset'
}

/** @param word the reason that the other end gave; undefined if it gave none */
export function stateOfReset(word: string): VisitorState | undefined {
  return word === '' ? undefined : (statesOfWords.get(word) ?? 'broken')
}

export function serviceFailure(state: VisitorState): ServiceFailure | undefined {
  return state === 'refused' || state === 'timeout' || state === 'broken' ? state : undefined
}

interface StatePage {
  readonly island: string
  readonly frontPage: string
  readonly sinceMs: number | null
  readonly pause: ServedIsland['pause']
  readonly nowMs: number
}

export function answerState(
  pages: VisitorPages,
  response: ServerResponse,
  state: VisitorState,
  page: StatePage,
): void {
  const { status, retryAfterS = retryAfterPause(page), title: titleOf, text } = stateTexts[state]
  const title = titleOf(page.island)
  const headers: Record<string, string> =
    retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
  if (response.req.headers.accept?.includes('text/html') === true) {
    pages.send(response, { status, title, main: mainOf(text, page), headers })
  } else {
    const untilMs = page.pause?.untilMs ?? null
    const back = untilMs === null ? '' : `Back at ${utcText(untilMs)}.`
    const lines = [`${title}. ${text}`, page.pause?.text, back].filter(Boolean)
    sendLine(response, { status, text: `${lines.join('\n')}\n`, headers })
  }
}

function mainOf(text: string, { frontPage, sinceMs, pause }: StatePage): Markup {
  const since =
    sinceMs === null ? null : markup`<p>It has been closed since ${utcHtml(sinceMs)}.</p>`
  const reason =
    pause !== null && pause.text !== '' ? markup`<p dir="auto">${pause.text}</p>` : null
  const untilMs = pause?.untilMs ?? null
  const back = untilMs === null ? null : markup`<p>Back at ${utcHtml(untilMs)}.</p>`
  return markup`<p>${text}</p>
${since}${reason}${back}
<p><a href="${frontPage}">About this island</a></p>`
}

function retryAfterPause({ pause, nowMs }: StatePage): number | undefined {
  const untilMs = pause?.untilMs ?? null
  return untilMs === null ? undefined : Math.max(1, Math.ceil((untilMs - nowMs) / 1000))
}
