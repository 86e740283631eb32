import type { Route } from '@astropelago/contract/route'
import type { AnswerCount } from '../../http/answer-counts.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { CachedAnswers } from './cached-answers.ts'

interface AnswerEarlyOptions {
  readonly kept: Pick<CachedAnswers, 'find'>
  readonly takeEarly: RateLimits['takeEarly']
  readonly answered: (route: Route, status: 200 | 304) => AnswerCount
  /** Headers of every answer of this server. */
  readonly headers: Readonly<Record<string, string>>
}

/** Paths of embeds. */
const address = /^\/(?:badges|feeds)\//

/**
 * Answers from memory, with 304 if the client has the answer. Everything else goes to the ordinary route.
 */
export function answerEmbedEarly({
  kept,
  takeEarly,
  answered,
  headers: ofEachAnswer,
}: AnswerEarlyOptions): AnswerEarly {
  const prepared = new WeakMap<object, Prepared>()

  return (request, response) => {
    const { url = '', method, headers: asked } = request
    if (method !== 'GET' || !address.test(url)) return false
    const found = kept.find(url)
    if (found === undefined) return false
    const { answer, route } = found
    const ifNoneMatch = asked['if-none-match']
    const isUnchanged = ifNoneMatch === answer.etag
    // The route judges several ETags, and times.
    if (!isUnchanged && (ifNoneMatch ?? asked['if-modified-since']) !== undefined) return false
    if (!takeEarly(request.socket)) return false
    let lines = prepared.get(found)
    if (lines === undefined) {
      const short = Object.entries({ ...ofEachAnswer, ...answer.headers }).flat()
      const length = String(answer.body.length)
      lines = {
        unchanged: short,
        whole: [...short, 'content-type', answer.type, 'content-length', length],
        count: { 200: answered(route, 200), 304: answered(route, 304) },
      }
      prepared.set(found, lines)
    }
    if (isUnchanged) {
      response.writeHead(304, lines.unchanged).end()
      lines.count[304].count += 1
    } else {
      response.writeHead(200, lines.whole).end(answer.body)
      lines.count[200].count += 1
    }
    return true
  }
}

interface Prepared {
  readonly unchanged: string[]
  readonly whole: string[]
  readonly count: Readonly<Record<200 | 304, AnswerCount>>
}
