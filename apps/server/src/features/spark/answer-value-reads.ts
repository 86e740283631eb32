import type { IncomingMessage } from 'node:http'
import { readEntry } from '@astropelago/contract/spark'
import type { AnswerCount } from '../../http/answer-counts.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { CachedValues } from './cached-values.ts'

interface AnswerValueReadsOptions {
  /** The user of the request's session, if that is known without asking the storage. */
  readonly cachedUserKey: (request: IncomingMessage) => number | undefined
  readonly knownValue: CachedValues['knownValue']
  readonly takeEarly: RateLimits['takeEarly']
  readonly answered: AnswerCount
  /** Headers of every answer of this server. */
  readonly headers: Readonly<Record<string, string>>
}

const prefix = readEntry.path.replace(':key', '')
/** A key that needs no decoding, and at most a collection. */
const plainAddress = /^([\w.~-]+)(?:\?collection=([\w.-]+))?$/

/**
 * Answers reads of values in memory, for sessions in memory. Everything else goes to the ordinary route,
 * where a read costs twice as much.
 */
export function answerValueReads(options: AnswerValueReadsOptions): AnswerEarly {
  const { cachedUserKey, knownValue, takeEarly, answered } = options
  const headers = Object.entries({
    ...options.headers,
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
  }).flat()

  return (request, response) => {
    const { url = '', method } = request
    if (method !== readEntry.method || !url.startsWith(prefix)) return false
    const [, key, collection = ''] = plainAddress.exec(url.slice(prefix.length)) ?? []
    if (key === undefined) return false
    const userKey = cachedUserKey(request)
    if (userKey === undefined) return false
    const value = knownValue({ userKey, collection, key })
    if (typeof value !== 'string' || !takeEarly(request.socket)) return false
    response
      .writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(value))])
      .end(value)
    answered.count += 1
    return true
  }
}
