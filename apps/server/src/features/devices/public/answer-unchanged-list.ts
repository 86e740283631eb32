import { listPublicDevices } from '@astropelago/contract/devices'
import type { AnswerCount } from '../../../http/answer-counts.ts'
import type { AnswerEarly } from '../../../http/early-answers.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import type { PublicList } from './public-list.ts'

interface AnswerUnchangedListOptions {
  readonly list: Pick<PublicList, 'servable'>
  readonly takeEarly: RateLimits['takeEarly']
  readonly answered: AnswerCount
  /** Headers of every answer of this server. */
  readonly headers: Readonly<Record<string, string>>
}

/** Answers 304 to a client that has the current list. Everything else goes to the ordinary route. */
export function answerUnchangedList(options: AnswerUnchangedListOptions): AnswerEarly {
  const { list, takeEarly, answered } = options
  const headers = { ...options.headers, 'cache-control': 'no-cache', vary: 'accept-encoding' }
  const prepared = { etag: '', headers: [''] }

  return (request, response) => {
    if (request.url !== listPublicDevices.path || request.method !== listPublicDevices.method) {
      return false
    }
    const ifNoneMatch = request.headers['if-none-match']
    const etag = list.servable()?.etag
    if (etag === undefined || ifNoneMatch !== etag || !takeEarly(request.socket)) return false
    if (prepared.etag !== etag) {
      prepared.etag = etag
      prepared.headers = Object.entries({ ...headers, etag }).flat()
    }
    response.writeHead(304, prepared.headers).end()
    answered.count += 1
    return true
  }
}
